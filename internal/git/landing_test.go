package git_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

func TestRepo_MergeTrees_threeOutcomes(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"f": "1\n2\n3\n4\n5\n"})
	base := r.Git("rev-parse", "HEAD")
	r.Write("f", "1\n2\n3\n4\nfive\n")
	theirs := r.Commit("theirs\n")
	r.Git("checkout", "-q", base)
	r.Write("f", "one\n2\n3\n4\n5\n")
	ours := r.Commit("ours\n")
	repo, ctx := r.Open(), context.Background()
	tree, conflicts, err := repo.MergeTrees(ctx, t.TempDir(), ours, theirs)
	if err != nil || len(conflicts) != 0 || r.Git("show", tree+":f") != "one\n2\n3\n4\nfive" {
		t.Fatalf("clean: %s, %v, %v", tree, conflicts, err)
	}
	r.Write("f", "1\n2\n3\n4\nFIVE\n")
	r.Write("g/h", "x\n")
	if _, conflicts, err = repo.MergeTrees(ctx, t.TempDir(), r.Commit("clash\n"), theirs); err != nil || !slices.Equal(conflicts, []string{"f"}) {
		t.Fatalf("conflict: %v, %v", conflicts, err)
	}
	if _, conflicts, err = repo.MergeTrees(ctx, t.TempDir(), ours, strings.Repeat("1", 40)); err == nil {
		t.Fatalf("what cannot be merged at all is a conflict in %v", conflicts)
	}
}

func TestRepo_Scan_Touching_Patches(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", "b": "1\n"})
	base := r.Git("rev-parse", "HEAD")
	r.Write("a", "2\n")
	one := r.Commit("one\n\nbody\n")
	r.Write("b", "2\n")
	r.Write("[a]", "2\n")
	two := r.Commit("two\n")
	r.Git("revert", "--no-edit", one)
	repo, ctx := r.Open(), context.Background()
	commits, err := repo.Scan(ctx, base, "HEAD", 2)
	if err != nil || len(commits) != 2 || commits[0].ID != two || !strings.Contains(commits[1].Message, "This reverts commit "+one) {
		t.Fatalf("scan: %+v, %v", commits, err)
	}
	touching, err := repo.Touching(ctx, base, "HEAD", []string{"a"}, 10)
	if err != nil || len(touching) != 2 || touching[0].ID != one || len(touching[0].Changes) != 1 {
		t.Fatalf("touching a: %+v, %v", touching, err)
	}
	if touching, err = repo.Touching(ctx, base, "HEAD", []string{"[a]"}, 10); err != nil || len(touching) != 1 || len(touching[0].Changes) != 2 {
		t.Fatalf("touching [a], whole: %+v, %v", touching, err)
	}
	tree := func(rev string) string { return r.Git("rev-parse", rev+"^{tree}") }
	patches := make([]strings.Builder, 3)
	err = repo.Patches(ctx, [][2]string{{tree(base), tree(one)}, {tree(one), tree(one)}, {tree(one), tree(two)}}, func(i int) io.Writer { return &patches[i] })
	if err != nil || !strings.Contains(patches[0].String(), "+2\n") || patches[1].String() != "" || strings.Count(patches[2].String(), "diff --git") != 2 {
		t.Fatalf("patches: %q %q %q, %v", patches[0].String(), patches[1].String(), patches[2].String(), err)
	}
	chains, err := repo.Chains(ctx, base, []string{one, two})
	if err != nil || len(chains) != 2 || len(chains[two].Changes) != 2 {
		t.Fatalf("chains: %+v, %v", chains, err)
	}
}
