package run

import (
	"context"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// A person's cancel is undone for everybody, and not for a command that is
// refused a moment later: what can be judged without work is judged before the
// run is opened again. Of a run that is not cancelled all of this is found where
// it is met.

// openJudged opens a cancelled run again for resume and run, whose branch is
// here and followed by now.
func (s *session) openJudged(ctx context.Context, req ResumeRequest) error {
	l, err := s.cancelStands(ctx)
	if err != nil || l == nil {
		return err
	}
	if err := s.takeDead(ctx, req.Stray, true); err != nil {
		return err
	}
	w, byHand, err := s.workInFlight(ctx, req.Stray)
	if err == nil && w == nil {
		w, err = s.changedUnrecorded(ctx, req.Stray, byHand, false)
	}
	if err != nil {
		return err
	}
	if req.foresee != nil {
		if err := req.foresee(ctx, w != nil); err != nil {
			return err
		}
	}
	// Phase A retires what did nothing.
	if err := s.foresee(ctx, w); err != nil && CodeOf(err) != "NOTHING_CHANGED" {
		return err
	}
	return s.needNotCancelled(ctx, openAgain)
}

// foresee refuses what certifying the work would refuse before any check.
func (s *session) foresee(ctx context.Context, w *work) error {
	underWay := func(r object.Ref) bool { return strings.HasSuffix(r.Name, "/pending") }
	if w == nil || w.policy == plan.StraySetAside || slices.ContainsFunc(s.stashes, underWay) {
		return nil // nothing is refused, or not as it lies there now
	}
	if now, _ := s.plan.Step(w.step.ID); now == nil {
		return nil // taken back as it is
	}
	defer s.dropCandidate()
	_, err := s.candidate(ctx, w)
	return err
}

// foreseeStep refuses a step that cannot be done: by its name, by what was said
// of it, or by what lies in its way.
func (s *session) foreseeStep(ctx context.Context, req StepRequest) error {
	l, err := s.cancelStands(ctx)
	if err != nil || l == nil {
		return err
	}
	step, err := s.likelyStep(ctx, req)
	if err != nil || step == nil {
		return err
	}
	if err := s.follows(req); err != nil {
		return err
	}
	open, err := s.attemptOf(step.ID)
	if err != nil {
		return err
	}
	if s.job(step, req) != nil && (open == nil || !open.Job) {
		return s.needCleanGround(ctx, step, req)
	}
	w, err := s.work(ctx, step, open, req.Stray, "step "+step.ID)
	if err != nil {
		return err
	}
	w.empty = req.Empty || s.job(step, req) != nil
	if !w.empty {
		if w.empty, err = s.mayBeEmpty(open); err != nil {
			return err
		}
	}
	return s.foresee(ctx, w)
}

// likelyStep is the step that is asked for, nil where that is only known once
// others were checked again.
func (s *session) likelyStep(ctx context.Context, req StepRequest) (*plan.Step, error) {
	if req.Step != "" {
		return s.named(ctx, req.Step)
	}
	next, recheck, err := s.peekNext()
	if recheck {
		return nil, err
	}
	return next, err
}

// foresee refuses the attempt that would come first, once what is in flight is
// settled.
func (l *loop) foresee(ctx context.Context, inFlight bool) error {
	next, recheck, err := l.last.peekNext()
	if err != nil || next == nil || recheck {
		return err
	}
	if past, err := l.pastUntil(next); err != nil || past {
		return err
	}
	req, err := l.request(next)
	if err != nil || inFlight {
		return err
	}
	return l.last.foreseeStep(ctx, req)
}
