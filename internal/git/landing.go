package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Scan is the newest limit commits of base..tip (base "": all), oldest first,
// parents before children, without changes and without git's own reading of
// trailers.
func (r *Repo) Scan(ctx context.Context, base, tip string, limit int) ([]object.Commit, error) {
	return r.bareLog(ctx, "", "--topo-order", "-n", strconv.Itoa(limit), "--end-of-options", span(base, tip))
}

// Touching is every commit of base..tip that changes one of paths and is no
// merge, with all that it changes, oldest first. History is not simplified: a
// change that was taken back is there too.
func (r *Repo) Touching(ctx context.Context, base, tip string, paths []string, limit int) ([]object.Commit, error) {
	args := []string{"--topo-order", "--full-history", "--no-merges", "--full-diff", "--raw", "--no-renames", "--no-abbrev", "--no-relative",
		"--root", "--ignore-submodules=none", "-n", strconv.Itoa(limit), "--end-of-options", span(base, tip), "--"}
	return r.bareLog(ctx, "", append(args, paths...)...)
}

// Chains is every commit that tips reach on their first-parent lines and base
// (where it is not "") does not, with changes against the first parent, by id.
// One child for all of them.
func (r *Repo) Chains(ctx context.Context, base string, tips []string) (map[string]object.Commit, error) {
	in := strings.Join(tips, "\n") + "\n"
	if base != "" {
		in += "^" + base + "\n"
	}
	found, err := r.bareLog(ctx, in, "--first-parent", "--raw", "-m", "--no-renames", "--no-abbrev", "--no-relative", "--root",
		"--ignore-submodules=none", "--stdin")
	if err != nil {
		return nil, err
	}
	commits := make(map[string]object.Commit, len(found))
	for _, c := range found {
		commits[c.ID] = c
	}
	return commits, nil
}

func (r *Repo) bareLog(ctx context.Context, in string, args ...string) ([]object.Commit, error) {
	out, _, err := r.reading(logArgs(bareFormat, args...)...).input(in).run(ctx)
	if err != nil {
		return nil, err
	}
	return parseLog(string(out))
}

// MergeTrees merges two commits without a working tree, by the attributes that
// the first one holds. conflicts are the paths that a person has to see to; tree
// is then of no use. git answers 1 both for a conflict and for what it cannot
// merge at all (tested, 2.39): only the first prints a tree. git 2.38 or newer.
func (r *Repo) MergeTrees(ctx context.Context, scratch, ours, theirs string) (tree string, conflicts []string, err error) {
	top, err := os.MkdirTemp(scratch, "merge-")
	if err != nil {
		return "", nil, fmt.Errorf("merge: %w", err)
	}
	defer func() { _ = os.RemoveAll(top) }()
	if err := r.layAttributes(ctx, top, ours); err != nil {
		return "", nil, err
	}
	c := r.without(top).plumbing("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs).answers(1)
	out, code, err := c.run(ctx)
	if err != nil {
		return "", nil, err
	}
	recs := splitNUL(out)
	if len(recs) == 0 || !isID(recs[0]) {
		return "", nil, errors.New("git merge-tree: it answered neither a tree nor a conflict")
	}
	if code == 0 {
		return recs[0], nil, nil
	}
	conflicts = slices.DeleteFunc(recs[1:], func(p string) bool { return p == "" })
	slices.Sort(conflicts)
	return recs[0], slices.Compact(conflicts), nil
}

func isID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// FetchMany is [Repo.Fetch] for any number of names.
func (r *Repo) FetchMany(ctx context.Context, remote string, names []string) error {
	c, err := r.asking(ctx, remote, []string{"fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-auto-maintenance",
		"--no-recurse-submodules", "--no-show-forced-updates", "--refmap=", "--stdin"})
	if err != nil {
		return err
	}
	return c.input(strings.Join(names, "\n") + "\n").do(ctx)
}
