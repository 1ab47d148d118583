package run

import (
	"context"
	"slices"
)

// leaveSkipped takes the steps out of a landing that have no certificate because
// a preflight says that they are not to be done: another run landed their item,
// or somebody closed it. What else the run did lands without them. Where nothing
// would be left, the preflight of the landing says so.
func (l *lander) leaveSkipped(ctx context.Context) error {
	var skipped []string
	for _, id := range l.steps {
		if !l.nothingToShow(id) {
			continue
		}
		step, err := l.step(id)
		if err != nil {
			return err
		}
		out, err := l.beforeAttempt(ctx, step)
		if err != nil {
			return err
		}
		if out {
			skipped = append(skipped, id)
		}
	}
	if len(skipped) < len(l.steps) {
		l.steps = slices.DeleteFunc(l.steps, func(id string) bool { return slices.Contains(skipped, id) })
	}
	l.wanted = l.steps
	return nil
}

// nothingToShow: the step has no certificate, nor evidence that has to be mended.
func (s *session) nothingToShow(step string) bool {
	r := s.ledger.Newest(step)
	return (r == nil || !r.Valid()) && len(s.claims(step)) == 0
}
