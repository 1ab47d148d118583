package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

func TestRepo_ColdClone_sharesNothing(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", "d/b": "2\n"})
	repo := r.Open()
	head := r.Git("rev-parse", "HEAD")
	dir := filepath.Join(t.TempDir(), "cold")
	if err := repo.ColdClone(ctx, dir, head); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "objects", "info", "alternates")); err == nil {
		t.Error("the clone names an alternate")
	}
	if err := os.RemoveAll(r.Dir); err != nil { // whatever happens to where it came from
		t.Fatal(err)
	}
	if err := repo.ScratchFrom(ctx, dir, filepath.Join(t.TempDir(), "s"), head); err != nil {
		t.Errorf("the clone is not whole: %v", err)
	}
}

func TestRepo_ColdMerge(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	repo := r.Open()
	base := r.Git("rev-parse", "HEAD")
	commit := func(branch, file, text string) string {
		r.Git("checkout", "-q", "-b", branch, base)
		r.Write(file, text)
		r.Commit(branch + "\n")
		return r.Git("rev-parse", "HEAD")
	}
	ours, beside, against := commit("ours", "a", "2\n"), commit("beside", "b", "b\n"), commit("against", "a", "3\n")
	cold := filepath.Join(t.TempDir(), "cold")
	if err := repo.ColdClone(ctx, cold, ours, beside, against); err != nil {
		t.Fatal(err)
	}
	merged, conflicts, err := repo.ColdMerge(ctx, cold, filepath.Join(t.TempDir(), "m"), beside, ours)
	if err != nil || len(conflicts) > 0 {
		t.Fatalf("%v, conflicts in %q", err, conflicts)
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := repo.ScratchFrom(ctx, cold, out, merged); err != nil {
		t.Fatalf("the merge is not in the clone: %v", err)
	}
	for file, want := range map[string]string{"a": "2\n", "b": "b\n"} {
		if text, err := os.ReadFile(filepath.Join(out, file)); err != nil || string(text) != want {
			t.Errorf("%s holds %q, %v", file, text, err)
		}
	}
	if merged, conflicts, err := repo.ColdMerge(ctx, cold, filepath.Join(t.TempDir(), "c"), against, ours); err != nil || merged != "" || len(conflicts) != 1 || conflicts[0] != "a" {
		t.Errorf("a conflict in a gives %q, %q, %v", merged, conflicts, err)
	}
}
