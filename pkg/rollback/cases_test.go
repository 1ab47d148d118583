package rollback_test

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/pkg/rollback"
	"github.com/git-agent/git-agent/pkg/stash"
)

func TestCase030_untrackedOutsideStays(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a/x": "base\n"})
	big := strings.Repeat("output\x00", 1<<17)
	w.Write("output/big.bin", big)
	w.Write("a/x", "half\n")
	w.Write("a/n", "half\n")
	w.discard("a/x", "a/n")
	if w.Read("output/big.bin") != big {
		t.Error("an untracked file outside the paths changed")
	}
}

func TestCase031_newFilesArePreserved(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a/x": "base\n"})
	w.Write("a/n", "half\n")
	ref := w.discard("a/x", "a/n")
	if got := w.Git("ls-tree", "-r", "--name-only", ref+"^3"); got != "a/n" {
		t.Errorf("preserved untracked files: %q", got)
	}
}

func TestCase032_editOutsideSurvives(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a/x": "base\n", "b/y": "base\n"})
	w.Write("a/x", "half\n")
	w.Write("b/y", "mine\n")
	w.discard("a/x")
	if w.Read("b/y") != "mine\n" || w.Read("a/x") != "base\n" {
		t.Errorf("b/y = %q, a/x = %q", w.Read("b/y"), w.Read("a/x"))
	}
}

func TestCase033_stagedAndDirtyOutsideUnchanged(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a/x": "base\n", "b/x": "base\n", "b/y": "base\n"})
	w.Write("b/x", "staged\n")
	w.Git("add", "b/x")
	w.Write("b/x", "and more\n")
	w.Write("b/y", "dirty\n")
	entry := w.Git("ls-files", "-s", "b")
	w.Write("a/x", "half\n")
	w.discard("a/x")
	if w.Git("ls-files", "-s", "b") != entry || w.Read("b/x") != "and more\n" || w.Read("b/y") != "dirty\n" {
		t.Error("something outside the paths moved")
	}
}

func TestCase035_partlyStagedComesBackAsItWas(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	w.Write("a", "staged\n")
	w.Git("add", "a")
	w.Write("a", "unstaged\n")
	before := w.photo()
	ref := w.discard("a")
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Fatalf("status: %q", got)
	}
	if err := w.store.Apply(ctx, ref, w.scratch); err != nil {
		t.Fatal(err)
	}
	same(t, "after Apply", w.photo(), before)
}

func TestCase036_reachableAndSurvivesGC(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	unreachable := w.Git("fsck", "--unreachable")
	w.Write("a", "half\r\n")
	w.Write("n", "half\n")
	before := w.photo()
	ref := w.discard("a", "n")
	if got := w.Git("fsck", "--unreachable"); got != unreachable {
		t.Errorf("unreachable: %q", got)
	}
	w.Git("gc", "-q", "--prune=now")
	if err := w.store.Apply(ctx, ref, w.scratch); err != nil {
		t.Fatal(err)
	}
	same(t, "after gc and Apply", w.photo(), before)
}

func TestCase038_ignoreQueryThatFailsRefuses(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	w.Write("n", "half\n")
	w.roller.Git = &noIgnore{w.git}
	before := w.photo()
	if err := w.roller.Refuse(ctx, "", []string{"a", "n"}); git.ExitCode(err) != 128 {
		t.Errorf("err = %v, want git's own failure", err)
	}
	same(t, "after the refusal", w.photo(), before)
}

// noIgnore is a real git that is asked about a path outside the repository,
// which it answers with exit 128.
type noIgnore struct{ *git.Repo }

func (g *noIgnore) Ignored(ctx context.Context, paths []string) ([]string, error) {
	return g.Repo.Ignored(ctx, append(paths, "../outside"))
}

func TestCase041_createdFileGoesAndIsKept(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a/x": "base\n"})
	w.Write("a/new.go", "half\n")
	w.Write("a/deep/er/new.go", "half\n")
	ref := w.discard("a/new.go", "a/deep/er/new.go")
	if w.Exists("a/new.go") || w.Exists("a/deep") {
		t.Error("a created file or its folder is still there")
	}
	if got := w.Git("show", ref+"^3:a/new.go"); got != "half" {
		t.Errorf("kept: %q", got)
	}
}

func TestCase042_fileThatTheTargetLacksGoes(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	boundary := w.base
	w.Write("del.txt", "committed since\n")
	w.Commit("half\n")
	w.Write("del.txt", "and edited\n")
	commit := w.preserve("del.txt")
	w.Git("update-ref", "refs/heads/main", boundary)
	req := w.request(commit, "del.txt")
	if _, err := w.roller.Move(ctx, req); err != nil {
		t.Fatal(err)
	}
	if w.Exists("del.txt") || w.Git("status", "--porcelain") != "" {
		t.Errorf("status: %q", w.Git("status", "--porcelain"))
	}
	if got := w.Git("show", commit+":del.txt"); got != "and edited" {
		t.Errorf("kept: %q", got)
	}
}

func TestCase044_deletedFileComesBackWithItsMode(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"go.mod": "module x\n", "run.sh": "#!/bin/sh\n"})
	w.chmod("run.sh", 0o755)
	w.base = w.Commit("mode\n")
	w.remove("go.mod", "run.sh")
	w.discard("go.mod", "run.sh")
	if w.Read("go.mod") != "module x\n" || w.Git("status", "--porcelain") != "" {
		t.Errorf("status: %q", w.Git("status", "--porcelain"))
	}
	if info, err := os.Stat(w.Path("run.sh")); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("run.sh: %v, %v", info, err)
	}
}

