package run

import (
	"context"
	"errors"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// completeRecorded goes on from row 10 with attempts whose record is there: the
// step is certified. What is left, the push and row 12, every command does.
func (s *session) completeRecorded(ctx context.Context) error {
	open, err := s.attempts(s.run)
	if err != nil {
		return err
	}
	if err := s.mendIndex(ctx); err != nil {
		return err
	}
	for _, a := range open {
		if err := s.ownWords(ctx, a); err != nil {
			return err
		}
		if s.inOtherTree(a) {
			continue
		}
		r := s.ledger.Newest(a.Step)
		start, on := s.ledger.Place(a.Tip)
		if r == nil || !r.Valid() || on && r.Index <= start {
			continue
		}
		if !on && !s.madeHere(r.Commit.ID) && r.Evidence.Attempt < a.counts() {
			continue
		}
		if err := s.done(ctx, a, r); err != nil {
			return err
		}
		s.completed[a.Step] = true
	}
	return nil
}

func (s *session) madeHere(commit string) bool {
	_, ok := s.local.Certified[commit]
	return ok
}

// inFlight is phase A for whatever step is in flight, if one is.
func (s *session) inFlight(ctx context.Context, stray string) error {
	w, byHand, err := s.workInFlight(ctx, stray)
	if err != nil {
		return err
	}
	if w == nil {
		if w, err = s.changedUnrecorded(ctx, stray, byHand, false); err == nil && w != nil {
			w.heedAsked(byHand, stray)
		}
	}
	if err == nil && w != nil {
		_, err = s.phaseA(ctx, w)
	}
	if err != nil {
		return err
	}
	for _, a := range byHand {
		if w != nil && (a == w.by || w.attempt != nil && a.any()) {
			continue // phase A saw to it, or its words are for later
		}
		if err := s.retire(a); err != nil {
			return err
		}
	}
	return nil
}

// heedAsked certifies work that was found in the tree by what was asked of the
// attempt that a person made it in.
func (w *work) heedAsked(byHand []*attempt, stray string) {
	for _, a := range byHand {
		if a.Step == w.step.ID && a.any() {
			w.by = a
			w.asOf(a, stray)
		}
	}
}

// workInFlight is the step of the newest open attempt that had a job, nil for
// none. byHand are newer ones without a job: they left nothing that the tree
// does not show, and say which files a person took for the step's.
func (s *session) workInFlight(ctx context.Context, stray string) (w *work, byHand []*attempt, err error) {
	open, err := s.attempts(s.run)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range open {
		step := s.stepOf(a)
		if a.Job && step != nil {
			w, err = s.work(ctx, step, a, stray, "resume "+s.run)
			return w, byHand, err
		}
		byHand = append(byHand, a)
	}
	return nil, byHand, nil
}

// changedUnrecorded is the first unrecorded step under whose touches something
// changed since the boundary. A loose file alone is no sign of work, unless any
// is asked about: what new commits would overwrite has to be out of their way.
func (s *session) changedUnrecorded(ctx context.Context, stray string, byHand []*attempt, loose bool) (*work, error) {
	changed, err := s.changedPaths(ctx)
	if err != nil || changed.sure.Len()+changed.loose.Len() == 0 {
		return nil, err
	}
	told := loose
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		if s.ledger.Newest(step.ID) != nil {
			continue
		}
		touches, err := plan.CompilePaths(step.Touches)
		if err != nil {
			return nil, err
		}
		claimed := claimedOf(byHand, step.ID)
		if !changed.of(step, touches, claimed) && !(loose && touches.Touches(&changed.loose)) {
			if !told {
				s.tellLoose(step, touches, changed)
			}
			told = true
			continue
		}
		if claims := s.claims(step.ID); len(claims) > 0 {
			return nil, s.badEvidence(claims[0], step.ID) // somebody claims it: neither certified nor taken back unseen
		}
		w, err := s.work(ctx, step, nil, stray, "resume "+s.run)
		if err == nil {
			w.found, w.claimed, w.loose = true, claimed, loose
		}
		return w, err
	}
	return nil, nil
}

