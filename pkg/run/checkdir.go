package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// inItsFolder is a check's command in its `dir`. Where the tree that is judged
// has no such folder, it is one that says so and ends with 1, as `cd` would: the
// check has failed. Where that cannot be told the command stays as it is, and
// cannot be started.
func (s *session) inItsFolder(ctx context.Context, c check.Command, dir string, at place) (check.Command, error) {
	c.Dir = filepath.Join(at.dir, filepath.FromSlash(dir))
	why := noFolder(at.dir, dir)
	if why == "" {
		return c, nil
	}
	if elsewhere, err := s.notCheckedOut(ctx, dir, at); err != nil || elsewhere {
		return c, err
	}
	c.Run, c.Dir = "printf '%s\\n' "+quoteArg(fmt.Sprintf("git-agent: dir %q of this check %s; nothing was run", dir, why))+" >&2; exit 1", at.dir
	return c, nil
}

// noFolder is why a name is no folder of a checkout, "" where it is one or that
// cannot be told: the checkout does not answer, or a link leads out of it.
func noFolder(top, dir string) string {
	root, err := os.OpenRoot(top)
	if err != nil {
		return ""
	}
	defer func() { _ = root.Close() }()
	switch at, err := root.Stat(filepath.FromSlash(path.Clean(dir))); {
	case errors.Is(err, fs.ErrNotExist):
		return "is not there"
	case errors.Is(err, syscall.ENOTDIR), err == nil && !at.IsDir():
		return "is no folder"
	}
	return ""
}

// notCheckedOut reports whether a folder may be part of the tree and only
// not be here: in a submodule, whose files are another repository's, or left out
// by a sparse checkout.
func (s *session) notCheckedOut(ctx context.Context, dir string, at place) (bool, error) {
	if at.dir == s.Place.Top {
		if out, err := s.dirsLeftOut(ctx, plan.Check{Dir: dir}); err != nil || len(out) > 0 {
			return len(out) > 0, err
		}
	}
	var above []string
	for up := path.Clean(dir); up != "."; up = path.Dir(up) {
		above = append(above, up)
	}
	entries, err := s.Git.EntriesAt(ctx, first(s.scratches[at.dir], s.head.ID, s.tip), above)
	return slices.ContainsFunc(entries, func(e object.Entry) bool { return e.Mode == object.ModeGitlink }), err
}

// dirsLeftOut are the checks' folders that a sparse checkout lacks something of:
// a check would see another tree there.
func (s *session) dirsLeftOut(ctx context.Context, checks ...plan.Check) (dirs []string, err error) {
	checks = slices.DeleteFunc(slices.Clone(checks), func(c plan.Check) bool { return path.Clean(c.Dir) == "." })
	if len(checks) == 0 {
		return nil, nil
	}
	absent, err := s.absentFiles(ctx)
	for _, c := range checks {
		if slices.ContainsFunc(absent, func(file string) bool { return strings.HasPrefix(file, path.Clean(c.Dir)+"/") }) {
			dirs = append(dirs, c.Dir)
		}
	}
	return sortedUnion(dirs), err
}

// absentFiles are those that a sparse checkout left out.
func (s *session) absentFiles(ctx context.Context) ([]string, error) {
	if sparse, _ := s.Config.Config("core.sparsecheckout"); sparse == "" || sparse == "false" {
		return nil, nil
	}
	_, leftOut, err := s.Git.Flagged(ctx)
	return leftOut, err
}
