package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/plan"
)

// A plan can be amended without a step, or with another id for it, while an
// attempt at it is half done. What the attempt left is no step's then, and would
// be taken for the next one's, or decide its checks.

// stepOf is the step that an attempt is at: as the plan has it, else as it was
// when the attempt began; nil where no version has it.
func (s *session) stepOf(a *attempt) *plan.Step {
	step, _ := s.plan.Step(a.Step)
	if step != nil {
		return step
	}
	if at, err := s.folderOf(s.run, a); err == nil && at != nil && s.plans[at.PlanVersion] != nil {
		step, _ = s.plans[at.PlanVersion].Step(a.Step)
	}
	for n := s.version; step == nil && n > 0; n-- {
		if p := s.plans[n]; p != nil {
			step, _ = p.Step(a.Step)
		}
	}
	return step
}

// takeGone preserves and takes back what attempts left of steps that the plan
// does not have any more.
func (s *session) takeGone(ctx context.Context, stray string) error {
	open, err := s.attempts(s.run)
	if err != nil {
		return err
	}
	for _, a := range open {
		if now, _ := s.plan.Step(a.Step); now != nil || !a.Job {
			continue
		}
		if err := s.takeGoneOf(ctx, a, stray); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) takeGoneOf(ctx context.Context, a *attempt, stray string) error {
	step := s.stepOf(a)
	if step == nil {
		return s.retire(a)
	}
	w, err := s.work(ctx, step, a, stray, "resume "+s.run)
	if err != nil {
		return err
	}
	view, err := s.survey(ctx, w)
	if err != nil {
		return err
	}
	if len(view.paths()) == 0 {
		return s.retire(a)
	}
	s.Notify("%s: plan version %d has no such step; what attempt %d left is taken back (git agent stash apply brings it)", a.Step, s.version, a.Number)
	return s.rollbackPartial(ctx, w, view)
}
