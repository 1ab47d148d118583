package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// CancelRequest stops whoever works on a run.
type CancelRequest struct {
	Run string
	// Step cancels only if this step is being worked on; "": whatever is, or nothing.
	Step string
}

// CancelReport says what a cancel met with: fields are only added.
type CancelReport struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	// Already: somebody had cancelled the run before.
	Already bool   `json:"already"`
	By      string `json:"by"`
	// Pushed: the remote has it, so that every clone meets with it.
	Pushed bool `json:"pushed"`
	// Host and Step say who is being stopped, "" where nobody works on the run.
	Host string `json:"host"`
	Step string `json:"step"`
	// PID is the process of this clone that was asked to stop, 0 for none.
	PID int `json:"pid"`
	// Ended: a job that went on by itself in this clone was ended.
	Ended bool `json:"ended"`
	// Gone: whoever held the lease had died, on this machine; nobody is to stop.
	Gone bool `json:"gone"`
}

// Cancel asks whoever works on a run to stop, and keeps everybody from going on
// until a person orders it (the design, section 11). It is one compare-and-swap
// of the lease, so that either the cancel or the work's end comes first, and
// the other one is told. It waits for nobody and takes no lock: the holder has
// it.
func (e *Engine) Cancel(ctx context.Context, req CancelRequest) (*CancelReport, error) {
	if err := e.Outside(); err != nil {
		return nil, err
	}
	s, err := e.newSession(req.Run)
	if err != nil {
		return nil, err
	}
	if err := s.readRefs(ctx); err != nil {
		return nil, err
	}
	if err := s.seeLease(ctx); err != nil {
		return nil, err
	}
	if s.planTip == "" && s.remote.plan == "" {
		return nil, s.noSuchRun()
	}
	c := &canceller{session: s, req: req, here: s.atWorkHere()}
	return c.cancel(ctx)
}

// canceller is one cancel under way.
type canceller struct {
	*session
	req  CancelRequest
	here *atWork
	lost bool // the compare-and-swap, at least once

	claim string // the nonce that whoever is stopped works under
}

func (c *canceller) cancel(ctx context.Context) (*CancelReport, error) {
	for {
		now, err := c.current(ctx)
		if err != nil {
			return nil, err
		}
		if err := c.concerned(now); err != nil {
			return nil, err
		}
		if now.State == lease.Cancelled {
			return c.report(ctx, now, true)
		}
		next, err := c.next(ctx, now)
		if err != nil {
			return nil, err
		}
		c.claim = now.Nonce
		c.Fault("cancel-looked")
		won, err := c.moved(ctx, now, next)
		if err != nil {
			return nil, err
		}
		c.Fault("cancel-recorded")
		if won {
			return c.report(ctx, next, false)
		}
		if err := c.again(ctx); err != nil {
			return nil, err
		}
	}
}

// current is the lease that counts now.
func (c *canceller) current(ctx context.Context) (lease.Lease, error) {
	if l, err := c.cancelStands(ctx); err != nil || l != nil && (c.leaseAlone() || l.ID == c.remote.lease || c.remote.err != nil) {
		if l == nil {
			l = &lease.Lease{}
		}
		return *l, err
	}
	id := c.leaseHere
	switch {
	case c.leaseAlone():
	case c.remote.err != nil:
		id = first(c.leaseHere, c.remote.tracked[trackLease(c.remote.name, c.run)])
	default:
		return c.readLease(ctx)
	}
	l, _, err := c.leaseAt(ctx, id)
	return l, err
}

// concerned refuses to cancel for a step that nobody works on, and says where
// that is so because it ended first.
func (c *canceller) concerned(now lease.Lease) error {
	step := c.req.Step
	if step == "" || now.State != lease.Released && now.ID != "" && now.Step == step || c.here != nil && c.here.step == step {
		return nil
	}
	if a, err := c.attemptOf(step); err == nil && a != nil && !a.Ended && c.alive(c.run, a) {
		return nil // a job that nobody waits for
	}
	if c.lost {
		return failf("CANCEL_TOO_LATE", ExitNo, "step %s ended before the cancel was accepted; nothing was cancelled", step).
			hint("git agent resume %s", c.run)
	}
	return failf("NOT_AT_WORK", ExitNo, "nobody is at work on step %s; nothing was cancelled", step).
		hint("git agent runs").hint("git agent cancel %s   # the whole run", c.run)
}

// forgetHere removes the lease ref of this repository: the remote's counts again.
// In a mirror git's push has moved it along, and there it stays.
func (c *canceller) forgetHere(ctx context.Context, l lease.Lease) error {
	err := c.Git.UpdateRefs(ctx, c.why("cancel", ""), object.RefUpdate{Name: lease.Ref(c.run), Old: c.leaseHere})
	if now, errRef := c.Git.Ref(ctx, lease.Ref(c.run)); err != nil && errRef == nil && now == l.ID {
		return nil
	}
	return err
}

// report asks the process that works here to stop, or, where none does, has
// this clone know of it.
func (c *canceller) report(ctx context.Context, l lease.Lease, already bool) (*CancelReport, error) {
	r := &CancelReport{Format: 1, Run: c.run, Already: already, By: l.By, Host: l.Host, Step: l.Step,
		Pushed: !c.leaseAlone() && c.remote.err == nil}
	if r.Pushed && c.leaseHere != "" { // of a cancel that could not be pushed
		if err := c.forgetHere(ctx, l); err != nil {
			return r, err
		}
	}
	if c.here != nil {
		r.PID = c.here.Owner.PID
		request := cancelRequest{For: c.here.Owner, By: l.By, At: c.Now()}
		if err := writeJSON(c.State, requestFile(c.run), request); err != nil {
			return r, err
		}
	} else {
		c.reportSettled(ctx, l, r)
	}
	if c.remote.err != nil && !c.leaseAlone() {
		return r, failf("NOT_PUSHED", ExitNotPushed, "cancelled here, not on %q: %w; other clones do not know of it", c.remote.name, c.remote.err).
			hint("git agent cancel %s", c.run)
	}
	if c.leaseAlone() && c.remote.name != "" && !c.local.NoPush && r.PID == 0 && !r.Ended {
		return r, failf("NOT_PUSHED", ExitNotPushed, "cancelled here; %q keeps no lease of a run, so that other clones do not know of it", c.remote.name).
			hint("git agent cancel %s   # in the clone that works on it", c.run)
	}
	return r, nil
}

// reportSettled is report where no process of this clone has to stop.
func (c *canceller) reportSettled(ctx context.Context, l lease.Lease, r *CancelReport) {
	alive := c.stepHere() != ""
	l.Nonce = first(c.claim, l.Nonce)
	r.Gone = !alive && ownerDead(l) && !c.jobElsewhere(l)
	if err := c.settleHere(ctx); err != nil {
		c.Notify("it is cancelled; what lies here is left for resume --takeover: %v", err)
		return
	}
	r.Ended = alive
}