func TestCase046_oneUntrackedAndOneNeverCreatedStopNothing(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n", "b": "base\n"})
	w.Write("a", "half\n")
	w.Write("b", "half\n")
	w.Write("c", "half\n")
	w.discard("a", "b", "c", "never")
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Errorf("status: %q", got)
	}
}

func TestCase052_thePersonsStashIsNeverTouched(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	w.Write("a", "months old\n")
	w.Git("stash", "push", "-q")
	before := w.Git("stash", "list", "--format=%gd %H")
	w.discard("a") // nothing to preserve at all
	w.Write("a", "half\n")
	ref := w.discard("a")
	if err := w.store.Apply(ctx, ref, w.scratch); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Drop(ctx, ref); err != nil {
		t.Fatal(err)
	}
	if got := w.Git("stash", "list", "--format=%gd %H"); got != before {
		t.Errorf("stash list was %q, is %q", before, got)
	}
}

func TestCase053_twoRunsInTwoWorktreesAtOnce(t *testing.T) {
	t.Parallel()
	first := newWork(t, map[string]string{"a": "base\n"})
	linked := *first.Repo
	linked.Dir = t.TempDir() + "/linked"
	first.Git("worktree", "add", "-q", "--detach", linked.Dir)
	second := open(t, &linked)
	refs := make([]string, 2)
	var wg sync.WaitGroup
	for i, w := range []*work{first, second} {
		w.Write("a", "half of "+w.Dir+"\n")
		wg.Go(func() { refs[i] = discardAs(t, w, []string{"r-1", "r-2"}[i]) })
	}
	wg.Wait()
	if refs[0] != stash.StepRef("r-1", step, 1) || refs[1] != stash.StepRef("r-2", step, 1) {
		t.Fatalf("refs = %q", refs)
	}
	for i, w := range []*work{first, second} {
		if got := w.Git("show", refs[i]+":a"); got != "half of "+w.Dir || w.Read("a") != "base\n" {
			t.Errorf("%s holds %q, a = %q", refs[i], got, w.Read("a"))
		}
	}
}

func discardAs(t *testing.T, w *work, run string) string {
	commit, err := w.store.Snapshot(ctx, stash.Request{Head: w.base, Paths: []string{"a"}, Message: subject, Scratch: w.scratch})
	if err == nil {
		err = w.store.Save(ctx, stash.PendingRef(run, step), commit)
	}
	if err == nil {
		_, err = w.roller.Move(ctx, rollback.Request{Run: run, Step: step, Stash: commit, Target: w.base, Paths: []string{"a"}, Scratch: w.scratch})
	}
	if err != nil {
		t.Error(err)
		return ""
	}
	ref, err := w.roller.Settle(ctx, run, step)
	if err != nil {
		t.Error(err)
	}
	return ref
}

func TestCase150_byGitsContentNotByRawBytes(t *testing.T) {
	t.Parallel()
	r := newWork(t, map[string]string{".gitattributes": "* text=auto eol=crlf\n*.dat filter=lfs -text\n", "a": "1\n2\n", "x.dat": "POINTER data\n"})
	r.Git("config", "filter.lfs.clean", "sed -e 's/^/POINTER /'")
	r.Git("config", "filter.lfs.smudge", "sed -e 's/^POINTER //'")
	r.Git("config", "filter.lfs.required", "true")
	r.remove("a", "x.dat")
	r.Git("-c", "advice.detachedHead=false", "checkout", "--", "a", "x.dat")
	w := open(t, r.Repo)
	if w.Read("a") != "1\r\n2\r\n" || w.Read("x.dat") != "data\n" {
		t.Fatalf("the fixture is wrong: %q %q", w.Read("a"), w.Read("x.dat"))
	}
	clean := w.photo()
	w.Write("a", "1\nhalf\r\n")
	w.Write("x.dat", "half\n")
	before := w.photo()
	commit := w.preserve("a", "x.dat")
	if got := w.Git("show", commit+":x.dat"); got != "POINTER half" {
		t.Errorf("preserved as %q, want what git add stores", got)
	}
	if _, err := w.roller.Move(ctx, w.request(commit, "a", "x.dat")); err != nil {
		t.Fatal(err)
	}
	same(t, "after Move", w.photo(), clean)
	if again, err := w.roller.Move(ctx, w.request(commit, "a", "x.dat")); err != nil || len(again) != 0 {
		t.Errorf("a clean tree is seen as changed: %q, %v", again, err)
	}
	if _, err := w.roller.PutBack(ctx, w.request(commit, "a", "x.dat")); err != nil {
		t.Fatal(err)
	}
	same(t, "after PutBack", w.photo(), before)
}

func TestCase158_whatCannotBePreservedDoesNotMove(t *testing.T) {
	t.Parallel()
	for name, breakIt := range map[string]func(w *work){
		// Root writes into read-only folders: a file in a folder's place it cannot.
		"objects folder": func(w *work) {
			for _, c := range "0123456789abcdef" {
				for _, d := range "0123456789abcdef" {
					if name := ".git/objects/" + string(c) + string(d); !w.Exists(name) {
						w.Write(name, "")
					}
				}
			}
		},
		"ref": func(w *work) { w.Write(".git/refs/agent-stash", "") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWork(t, map[string]string{"a": "base\n"})
			w.Write("a", "half\n")
			w.Write("n", "half\n")
			before := w.photo()
			breakIt(w)
			commit, err := w.store.Snapshot(ctx, stash.Request{Head: w.base, Paths: []string{"a", "n"}, Message: subject, Scratch: w.scratch})
			if err == nil {
				err = w.store.Save(ctx, stash.PendingRef(run, step), commit)
			}
			if err == nil {
				t.Fatal("no error")
			}
			same(t, "after the failure", w.photo(), before)
		})
	}
}
