package run

import (
	"context"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
)

// mayWrite makes sure, once per value of the lease, that nobody else works on
// the run: a lease that somebody else holds is watched for one time to live. A
// value that a later look brought is not written over unread.
func (s *session) mayWrite(ctx context.Context, step string) error {
	if !s.leasing() || s.hold.clear && (s.remote.lease == s.hold.judged || s.remote.lease == s.hold.mine.ID) {
		return nil
	}
	now, err := s.readLease(ctx)
	if err != nil {
		return err
	}
	cancelled := now.State == lease.Cancelled // one that --takeover was for is gone by now
	if s.hold.mine.ID != "" && !cancelled && !lease.SameClaim(now, s.hold.mine) {
		return s.lost(map[string]string{s.branch: s.remote.branch}) // taken over meanwhile
	}
	look := lease.Look{OwnerDead: ownerDead(now) && !s.jobElsewhere(now), TTL: s.leaseTTL(), Override: s.takeover && !cancelled}
	switch lease.Judge(now, s.hold.mine, look) {
	case lease.Stopped:
		err = s.isCancelled(now, "nothing was done")
	case lease.Wait:
		err = s.watch(ctx, now, step)
	case lease.TakeOver:
		s.Notify("taking the run over from %s", describe(now))
	}
	s.hold.clear, s.hold.judged = err == nil, now.ID
	return err
}

// watch looks whether the lease moves within its time to live, on our own
// monotonic clock: no clock of another machine is ever compared.
func (s *session) watch(ctx context.Context, now lease.Lease, step string) error {
	ttl := s.leaseTTL()
	s.Notify("the run is held by %s; watching for %s whether it lives", describe(now), ttl)
	timer := time.NewTimer(ttl)
	defer timer.Stop()
	every := time.NewTicker(max(ttl/20, 10*time.Millisecond))
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			s.Notify("it did not move: taking the run over from %s", describe(now))
			return nil
		case <-every.C:
		}
		there, err := s.Git.RemoteRefs(ctx, s.remote.name, lease.Ref(s.run))
		if err != nil {
			return s.notPushed(err)
		}
		if there[lease.Ref(s.run)] != now.ID {
			return s.busyElsewhere(ctx, now, step)
		}
	}
}

// busyElsewhere answers for a holder that lives, or has just ended: 4 where the
// step is certified by now, else 6.
func (s *session) busyElsewhere(ctx context.Context, by lease.Lease, step string) error {
	if err := s.ask(ctx); err != nil {
		return err
	}
	if step != "" && s.remote.err == nil && s.remote.branch != "" {
		certified, err := s.certifiedThere(ctx, step)
		if err != nil {
			return err
		}
		if certified {
			return s.lost(map[string]string{s.branch: s.remote.branch})
		}
	}
	what := "nothing was done"
	if s.unseenCertificate() {
		what = s.whatIsHere() + " here, not pushed"
	}
	return failf("RUN_BUSY", ExitBusy, "the run is held by %s; %s", describe(by), what).
		hint("git agent runs --remote").hint("git agent resume %s --takeover   # fences the other one", s.run)
}

func (s *session) certifiedThere(ctx context.Context, step string) (bool, error) {
	commits, err := s.Git.History(ctx, s.tip, s.remote.branch)
	if err != nil {
		return false, err
	}
	for _, c := range commits {
		if isCertificate(c.Message, s.run, step) {
			return true, nil
		}
	}
	return false, nil
}
