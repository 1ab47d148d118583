package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/plan"
)

// landDue lands as far as the last certified step that the plan says lands at
// once, unless that has happened.
func (s *session) landDue(ctx context.Context) error {
	if !s.landsHere() && !s.remote.answers() {
		return nil
	}
	if mode, _ := s.Config.Config("agent.landmode"); mode == LandPR {
		return nil // it would write to a forge, which is for who asks for it
	}
	due, err := s.due(ctx)
	if err != nil || due == "" {
		return err
	}
	r, err := s.land(ctx, LandRequest{Through: due})
	if err == nil {
		s.Notify("%s: %s", due, first(r.Text, r.Verdict))
		s.tellForeign(r)
	}
	return err
}

// due is the last certified step that the plan says lands at once and that has not
// landed yet; all before it are certified or not to be done.
func (s *session) due(ctx context.Context) (due string, err error) {
	var landed []string
	if marks, _ := s.itself().landed(s.targetName("")); len(marks) > 0 {
		landed = marks[len(marks)-1].steps
	}
	waits := func(step plan.Step) bool {
		return step.Land && s.standing(step.ID) != nil && !slices.Contains(landed, step.ID)
	}
	for i, step := range s.plan.Steps {
		switch {
		case waits(step):
			due = step.ID
		case s.standing(step.ID) != nil:
		case !slices.ContainsFunc(s.plan.Steps[i:], waits):
			return due, nil
		default:
			if over, err := s.passedOver(ctx, &step); err != nil || !over {
				return due, err
			}
		}
	}
	return due, nil
}

// passedOver: a step without a certificate that, asked now, is not to be done keeps
// nothing from landing. Any other answer is for who goes on with the step.
func (s *session) passedOver(ctx context.Context, step *plan.Step) (bool, error) {
	if !s.nothingToShow(step.ID) {
		return false, nil
	}
	p, err := s.cachedPreflight(ctx, step.ID, step.Item != "")
	if err != nil || p == nil || !p.Token().Skips() {
		return false, err
	}
	s.skipStep(step.ID, p)
	return true, nil
}
