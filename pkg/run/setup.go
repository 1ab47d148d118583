package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/plan"
)

// setUpHere sets up the person's working tree and notes what that changed: it is
// neither the step's work nor its check's fault.
func (s *session) setUpHere(ctx context.Context, marker string) (why string, err error) {
	before, err := s.see(ctx)
	if err != nil {
		return "", err
	}
	if why, err = s.setUpIn(ctx, s.Place.Top); err != nil || why != "" {
		return why, err
	}
	after, err := s.see(ctx)
	if err != nil {
		return "", err
	}
	s.setUp = append(s.setUp, before.differs(after)...)
	s.prepared[s.Place.Top] = true
	return "", s.Tree.Write(marker, nil)
}

// setupChanged blames what differs on setup, where that changed all of it; nil
// otherwise. Setup ran: the same again finds it done.
func (s *session) setupChanged(w *work, moved []string) error {
	if !s.bySetup(moved) {
		return nil
	}
	outside := slices.ContainsFunc(moved, func(path string) bool { return path != theHEAD && !w.touches.Match(path) })
	f := failf("SETUP_CHANGED", ExitPerson, "step %s: the plan's setup changed %s here, so what its check saw is not what would be certified; nothing was",
		w.step.ID, listPaths(moved)).hint("git status")
	if outside {
		return f.hint("git agent %s --stray set-aside", w.verb).hint("git agent %s --stray include", w.verb)
	}
	return f.hint("git agent %s", w.verb)
}

// bySetup reports whether setup changed all of these paths.
func (s *session) bySetup(paths []string) bool {
	other := func(path string) bool { return !slices.Contains(s.setUp, path) }
	return len(paths) > 0 && !slices.ContainsFunc(paths, other)
}

// setUpIn runs the plan's setup in a checkout and remembers nothing. why is
// non-empty where it failed: an environment outcome.
func (s *session) setUpIn(ctx context.Context, dir string) (why string, err error) {
	for _, command := range s.plan.Setup {
		result, err := s.runCheck(ctx, plan.Check{Run: command}, place{dir: dir})
		if err != nil {
			return "", err
		}
		if !result.Outcome.Passed() {
			return fmt.Sprintf("setup `%s` ended with %s", command, result.Outcome), interrupted(ctx)
		}
	}
	return "", nil
}
