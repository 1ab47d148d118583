package run

import (
	"context"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// mayEnter refuses before anything is made what only the switch to the new branch
// would meet with: another working tree that has it, and untracked files.
func (s *session) mayEnter(ctx context.Context, base string) error {
	if s.head.Branch == s.branch {
		return nil
	}
	if err := s.branchFree(ctx); err != nil {
		return err
	}
	from, err := s.headTree(ctx)
	if err != nil || s.Place.Top == "" {
		return err
	}
	changes, err := s.Git.DiffTrees(ctx, from, base)
	if err != nil {
		return err
	}
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	way := onTheWay(status, changes)
	if len(way) == 0 {
		return nil
	}
	return failf("IN_THE_WAY", ExitPerson, "%s here, which the base %s has too: %s; nothing was touched",
		counted(len(way), "untracked path"), short(base), listPaths(way)).
		hint("git status").hint("git stash push --include-untracked   # then run this again")
}

// onTheWay are untracked paths where a checkout would write files. git tells a
// folder without tracked files as one path.
func onTheWay(status []object.FileStatus, changes []object.Change) (way []string) {
	for _, f := range status {
		for _, c := range changes {
			if f.Untracked() && c.NewMode != object.ModeNone &&
				(c.Path == f.Path || strings.HasSuffix(f.Path, "/") && strings.HasPrefix(c.Path, f.Path) || strings.HasPrefix(f.Path, c.Path+"/")) {
				way = append(way, f.Path)
				break
			}
		}
	}
	return way
}
