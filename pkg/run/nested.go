package run

import (
	"context"
	"errors"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// own reports whether this process itself opened an attempt: when it reports,
// nothing of that attempt runs any more.
func own(a *attempt) bool {
	self, err := check.Self()
	return err == nil && a.Owner == self
}

// nested is the live attempt of this clone inside which `step` was called, nil
// for none. An id that belongs to nobody alive is ignored. A check may call
// readers only.
func (e *Engine) nested(req StepRequest) (*attempt, error) {
	id := lookup(e.Env, check.AttemptVariable)
	if id == "" {
		return nil, nil
	}
	open, err := e.attempts(req.Run)
	if err != nil {
		return nil, err
	}
	for _, a := range open {
		if a.ID != id || !e.alive(req.Run, a) {
			continue
		}
		if lookup(e.Env, "GIT_AGENT_CHECK") != "" {
			return nil, failf("RUN_BUSY", ExitBusy, "a check of step %s cannot call git agent step; nothing was done", a.Step).hint("git agent status %s", req.Run)
		}
		if req.Step != "" && req.Step != a.Step || len(req.Command) > 0 {
			return nil, failf("RUN_BUSY", ExitBusy, "attempt %d of step %s is under way and this is its job; nothing was done", a.Number, a.Step).
				hint("git agent step %s   # runs its checks", a.Step)
		}
		return a, nil
	}
	return nil, nil
}

// inner runs the checks of the attempt's step and says what they came to; the
// outer command is the one that certifies.
func (e *Engine) inner(ctx context.Context, req StepRequest, a *attempt, err error) (*Report, error) {
	if err != nil {
		return nil, err
	}
	s, err := e.open(ctx, req.Run)
	if err != nil {
		return nil, err
	}
	if err := s.asBegun(a); err != nil {
		return nil, err
	}
	step, err := s.step(a.Step)
	if err != nil {
		return nil, err
	}
	for _, n := range req.Notes {
		if err := e.saveNote(req.Run, step.ID, n); err != nil {
			return nil, err
		}
	}
	j, err := s.judge(ctx, step, place{dir: s.Place.Top, step: step.ID, attempt: a})
	if err == nil && j.outcome != reconcile.Passed {
		err = s.innerFailed(step.ID, j)
	}
	r, errReport := s.report()
	return r, errors.Join(err, errReport)
}

// asBegun goes by the plan version that an attempt was begun by, as the command
// does that certifies it.
func (s *session) asBegun(a *attempt) error {
	at, err := s.folderOf(s.run, a)
	if err != nil || at == nil || s.plans[at.PlanVersion] == nil {
		return err
	}
	s.plan, s.version = s.plans[at.PlanVersion], at.PlanVersion
	s.cleared = s.digest() // that command was let run it
	return nil
}

func (s *session) innerFailed(step string, j judged) error {
	if j.outcome == reconcile.Unsettled {
		return s.environment(step, j)
	}
	return failf("CHECK_FAILED", ExitNo, "step %s: `%s` ended with %s", step, j.command, j.failed.Outcome).
		hint("git agent step %s   # after mending it", step)
}
