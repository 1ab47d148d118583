package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/plan"
)

// chooseStep is the named step, or the next. Steps before it whose record has
// to be proven again are checked first: their work is not done twice. nil:
// there is nothing left to do.
func (s *session) chooseStep(ctx context.Context, req StepRequest) (*plan.Step, error) {
	if req.Step == "" {
		return s.nextToDo(ctx)
	}
	step, err := s.named(ctx, req.Step)
	if err != nil {
		return nil, err
	}
	if s.completed[step.ID] {
		return nil, nil // what was asked for was done before the kill
	}
	if s.mendedByHand(step, req) {
		return step, nil
	}
	return s.unlessSkipped(ctx, step)
}

// named is a step that may be done now: the next one, or one with a record.
func (s *session) named(ctx context.Context, id string) (*plan.Step, error) {
	step, err := s.step(id)
	if err != nil || s.completed[id] {
		return step, err
	}
	next, err := s.firstUnrecorded(ctx, step)
	if err != nil {
		return nil, err
	}
	if s.ledger.Newest(step.ID) == nil && (next == nil || next.ID != step.ID) {
		return nil, failf("NOT_NEXT", ExitNo, "step %s is not next (%s is), and has no record; nothing was done", step.ID, next.ID).
			hint("git agent step %s", next.ID).hint("git agent status %s", s.run)
	}
	return step, nil
}

// nextToDo is the next step for which a preflight says that it is still to be
// done; those before it that are not are told and skipped.
func (s *session) nextToDo(ctx context.Context) (*plan.Step, error) {
	for {
		next, err := s.nextUncertified(ctx)
		if err != nil || next == nil {
			return next, err
		}
		if skipped, err := s.beforeAttempt(ctx, next); err != nil || !skipped {
			return next, err
		}
	}
}

func (s *session) nextUncertified(ctx context.Context) (*plan.Step, error) {
	next, recheck, err := s.peekNext()
	if err != nil || next == nil || !recheck {
		return next, err
	}
	s.Notify("%s has to be checked again first", next.ID)
	if err := s.recheckAll(ctx, false); err != nil {
		return nil, err
	}
	next, _, err = s.peekNext()
	return next, err
}
