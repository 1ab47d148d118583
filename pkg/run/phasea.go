package run

import (
	"context"
	"errors"
	"slices"

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
	w, err := s.workInFlight(ctx, stray)
	if err != nil || w == nil {
		return err
	}
	_, err = s.phaseA(ctx, w)
	return err
}

// workInFlight is the step of the newest open attempt that had a job, else the
// first unrecorded step under whose touches something changed since the
// boundary. Attempts without a job are retired: they left nothing that the
// tree does not show, but for what was asked of them.
func (s *session) workInFlight(ctx context.Context, stray string) (*work, error) {
	open, err := s.attempts(s.run)
	if err != nil {
		return nil, err
	}
	var handmade []*attempt
	for _, a := range open {
		step, _ := s.plan.Step(a.Step)
		if step != nil && a.Job {
			return s.work(step, a, stray, "resume "+s.run)
		}
		if step != nil && a.any() {
			handmade = append(handmade, a)
			continue
		}
		if err := s.retire(a); err != nil {
			return nil, err
		}
	}
	w, err := s.changedUnrecorded(ctx, stray)
	if err != nil {
		return nil, err
	}
	return w, s.heedAsked(w, handmade, stray)
}

// heedAsked certifies work that was found in the tree by what was asked of the
// attempt that a person made it in; the other ones are retired.
func (s *session) heedAsked(w *work, handmade []*attempt, stray string) error {
	for _, a := range handmade {
		if w != nil && w.step.ID == a.Step {
			w.by = a
			w.asOf(a, stray)
			continue
		}
		if err := s.retire(a); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) changedUnrecorded(ctx context.Context, stray string) (*work, error) {
	changed, err := s.changedPaths(ctx)
	if err != nil || changed.Len() == 0 {
		return nil, err
	}
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		if s.ledger.Newest(step.ID) != nil {
			continue
		}
		touches, err := plan.CompilePaths(step.Touches)
		if err != nil {
			return nil, err
		}
		if !touches.Touches(changed) {
			continue
		}
		if claims := s.claims(step.ID); len(claims) > 0 {
			return nil, s.badEvidence(claims[0], step.ID) // somebody claims it: neither certified nor taken back unseen
		}
		w, err := s.work(step, nil, stray, "resume "+s.run)
		if err == nil {
			w.found = true
		}
		return w, err
	}
	return nil, nil
}

// changedPaths is what differs from the boundary: in the working tree, in the
// index, and by commits above it.
func (s *session) changedPaths(ctx context.Context) (*plan.PathSet, error) {
	status, err := s.status(ctx)
	if err != nil {
		return nil, err
	}
	var set plan.PathSet
	for _, f := range status {
		switch {
		case f.Untracked() && s.olderThanJobs(f.Path), laggingModule(f):
		default:
			set.Add(f.Path)
		}
	}
	for _, c := range s.ledger.Changed(s.boundary(nil)) {
		set.Add(c.Path)
	}
	return &set, nil
}

// olderThanJobs reports whether an untracked file lay there before the job of
// an attempt that is over, and no step names it exactly: nobody's work then.
func (s *session) olderThanJobs(path string) bool {
	if !slices.Contains(s.local.Older, path) {
		return false
	}
	for i := range s.plan.Steps {
		if touches, err := plan.CompilePaths(s.plan.Steps[i].Touches); err == nil && touches.Exact(path) {
			return false
		}
	}
	return true
}

// phaseA decides the step in flight: certified where its checks pass (it was
// finished, only its record was lost), else preserved and rolled back.
func (s *session) phaseA(ctx context.Context, w *work) (certified bool, err error) {
	s.Notify("%s was in flight, base %s", w.step.ID, short(w.boundary))
	if w.empty, err = s.mayBeEmpty(w.attempt); err != nil {
		return false, err
	}
	j, err := s.certify(ctx, w)
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
