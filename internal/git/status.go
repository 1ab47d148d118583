package git

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

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
// lies behind a link or in a submodule is none of this repository's. Any other exit than 0 and 1 is an error: "cannot tell" is never "none".
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
	out, err := r.reading("check-ignore", "-z", "--stdin").input(joinNUL(asked)).magic().answers(1).looked(ctx)
	if err != nil {
		if ours := r.outsideModules(ctx, paths); len(ours) < len(paths) { // one below a submodule ends it
			return r.Ignored(ctx, ours)
		}
		return nil, err
	}
	ignored := splitNUL(out)
	for i, p := range ignored {
		ignored[i] = strings.TrimPrefix(p, "./")
	}
	return ignored, nil
}
