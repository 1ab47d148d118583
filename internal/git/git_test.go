package git_test

import (
	"context"
	"errors"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/object"
)

var ctx = context.Background()

func TestRepo_Chain_framesHostileNamesAndBodies(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	base := r.Git("rev-parse", "HEAD")
	r.Write("d/new\nline \"q\"", "x\n")
	r.Write("\xff\xfe", "bytes\n")
	r.Commit("subject\n\nbody :100644\n\nAgent-Run: r\n")
	r.Commit("empty\n")
	chain, err := r.Open().Chain(ctx, base, r.Git("rev-parse", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	if len(chain) != 2 || len(chain[0].Changes) != 2 || len(chain[1].Changes) != 0 {
		t.Fatalf("chain = %+v", chain)
	}
	if got := chain[0].Changes[0]; got.Path != "d/new\nline \"q\"" || got.OldMode != object.ModeNone || got.NewMode != object.ModeFile {
		t.Errorf("first change = %+v", got)
	}
	if chain[0].Message != "subject\n\nbody :100644\n\nAgent-Run: r\n" || chain[0].Trailers != "Agent-Run: r\n" {
		t.Errorf("message = %q, trailers = %q", chain[0].Message, chain[0].Trailers)
	}
	if chain[0].FirstParent() != base || chain[1].FirstParent() != chain[0].ID {
		t.Errorf("chain does not hang together: %+v", chain)
	}
}

// TestRepo_Chain_graftsHideNothing: a record that a graft leaves out would be
// taken for one that was never made.
func TestRepo_Chain_graftsHideNothing(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	base := r.Git("rev-parse", "HEAD")
	r.Commit("hidden\n")
	r.Commit("tip\n")
	tip := r.Git("rev-parse", "HEAD")
	r.Write(".git/info/grafts", tip+" "+base+"\n")
	chain, err := r.Open().Chain(ctx, base, tip)
	if err != nil || len(chain) != 2 {
		t.Fatalf("chain = %+v, %v", chain, err)
	}
	if below, err := r.Open().IsAncestor(ctx, chain[0].ID, tip); err != nil || !below {
		t.Errorf("the hidden commit is an ancestor: %v, %v", below, err)
	}
}

func TestRepo_UpdateRefs_allOrNone(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	repo, head := r.Open(), r.Git("rev-parse", "HEAD")
	create := object.RefUpdate{Name: "refs/agent/x", New: head}
	if err := repo.UpdateRefs(ctx, "test", create); err != nil {
		t.Fatal(err)
	}
	r.Write("a", "2\n")
	create.New = r.Commit("other\n")
	err := repo.UpdateRefs(ctx, "test", object.RefUpdate{Name: "refs/agent/y", New: head}, create)
	if !errors.Is(err, git.ErrMoved) {
		t.Fatalf("err = %v, want ErrMoved", err)
	}
	if got, _ := repo.Ref(ctx, "refs/agent/y"); got != "" {
		t.Errorf("half of a refused transaction happened: %s", got)
	}
}

// TestRepo_UpdateRefs_arrived: what git's own push or fetch moved to where it is
// to be is no lost race, and holds up none of the others.
func TestRepo_UpdateRefs_arrived(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	repo, head := r.Open(), r.Git("rev-parse", "HEAD")
	r.Write("a", "2\n")
	next := r.Commit("next\n")
	r.Git("update-ref", "refs/agent/x", next)
	updates := []object.RefUpdate{{Name: "refs/agent/x", Old: head, New: next}, {Name: "refs/agent/y", New: head}, {Name: "refs/agent/gone", Old: head}}
	if err := repo.UpdateRefs(ctx, "test", updates...); err != nil {
		t.Fatal(err)
	}
	if got, _ := repo.Ref(ctx, "refs/agent/y"); got != head {
		t.Errorf("the other one is at %q, want %s", got, head)
	}
	moved := object.RefUpdate{Name: "refs/agent/y", New: next}
	if err := repo.UpdateRefs(ctx, "test", updates[0], moved); !errors.Is(err, git.ErrMoved) {
		t.Errorf("beside one that moved elsewhere: %v, want ErrMoved", err)
	}
}

// TestRepo_UpdateRefs_looksOnly: a ref that is only looked at holds up the
// others where it is not as it should be, and is not made.
func TestRepo_UpdateRefs_looksOnly(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	repo, head := r.Open(), r.Git("rev-parse", "HEAD")
	absent, there := object.RefUpdate{Name: "refs/agent/absent"}, object.RefUpdate{Name: "refs/heads/main", Old: head, New: head}
	if err := repo.UpdateRefs(ctx, "test", object.RefUpdate{Name: "refs/agent/x", New: head}, absent, there); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []object.RefUpdate{{Name: "refs/heads/main"}, {Name: "refs/agent/absent", Old: head, New: head}} {
		err := repo.UpdateRefs(ctx, "test", object.RefUpdate{Name: "refs/agent/y", New: head}, wrong)
		if !errors.Is(err, git.ErrMoved) {
			t.Errorf("%+v: %v, want ErrMoved", wrong, err)
		}
	}
	refs, err := repo.Refs(ctx, "refs/agent")
	if err != nil || len(refs) != 1 || refs[0].Name != "refs/agent/x" {
		t.Errorf("%v, %v", refs, err)
	}
}

func TestOpen_whereThereIsNothing(t *testing.T) {
	env := gittest.Env(t)
	if _, err := git.Open(ctx, git.Options{Dir: t.TempDir(), Env: env}); !errors.Is(err, git.ErrNotARepository) {
		t.Errorf("err = %v, want ErrNotARepository", err)
	}
	bare := gittest.New(t, "--bare")
	if err := bare.Open().NeedWorkTree(); !errors.Is(err, git.ErrBare) {
		t.Errorf("err = %v, want ErrBare", err)
	}
}

func TestRepo_Head_unborn(t *testing.T) {
	h, err := gittest.New(t).Open().Head(ctx)
	if err != nil || h.Branch != "refs/heads/main" || h.ID != "" {
		t.Errorf("head = %+v, %v", h, err)
	}
}

func TestIndex_AddWorktree_leavesTheOwnIndexAlone(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", "b": "2\n"})
	r.Write("a", "changed\n")
	r.Write("n/new", "new\n")
	r.Git("rm", "-q", "--cached", "b")
	before := r.Git("status", "--porcelain")
	repo := r.Open()
	x := repo.PrivateIndex(t.TempDir())
	defer x.Remove()
	if err := x.Read(ctx, "HEAD"); err != nil {
		t.Fatal(err)
	}
	if err := x.AddWorktree(ctx, []string{"a", "n/new"}); err != nil {
		t.Fatal(err)
	}
	tree, err := x.WriteTree(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Git("ls-tree", "-r", "--name-only", tree); got != "a\nb\nn/new" {
		t.Errorf("tree holds %q", got)
	}
	if after := r.Git("status", "--porcelain"); after != before {
		t.Errorf("status was %q, is %q", before, after)
	}
}

func TestRepo_Push_verdicts(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	r.AddRemote()
	repo, head := r.Open(), r.Git("rev-parse", "HEAD")
	refs := []object.PushRef{{Name: "refs/heads/x", ID: head}, {Name: "refs/agent/x", ID: head}}
	verdicts, err := repo.Push(ctx, "origin", object.Push{Refs: refs})
	if err != nil || len(verdicts) != 2 || verdicts[0].Flag != '*' {
		t.Fatalf("verdicts = %+v, %v", verdicts, err)
	}
	other := r.GitIn("other\n", "commit-tree", "-F", "-", "HEAD^{tree}")
	verdicts, err = repo.Push(ctx, "origin", object.Push{Refs: []object.PushRef{{Name: "refs/heads/x", ID: other}}})
	if err == nil || len(verdicts) != 1 || verdicts[0].Flag != '!' {
		t.Errorf("a push that is no fast-forward: %+v, %v", verdicts, err)
	}
	remote, err := repo.RemoteRefs(ctx, "origin", "refs/heads/x", "refs/heads/none")
	if err != nil || len(remote) != 1 || remote["refs/heads/x"] != head {
		t.Errorf("remote = %v, %v", remote, err)
	}
}