// claimedOf are the untracked files that were there when a person said that a
// step's work is in the tree.
func claimedOf(byHand []*attempt, step string) []string {
	for _, a := range byHand {
		if a.Step == step && !a.Job {
			return a.Untracked
		}
	}
	return nil
}

// changedPaths is what differs from the boundary: in the working tree, in the
// index, and by commits above it.
func (s *session) changedPaths(ctx context.Context) (*changes, error) {
	status, err := s.status(ctx)
	if err != nil {
		return nil, err
	}
	var c changes
	for _, f := range status {
		switch {
		case f.Untracked() && s.olderThanJobs(f.Path), laggingModule(f):
		case f.Untracked():
			c.loose.Add(f.Path)
			c.names = append(c.names, f.Path)
		default:
			c.sure.Add(f.Path)
		}
	}
	for _, above := range s.ledger.Changed(s.boundary()) {
		c.sure.Add(above.Path)
	}
	return &c, nil
}

// phaseA decides the step in flight: certified where its checks pass (it was
// finished, only its record was lost), else preserved and rolled back.
func (s *session) phaseA(ctx context.Context, w *work) (certified bool, err error) {
	s.Notify("%s was in flight, base %s", w.step.ID, short(w.boundary))
	if w.empty, err = s.mayBeEmpty(w.attempt); err != nil {
		return false, err
	}
	j, err := s.certifyFound(ctx, w)
	if CodeOf(err) == "NOTHING_CHANGED" {
		return false, errors.Join(s.retire(w.attempt), s.retire(w.by)) // the attempt ended before it did anything
	}
	if err != nil {
		return false, err
	}
	switch j.outcome {
	case reconcile.Passed:
		return true, errors.Join(s.retire(w.attempt), s.retire(w.by))
	case reconcile.Unsettled:
		return false, s.environment(w.step.ID, j)
	}
	s.keepTail(w.step.ID, j)
	return false, s.takeBack(ctx, w, j)
}

// takeBack preserves a failed attempt's work and rolls it back; a fixpoint
// step's work stays for the next attempt to build on.
func (s *session) takeBack(ctx context.Context, w *work, j judged) error {
	number, id, err := s.tried(w)
	if err != nil {
		return err
	}
	view, err := s.survey(ctx, w)
	if err != nil {
		return err
	}
	tree, err := s.snapshot(ctx, s.head.ID, view.mine, view.left...)
	if err != nil {
		return err
	}
	f := failure{step: w.step.ID, attempt: number, id: id, tree: tree, checks: j.checks}
	if w.step.Fixpoint {
		s.Notify("%s: not finished; its work stays for the next attempt (fixpoint)", w.step.ID)
		if _, err := s.keepFixpoint(ctx, w, view, &f); err != nil {
			return err
		}
		return s.recordOnce(ctx, w, f)
	}
	p, err := s.beginRollback(ctx, w, view, &f)
	if err != nil {
		return err
	}
	return s.conclude(ctx, p)
}

// tried are number and id of an attempt; what nobody opened one for gets an id
// of its own, by which it is counted once.
func (s *session) tried(w *work) (number int, id string, err error) {
	if w.attempt != nil {
		return w.attempt.Number, w.attempt.ID, nil
	}
	id, err = randomID()
	return s.nextAttempt(w.step.ID), id, err
}

// recordOnce writes the failure record of an attempt that stays open.
func (s *session) recordOnce(ctx context.Context, w *work, f failure) error {
	if w.attempt != nil && w.attempt.Recorded {
		return nil
	}
	if err := s.record(ctx, f); err != nil || w.attempt == nil {
		return err
	}
	w.attempt.Ended, w.attempt.Recorded = true, true
	return s.saveAttempt(w.attempt)
}
