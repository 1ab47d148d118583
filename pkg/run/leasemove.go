package run

import (
	"context"
	"errors"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// leaseMover moves a lease ref, and nothing else: a sign of life goes out while
// the command is busy with everything that a session knows.
type leaseMover struct {
	git         Git
	remote, ref string
	seen        string // what the ref held at the last look
}

// stood is why a lease did not move, where nobody else moved it: what the remote
// said where it refused it, else how the push ended.
type stood struct {
	refusal string
	cause   error
}

var errShowsOther = errors.New("it says that it took the lease, and shows the one before")

// move pushes one value over another and reads it back; only the refs decide.
func (m *leaseMover) move(ctx context.Context, old string, next lease.Lease) (v lease.Verdict, why stood, err error) {
	push := object.Push{NoVerify: true, Refs: []object.PushRef{{Name: m.ref, ID: next.ID, CAS: true, Old: old}}}
	verdicts, errPush := m.git.Push(ctx, m.remote, push)
	if ctx.Err() != nil {
		return lease.Again, why, ctx.Err()
	}
	after, err := m.git.RemoteRefs(ctx, m.remote, m.ref)
	if err != nil {
		return lease.Again, why, errors.Join(errPush, err)
	}
	m.seen = after[m.ref]
	v = lease.Settle(map[string]string{m.ref: next.ID}, map[string]string{m.ref: old}, after)
	switch {
	case refused(verdicts):
		why.refusal = whyRefused(verdicts, errPush)
	case errPush == nil:
		why.cause = errShowsOther
	default:
		why.cause = errPush
	}
	return v, why, nil
}

func (s *session) mover() *leaseMover {
	return &leaseMover{git: s.Git, remote: s.remote.name, ref: lease.Ref(s.run)}
}

// pushLease moves the lease alone, from the value last seen.
func (s *session) pushLease(ctx context.Context, next lease.Lease) (won bool, err error) {
	var why stood
	for try := range pushTries {
		var v lease.Verdict
		var err error
		v, why, err = s.mover().move(ctx, s.remote.lease, next)
		switch {
		case err != nil:
			s.remote.err = err
			return false, s.notPushed(err)
		case v == lease.Won:
			return true, s.leased(ctx, next)
		case v == lease.Fenced:
			return false, nil
		}
		if err := backOff(ctx, try); err != nil {
			return false, err
		}
	}
	if why.refusal != "" && s.noFence() && !lockedThere(why.refusal) {
		return true, s.withoutLease()
	}
	return s.unclaimed(ctx, why)
}

// unclaimed decides whether a job may start where nobody else moved the lease and
// the remote does not take it. As without an answer, it may under a lease that
// was this clone's last: nobody else began since, as far as can be seen, and the
// push at the end is refused or fenced all the same. What is cancelled there stays so.
func (s *session) unclaimed(ctx context.Context, why stood) (own bool, err error) {
	cancelled := s.hold.now.State == lease.Cancelled
	switch own = !cancelled && s.ownLast(ctx); {
	case own && why.refusal != "":
		s.Notify("%q refuses the lease (%s); going on under this clone's own last one", s.remote.name, why.refusal)
	case own:
		s.Notify("%q did not take the lease (%v); going on under this clone's own last one", s.remote.name, why.cause)
	case why.refusal != "":
		err = failf("PUSH_REFUSED", ExitPerson, "%q refuses the lease, so a job may not start; nothing was done: %s", s.remote.name, why.refusal).
			hint("git agent resume %s   # once the remote takes it", s.run)
	case cancelled:
		err = s.notOpened(why.cause)
	default:
		err = s.noJob(why.cause)
	}
	return own, err
}

// pushTries is how often a push that nobody else outran is sent again: a ref
// lock on the server looks like a refusal for a moment.
const pushTries = 4

func backOff(ctx context.Context, try int) error {
	timer := time.NewTimer(50 * time.Millisecond << try)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// heldByUs reads the lease that the remote has now and adopts it where it is
// of our own claim: a sign of life that arrived although its answer did not.
func (s *session) heldByUs(ctx context.Context, id string) (bool, error) {
	mine, ours, err := s.mover().own(ctx, id, s.hold.mine)
	if err != nil || !ours {
		return false, err
	}
	s.remote.lease, s.hold.mine, s.hold.now = id, mine, mine
	return true, nil
}

// lateSign adopts the last sign of life of a claim that this command took over:
// its owner is dead, and the successor had not seen yet that the job is over.
func (s *session) lateSign(ctx context.Context, id string) (bool, error) {
	if s.hold.mine.ID != "" {
		return false, nil
	}
	now, same, err := s.mover().own(ctx, id, s.hold.now)
	if err != nil || !same || !ownerDead(now) || s.jobElsewhere(now) {
		return false, err
	}
	s.remote.lease, s.hold.now = id, now
	return true, nil
}

// own reads a value of the lease and says whether it is of the given claim.
func (m *leaseMover) own(ctx context.Context, id string, mine lease.Lease) (lease.Lease, bool, error) {
	if id == "" || mine.ID == "" {
		return mine, false, nil
	}
	if err := m.git.Fetch(ctx, m.remote, []string{m.ref}); err != nil {
		return mine, false, err
	}
	c, err := m.git.ReadCommit(ctx, id)
	if err != nil {
		return mine, false, err
	}
	now, err := lease.Parse(id, c.Message)
	if err != nil || lease.Judge(now, mine, lease.Look{}) != lease.Mine {
		return mine, false, err
	}
	return now, true, nil
}

// leased notes, here and in our mirror, that the remote's lease is this one.
func (s *session) leased(ctx context.Context, l lease.Lease) error {
	updates, err := s.noteLease(l)
	if err != nil || len(updates) == 0 {
		return err
	}
	return s.Git.UpdateRefs(ctx, s.why("lease", l.Step), updates...)
}

func (s *session) noteLease(l lease.Lease) ([]object.RefUpdate, error) {
	track := trackLease(s.remote.name, s.run)
	old := s.remote.tracked[track]
	s.remote.lease, s.hold.now, s.hold.looked, s.local.Lease = l.ID, l, true, l.ID
	s.hold.keep(l)
	s.hold.mine = lease.Lease{}
	if l.State == lease.Held {
		s.hold.mine = l
	}
	if err := s.saveLocal(); err != nil || old == l.ID {
		return nil, err
	}
	s.remote.tracked[track] = l.ID
	return []object.RefUpdate{{Name: track, Old: old, New: l.ID}}, nil
}
