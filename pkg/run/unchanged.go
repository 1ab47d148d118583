package run

import (
	"context"
	"errors"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// unchanged builds the tree once more (T2): what the checks saw is what is
// certified, or nothing is.
func (s *session) unchanged(ctx context.Context, w *work, c *candidate) error {
	var head object.Head
	var view *survey
	err := together(
		func() (err error) { head, err = s.Git.Head(ctx); return err },
		func() (err error) { view, err = s.survey(ctx, w); return err })
	if err != nil {
		return err
	}
	paths := sortedUnion(view.mine, c.included, c.view.mine)
	if len(c.included) == 0 {
		paths = sortedUnion(paths, c.view.above)
	}
	changes, err := s.since(ctx, c, without(paths, view.hidden), view.left)
	if err != nil {
		return err
	}
	if err := s.steady(ctx, c, changes, view.left); err != nil {
		return err
	}
	var moved []string
	for _, ch := range changes {
		moved = append(moved, ch.Path)
	}
	for path := range newTracked(view, c) {
		moved = append(moved, path)
	}
	moved = append(moved, without(view.hidden, c.view.hidden)...)
	if head.Branch != s.branch || head.ID != c.head {
		moved = append(moved, theHEAD)
	}
	if len(moved) == 0 {
		return nil
	}
	if err := s.setupChanged(w, moved); err != nil {
		return err
	}
	return s.checkChanged(w, moved)
}

// since lists what differs between T1 and these paths as they are now.
func (s *session) since(ctx context.Context, c *candidate, paths, left []string) ([]object.Change, error) {
	tree, err := s.treeNow(ctx, paths, left)
	if err != nil || tree == c.tree {
		return nil, err
	}
	return s.Git.DiffTrees(ctx, c.tree, tree)
}

// steady tells a filter whose output differs each time (encryption with a fresh key)
// from a check that changed something: nothing ran between these two looks.
func (s *session) steady(ctx context.Context, c *candidate, changes []object.Change, left []string) error {
	if len(changes) == 0 {
		return nil
	}
	now := make(map[string]string, len(changes))
	var paths []string
	for _, ch := range changes {
		now[ch.Path], paths = ch.NewID, append(paths, ch.Path)
	}
	again, err := s.since(ctx, c, paths, left)
	if err != nil {
		return err
	}
	for _, ch := range again {
		if was, ok := now[ch.Path]; ok && was != ch.NewID {
			return &object.UnstorableError{Top: s.Place.Top, Path: ch.Path, Cause: errors.New("it comes to something else each time, so nobody could tell whether a check changed it")}
		}
	}
	return nil
}

// newTracked yields tracked changes elsewhere that were not there before the checks.
func newTracked(now *survey, c *candidate) map[string]bool {
	found := map[string]bool{}
	for _, path := range now.strays {
		settled := slices.Contains(c.included, path) || slices.Contains(c.view.above, path) // T2 has these
		if !now.status[path].Untracked() && !settled {
			found[path] = true
		}
	}
	return found
}

// checkChanged blames the rest on who else ran meanwhile.
func (s *session) checkChanged(w *work, moved []string) error {
	who := "the check"
	if len(s.plan.Fingerprint) > 0 {
		who = "the check, or a fingerprint command of the plan,"
	}
	moved = without(sortedUnion(moved), sortedUnion(s.setUp))
	return failf("CHECK_CHANGED", ExitNo, "step %s: %s changed %s, so what it saw is not what would be certified; nothing was", w.step.ID, who, listPaths(moved)).
		hint("git status").hint("git agent %s   # again, if the change is wanted", w.verb)
}
