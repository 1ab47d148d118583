package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
)

// release frees the run where this command still holds it: a kill alone leaves
// a lease held. It works after an interrupt too, for a moment.
func (s *session) release(ctx context.Context) {
	if !s.leasing() || s.detached || s.hold.mine.ID == "" && !s.takeLeftover(ctx) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	err := s.releaseMine(ctx)
	if err != nil {
		s.Notify("the lease could not be released, it expires by itself: %v", err)
	}
}

// takeLeftover reports whether the lease is one that a job of this clone left
// held, which is over by now and whose command is gone; it is ours to release.
func (s *session) takeLeftover(ctx context.Context) bool {
	open, err := s.attempts(s.run)
	if err != nil || s.remote.lease == "" || !s.ownClaim(ctx, s.remote.lease) {
		return false
	}
	jobs := slices.DeleteFunc(open, func(a *attempt) bool { return !a.Job })
	if len(jobs) == 0 || s.anyJobAlive(jobs) {
		return false
	}
	now, err := s.readLease(ctx)
	if err != nil || now.State != lease.Held || !ownerDead(now) {
		return false
	}
	s.hold.mine = now
	return true
}

// releaseMine leaves alone what somebody else has taken over meanwhile: a later
// look at the remote may have brought their lease, and a release pushed over
// that one would free a run that is being worked on.
func (s *session) releaseMine(ctx context.Context) error {
	for range pushTries {
		if s.remote.lease != s.hold.mine.ID {
			if ours, err := s.heldByUs(ctx, s.remote.lease); err != nil || !ours {
				return err
			}
		}
		next, err := s.writeLease(ctx, lease.Release(s.hold.mine))
		if err != nil {
			return err
		}
		if released, err := s.pushLease(ctx, next); err != nil || released {
			return err
		}
		// A last sign of life of the job's successor may have come between.
		if err := errors.Join(s.ask(ctx), s.remote.err); err != nil {
			return err
		}
	}
	return nil
}
