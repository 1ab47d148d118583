package run

import (
	"context"
	"errors"
)

// stepHere is the step that is being worked on in this clone, "" for none.
func (c *canceller) stepHere() string {
	if c.here != nil {
		return c.here.step
	}
	open, _ := c.attempts(c.run)
	for _, a := range open {
		if !a.Ended && c.alive(c.run, a) {
			return a.Step
		}
	}
	return ""
}

// settleHere sees to what no runner of this clone will: a job that goes on by
// itself is ended, work that a dead one left is preserved and taken back, and
// this clone is told of the cancel. Somebody who has the locks does it himself.
func (c *canceller) settleHere(ctx context.Context) error {
	if c.Place.Top == "" || c.planTip == "" {
		return c.ask(ctx)
	}
	unlock, err := c.lock(ctx, c.run, "cancel")
	if CodeOf(err) == "RUN_BUSY" {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	s, err := c.openSynced(ctx, c.run)
	if err != nil {
		return err
	}
	defer s.letGoFences()
	if err := s.endJobs(ctx); err != nil {
		return err
	}
	return s.takeDead(ctx, "", false)
}

// takeUnseen does for a cancelled run what `cancel` did not: it was typed in
// another clone, or in another working tree. No check looks at what a job left.
// What was judged before is whatever a person makes of it.
func (s *session) takeUnseen(ctx context.Context, stray string) error {
	l, err := s.cancelStands(ctx)
	if err != nil || l == nil {
		return err
	}
	return s.takeDead(ctx, stray, true)
}

// takeDead preserves and takes back what attempts left whose jobs are over.
func (s *session) takeDead(ctx context.Context, stray string, unjudged bool) error {
	if s.head.Branch != s.branch {
		return nil // a person is elsewhere in this tree
	}
	if err := s.finishRollbacks(ctx); err != nil {
		return err
	}
	if err := s.completeRecorded(ctx); err != nil {
		return err
	}
	open, err := s.attempts(s.run)
	if err != nil {
		return err
	}
	for _, a := range open {
		step := s.stepOf(a)
		if step == nil || !a.Job || s.inOtherTree(a) || unjudged && a.Ended {
			continue
		}
		w, err := s.work(ctx, step, a, stray, "cancel "+s.run)
		if err != nil {
			return err
		}
		if _, err := s.takeCancelled(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// refusedCancelled is resume's refusal of a cancelled run: jobs end, and what
// they left here is taken back as by the cancel itself.
func (s *session) refusedCancelled(ctx context.Context, refusal error) error {
	err := s.endJobs(ctx)
	if err == nil && CodeOf(refusal) == "CANCELLED" {
		err = s.takeUnseen(ctx, "")
	}
	if l, errLease := s.cancelStands(ctx); s.did != "" && errLease == nil && l != nil {
		refusal = s.isCancelled(*l, "what its job had left here is kept and taken back")
	}
	return errors.Join(refusal, err)
}
