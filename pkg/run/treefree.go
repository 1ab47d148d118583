package run

import (
	"context"
	"slices"
)

// mayLeaveRun refuses to take the working tree away from another run whose job
// is still at work in it, or whose attempt left something there: that would be
// taken for this run's work.
func (s *session) mayLeaveRun(ctx context.Context) error {
	other := s.runOfBranch(s.head.Branch)
	if other == "" || other == s.run {
		return nil
	}
	if err := s.noJobOf(other); err != nil {
		return err
	}
	open, err := s.attempts(other)
	open = slices.DeleteFunc(open, s.inOtherTree)
	if err != nil || len(open) == 0 {
		return err
	}
	left, err := s.leftHere(ctx, open)
	if err != nil || len(left) == 0 {
		return err
	}
	return failf("DIRTY_TREE", ExitPerson, "step %s of run %s was tried in this working tree, and %s changed since; nothing was moved", open[0].Step, other, listPaths(left)).
		hint("git agent resume %s   # certifies it, or preserves it and takes it back; then: git agent resume %s", other, s.run)
}

// noJobOf refuses to touch the working tree that a run's live job works in.
func (e *Engine) noJobOf(run string) error {
	if run == "" {
		return nil
	}
	a, err := e.liveJob(run, func(a *attempt) bool { return !e.inOtherTree(a) })
	if err != nil || a == nil {
		return err
	}
	return failf("RUN_BUSY", ExitBusy, "attempt %d of step %s of run %s is at work in this working tree; nothing was done", a.Number, a.Step, run).
		hint("git agent resume %s   # waits for it", run).hint("git agent cancel %s   # ends it", run)
}

// liveJob is an attempt of a run whose job goes on, nil for none of those that count.
func (e *Engine) liveJob(run string, counts func(*attempt) bool) (*attempt, error) {
	open, err := e.attempts(run)
	for _, a := range open {
		if a.Job && !a.Ended && counts(a) && e.jobAlive(run, a) {
			return a, nil
		}
	}
	return nil, err
}

// leftHere lists what changed in the working tree, but for what was untracked
// before a job began.
func (s *session) leftHere(ctx context.Context, open []*attempt) ([]string, error) {
	status, err := s.status(ctx)
	if err != nil {
		return nil, err
	}
	before := map[*attempt]map[string]bool{}
	for _, a := range open {
		before[a] = setOf(a.Untracked)
	}
	var left []string
	for _, f := range status {
		newer := func(a *attempt) bool { return !a.Job || !before[a][f.Path] }
		if f.Tracked() && !laggingModule(f) || f.Untracked() && slices.ContainsFunc(open, newer) {
			left = append(left, f.Path)
		}
	}
	return left, nil
}
