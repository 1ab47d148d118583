package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// looked is a look at the working tree, and what git's status does not show of it.
type looked struct {
	status  []object.FileStatus // with files, among the paths asked for, that only their content tells to be changed
	hidden  []object.IndexEntry // changed, and git was told not to look
	leftOut []string            // of the paths asked for, what a sparse checkout has no file of
}

// lookClosely is status that does not stop where git does.
func (s *session) lookClosely(ctx context.Context, among plan.Paths) (l looked, err error) {
	var flagged, unproven []object.IndexEntry
	err = together(
		func() (err error) {
			flagged, l.leftOut, err = s.Git.Flagged(ctx)
			if err == nil && !among.Empty() {
				unproven, err = s.Git.Unproven(ctx, among.Below(), among.Match)
			}
			return err
		},
		func() (err error) { l.status, err = s.status(ctx); return err })
	if err != nil {
		return l, err
	}
	l.leftOut = slices.DeleteFunc(l.leftOut, func(p string) bool { return !among.Match(p) })
	shown := map[string]bool{}
	for _, f := range l.status {
		shown[f.Path] = true
	}
	unproven = slices.DeleteFunc(unproven, func(e object.IndexEntry) bool { return shown[e.Path] })
	unlike, err := s.unlikeIndex(ctx, append(flagged, unproven...))
	l.status = slices.Clone(l.status)
	for _, e := range unlike {
		if e.AssumeUnchanged || e.SkipWorktree {
			l.hidden = append(l.hidden, e)
		} else {
			l.status = append(l.status, object.FileStatus{Path: e.Path, Staged: '.', Unstaged: 'M',
				HeadMode: e.Mode, IndexMode: e.Mode, WorkMode: e.Mode, HeadID: e.ID, IndexID: e.ID})
		}
	}
	return l, err
}

func (s *session) unlikeIndex(ctx context.Context, entries []object.IndexEntry) ([]object.IndexEntry, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	tmp, err := s.tmp()
	if err != nil {
		return nil, err
	}
	return s.Git.Unlike(ctx, tmp, entries)
}

// leftOut lists what a sparse checkout lacks of these paths.
func (s *session) leftOut(ctx context.Context, paths plan.Paths) ([]string, error) {
	_, absent, err := s.Git.Flagged(ctx)
	return slices.DeleteFunc(absent, func(p string) bool { return !paths.Match(p) }), err
}

// pathsOf are the paths of index entries, sorted.
func pathsOf(entries []object.IndexEntry) []string {
	var paths []string
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	slices.Sort(paths)
	return paths
}
