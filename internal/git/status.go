package git

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Status lists what differs between HEAD, index and working tree, untracked
// files one by one, ignored ones not at all, without taking a lock. Index
// entries flagged assume-unchanged or skip-worktree are invisible to it, and what changed behind
// stat data that stayed as they were; see [Repo.Flagged] and [Repo.Unproven].
// Where git could not look everywhere it is an [object.UnreadError].
func (r *Repo) Status(ctx context.Context) ([]object.FileStatus, error) {
	said, err := r.reading("status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all",
		"--ignore-submodules=none", "--no-ahead-behind").looked(ctx)
	if err != nil {
		return nil, err
	}
	recs := splitNUL(said)
	out := make([]object.FileStatus, 0, len(recs))
	for _, rec := range recs {
		s, err := parseStatus(rec)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// parseStatus reads one record of the v2 format (git-status(1)).
func parseStatus(rec string) (object.FileStatus, error) {
	kind, rest, _ := strings.Cut(rec, " ")
	switch kind {
	case "?":
		return object.FileStatus{Path: rest, Staged: '?', Unstaged: '?'}, nil
	case "1":
		if f := strings.SplitN(rest, " ", 8); len(f) == 8 {
			return object.FileStatus{Path: f[7], Staged: f[0][0], Unstaged: f[0][1],
				HeadMode: f[2], IndexMode: f[3], WorkMode: f[4], HeadID: f[5], IndexID: f[6], Sub: f[1]}, nil
		}
	case "u":
		if f := strings.SplitN(rest, " ", 10); len(f) == 10 {
			return object.FileStatus{Path: f[9], Staged: 'U', Unstaged: 'U', WorkMode: f[5], Sub: f[1]}, nil
		}
	}
	return object.FileStatus{}, fmt.Errorf("read status: unexpected line %q", rec)
}

// Ignored lists those of the paths that git ignores and does not track; what
// lies behind a link is none of this repository's. Any other exit than 0 and 1 is an error: "cannot tell" is never "none".
//
// check-ignore refuses literal pathspecs (git 2.39); it matches without globs
// anyway, and the leading "./" keeps a name that begins with a colon from being
// magic.
func (r *Repo) Ignored(ctx context.Context, paths []string) ([]string, error) {
	paths, _ = r.reachable(paths)
	if len(paths) == 0 {
		return nil, nil
	}
	asked := make([]string, 0, len(paths))
	for _, p := range paths {
		asked = append(asked, "./"+p)
	}
	c := r.reading("check-ignore", "-z", "--stdin").input(joinNUL(asked)).environ("GIT_LITERAL_PATHSPECS=0").answers(1)
	c.flags = slices.DeleteFunc(slices.Clone(c.flags), func(f string) bool { return f == "--literal-pathspecs" })
	out, err := c.looked(ctx)
	if err != nil {
		return nil, err
	}
	ignored := splitNUL(out)
	for i, p := range ignored {
		ignored[i] = strings.TrimPrefix(p, "./")
	}
	return ignored, nil
}
