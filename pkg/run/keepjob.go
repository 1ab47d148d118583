package run

import (
	"context"
	"errors"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/lease"
)

// succeed starts who shows the signs of life of a job that outlives this
// command, killed or detached: without them anybody elsewhere may take the run
// over while the job works. end is called once the job is not this command's
// business any more.
func (s *session) succeed(a *attempt) (end func()) {
	if s.hold.mine.ID == "" || len(s.Runner.Successor) == 0 {
		return func() {}
	}
	next, err := s.Runner.Succeed(s.Place.Top, s.Env, "--run="+s.run, "--attempt="+a.Log, "--remote="+s.remote.name)
	if err != nil {
		s.Notify("%s: should this command be killed, nobody shows that its job lives: %v", a.Step, err)
		return func() {}
	}
	return func() {
		if s.detached {
			next.Leave()
			return
		}
		next.Dismiss()
	}
}

// keepLook is the time between two looks whether the job still runs.
const keepLook = time.Second

// KeepJob shows the signs of life of a job whose runner is gone, as long as it
// runs and nobody adopts it. A job that was fenced, taken over or cancelled
// elsewhere, is told to end: nothing of what it does could be recorded.
func (e *Engine) KeepJob(ctx context.Context, run, name string) error {
	s, err := e.newSession(run)
	if err != nil {
		return err
	}
	at, err := job.Open(e.State, run, name)
	if err != nil {
		return err
	}
	c, err := s.Git.ReadCommit(ctx, s.local.Lease)
	if err != nil {
		return err
	}
	mine, err := lease.Parse(c.ID, c.Message)
	if err != nil || mine.Nonce != at.Claim {
		return err // this clone moved the lease for something else since
	}
	k := &keeper{leaseMover: s.mover(), write: s.writeLease, old: mine.ID, mine: mine, every: s.signEvery()}
	return s.keepJob(ctx, at, k)
}

func (s *session) keepJob(ctx context.Context, at *job.Attempt, k *keeper) error {
	looks := time.NewTicker(min(keepLook, max(k.every/2, 10*time.Millisecond)))
	defer looks.Stop()
	runner, beaten := at.Owner, time.Time{}
	for {
		st, err := at.Status()
		if err != nil || st.State != job.Running || at.Told || at.Owner != runner {
			return err
		}
		if now := s.Now(); now.Sub(beaten) >= k.every {
			beaten = now
			if !k.beat(ctx) {
				s.remote.lease = k.seen
				now, err := s.readLease(ctx)
				if err != nil {
					return err
				}
				if !claimedAgain(now, k.mine) {
					return s.endFenced(at, runner, now)
				}
				k.old, k.mine, beaten = now.ID, now, time.Time{} // under the new claim none was shown yet
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-looks.C:
		}
	}
}

// claimedAgain reports whether the lease is one that somebody in this clone
// claimed for the same job, to adopt it: by its nonce. He may have died before
// he became its runner, and then its signs of life are still to be shown.
func claimedAgain(now, mine lease.Lease) bool {
	return now.State == lease.Held && now.Nonce == mine.Nonce
}

// endFenced tells a job to end whose run somebody else has now. Who adopts it
// in this clone has its fence; a claim whose owner died here before he could do
// anything has taken nothing.
func (s *session) endFenced(at *job.Attempt, runner check.Owner, now lease.Lease) error {
	if now.State == lease.Held && ownerDead(now) {
		return nil
	}
	self, err := check.Self()
	if err != nil {
		return err
	}
	fence, err := at.TryFence(job.Holder{Owner: self, Verb: "keep"}, func() error {
		if st, err := at.Status(); err != nil || st.State != job.Running || at.Owner != runner {
			return errors.Join(errNotOurs, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return errors.Join(at.Tell(), fence.Unlock())
}

var errNotOurs = errors.New("the job is over, or somebody else's")
