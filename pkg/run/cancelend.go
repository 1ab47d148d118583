package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// orCancelled is the error of a command that was stopped by a cancel, whatever
// else its end looked like; any other error stands.
func (s *session) orCancelled(ctx context.Context, err error) error {
	err = s.orDeleted(err)
	if err == nil || !wasCancelled(ctx) && !errors.Is(err, errCancelled) || CodeOf(err) == "CANCELLED" {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	return s.isCancelled(s.whoCancelled(ctx), "what is certified is saved")
}

// whoCancelled looks at the remote once more: the request that this process
// heeded names nobody's authority.
func (s *session) whoCancelled(ctx context.Context) lease.Lease {
	_ = s.readRefs(ctx)
	_ = s.ask(ctx)
	s.hold.looked = false
	if l, err := s.cancelStands(ctx); err == nil && l != nil {
		return *l
	}
	return lease.Lease{}
}

// stopped ends an attempt that was cancelled: no check runs any more, a job's
// work is preserved and taken back as after a failure, but nothing is recorded.
// What a person made by hand stays as it is.
func (s *session) stopped(ctx context.Context, w *work) error {
	ctx = context.WithoutCancel(ctx)
	return s.stoppedAs(ctx, w, s.cutOff(ctx, w))
}

// cutOff asks a job that was ended what one is asked that ended by itself:
// whether HEAD and the branch are still the run's. Only then is anything taken
// back, with what it committed.
func (s *session) cutOff(ctx context.Context, w *work) error {
	if !w.job() {
		return nil
	}
	if err := s.keptBranch(ctx, w.step, w.attempt); err != nil {
		return err
	}
	return s.reload(ctx)
}

// stoppedAs is stopped where something keeps its work from being taken back.
func (s *session) stoppedAs(ctx context.Context, w *work, left error) error {
	s.hold.mine = lease.Lease{}
	by := s.whoCancelled(ctx)
	s.Fault("cancel-heeded")
	if !w.job() {
		return s.isCancelled(by, fmt.Sprintf("step %s was not certified and what lies there was not touched", w.step.ID))
	}
	f := s.isCancelled(by, fmt.Sprintf("attempt %d of step %s was ended and nothing recorded", w.attempt.Number, w.step.ID))
	if left != nil {
		return errors.Join(f.hint("git status"), left)
	}
	ref, err := s.takeCancelled(ctx, w)
	if ref != "" {
		f = f.hint("git agent stash show %s", ref)
	}
	return errors.Join(f, err)
}

// takeCancelled preserves what the job left and goes back to the boundary; a
// fixpoint step's work stays for whoever goes on.
func (s *session) takeCancelled(ctx context.Context, w *work) (ref string, err error) {
	view, err := s.survey(ctx, w)
	if err != nil {
		return "", err
	}
	if w.step.Fixpoint {
		return s.keepFixpoint(ctx, w, view, nil)
	}
	if len(view.paths()) == 0 {
		return "", s.retire(w.attempt)
	}
	before := s.stashRefs(w.step.ID)
	p, err := s.beginRollback(ctx, w, view, nil)
	if err == nil {
		err = s.conclude(ctx, p)
	}
	for _, now := range s.stashRefs(w.step.ID) {
		if !slices.Contains(before, now) {
			ref = now
		}
	}
	return ref, err
}

// cancelledThere is a push that a cancel came before: what was certified is here
// and nowhere else, and goes out when a person goes on with the run.
func (s *session) cancelledThere(ctx context.Context, id string) error {
	if id == "" || id == s.remote.lease {
		return nil
	}
	if err := s.Git.Fetch(ctx, s.remote.name, []string{lease.Ref(s.run)}); err != nil {
		return err
	}
	now, damage, err := s.leaseAt(ctx, id)
	if err != nil || damage != nil || now.State != lease.Cancelled {
		return err
	}
	if err := s.ask(ctx); err != nil {
		return err
	}
	s.hold.mine = lease.Lease{}
	return s.isCancelled(now, "what was certified meanwhile is certified here, and not pushed")
}

// unlessCancelled makes a certificate, or a landing here, conditional on no
// cancel having been accepted in this repository, where that is the one that
// counts.
func (s *session) unlessCancelled(u object.RefUpdate) []object.RefUpdate {
	if !s.leaseAlone() {
		return []object.RefUpdate{u}
	}
	return []object.RefUpdate{u, {Name: lease.Ref(s.run), Old: s.leaseHere, New: s.leaseHere}}
}

// cancelledHere is a certificate that a cancel in this repository came before;
// any other cause stands.
func (s *session) cancelledHere(ctx context.Context, cause error) error {
	id, err := s.Git.Ref(ctx, lease.Ref(s.run))
	if err != nil || id == s.leaseHere || !s.leaseAlone() {
		return cause
	}
	l, damage, err := s.leaseAt(ctx, id)
	if err != nil || damage != nil || l.State != lease.Cancelled {
		return cause
	}
	s.leaseHere = id
	return errCancelled
}
