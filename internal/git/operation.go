package git

import (
	"os"
	"path/filepath"
	"strings"
)

// Operation names what is under way in this working tree ("a rebase") and the
// command that ends it; both "" for nothing. It knows what git's own git-status
// does, by the same files (wt-status.c). A rebase is ended as a whole, whatever
// merge or pick it stopped at.
func (r *Repo) Operation() (what, end string) {
	for _, op := range []struct{ file, what, end string }{
		{"rebase-merge", "a rebase", "git rebase --abort"},
		{"rebase-apply/applying", "a git am", "git am --abort"},
		{"rebase-apply", "a rebase", "git rebase --abort"},
		{"MERGE_HEAD", "a merge", "git merge --abort"},
		{"CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --abort"},
		{"REVERT_HEAD", "a revert", "git revert --abort"},
		{"sequencer/todo", "", ""},
		{"BISECT_LOG", "a bisect", "git bisect reset"},
	} {
		path := filepath.Join(r.GitDir, filepath.FromSlash(op.file))
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if op.what == "" {
			op.what, op.end = sequence(path)
		}
		if op.what != "" {
			return op.what, op.end
		}
	}
	return "", ""
}

// sequence is a cherry-pick or revert of several commits that stopped at one,
// which somebody committed by themselves: the rest is still to come.
func sequence(todo string) (what, end string) {
	text, _ := os.ReadFile(todo) // git, too, takes what it cannot read for none
	switch next, _, _ := strings.Cut(strings.TrimSpace(string(text)), " "); next {
	case "pick", "p":
		return "a cherry-pick", "git cherry-pick --abort"
	case "revert":
		return "a revert", "git revert --abort"
	}
	return "", ""
}
