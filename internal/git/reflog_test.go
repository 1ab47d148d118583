package git_test

import (
	"os"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestRepo_CommittedHere: what was committed on the branch here is told from what
// came to it otherwise.
func TestRepo_CommittedHere(t *testing.T) {
	t.Parallel()
	r := gittest.NewWithFiles(t, map[string]string{"f": "a\n"})
	other := r.Clone(r.AddRemote())
	const branch = "refs/heads/main"
	want := map[string]bool{}
	step := func(here bool, args ...string) {
		t.Helper()
		r.Git(args...)
		want[r.Git("rev-parse", "HEAD")] = here
	}
	r.Write("f", "b\n")
	step(true, "commit", "-q", "-a", "-m", "one")
	step(true, "commit", "-q", "--amend", "-m", "amended")
	step(true, "revert", "--no-edit", "HEAD")
	step(true, "cherry-pick", "HEAD~")
	r.Git("push", "-q", "origin", "main")
	other.Git("pull", "-q")
	other.Write("g", "theirs\n")
	theirs := other.Commit("theirs")
	other.Git("push", "-q", "origin", "main")
	step(false, "pull", "-q", "--ff-only")
	other.Write("g", "more\n")
	other.Commit("more")
	other.Git("push", "-q", "origin", "main")
	r.Git("fetch", "-q")
	step(false, "merge", "-q", "--ff-only", "origin/main")
	step(false, "reset", "-q", "--hard", theirs)
	step(false, "update-ref", "-m", "git-agent: resume", branch, r.Git("rev-parse", "origin/main"))

	got, err := r.Open().CommittedHere(t.Context(), branch)
	if err != nil {
		t.Fatal(err)
	}
	for id, here := range want {
		if got[id] != here {
			t.Errorf("%s: %v, want %v", r.Git("log", "-1", "--format=%s", id), got[id], here)
		}
	}
	if err := os.RemoveAll(r.Path(".git/logs")); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Open().CommittedHere(t.Context(), branch); err != nil || len(got) > 0 {
		t.Errorf("without a reflog: %v, %v", got, err)
	}
}
