package git

import (
	"context"
	"strings"
)

// committing are the words by which a reflog tells that git made a commit, not
// that a branch went to one that was there: git-commit(1) and its kin.
var committing = map[string]bool{"commit": true, "cherry-pick": true, "revert": true, "am": true}

// CommittedHere are the commits that git made on a branch in this repository, as
// its reflog has it; none where it has no reflog.
func (r *Repo) CommittedHere(ctx context.Context, branch string) (map[string]bool, error) {
	out, _, err := r.reading("log", "-g", "-z", "--no-show-signature", "--no-notes", "--no-color", "--format=%H %gs", "--end-of-options", branch, "--").run(ctx)
	if err != nil {
		return nil, err
	}
	made := map[string]bool{}
	for _, entry := range strings.Split(string(out), "\x00") {
		id, why, _ := strings.Cut(entry, " ")
		word, _, _ := strings.Cut(why, ":")
		if word, _, _ = strings.Cut(word, " "); committing[word] {
			made[id] = true
		}
	}
	return made, nil
}
