package run

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/git-agent/git-agent/pkg/check"
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
}

// Cancel asks whoever works on a run to stop, and keeps everybody from going on
// until a person orders it (the design, section 11). It is one compare-and-swap
// of the lease, so that either the cancel or the work's end comes first, and
// the other one is told. It waits for nobody and takes no lock: the holder has
// it.
func (e *Engine) Cancel(ctx context.Context, req CancelRequest) (*CancelReport, error) {
	if err := e.outside(req.Run); err != nil {
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

// outside refuses what only somebody outside the run's own job may do.
func (e *Engine) outside(run string) error {
	id := lookup(e.Env, check.AttemptVariable)
	if id == "" {
		return nil
	}
	open, err := e.attempts(run)
	if err != nil {
		return err
	}
	for _, a := range open {
		if a.ID == id && e.alive(run, a) {
			return failf("RUN_BUSY", ExitBusy, "attempt %d of step %s is under way and this is its job; nothing was done", a.Number, a.Step).
				hint("git agent status %s", run)
		}
	}
	return nil
}

// seeLease looks at the remote without moving our mirror refs: a command that is
// under way in this clone counts on them.
func (s *session) seeLease(ctx context.Context) error {
	r := &s.remote
	if r.name == "" {
		return nil
	}
	const tries = 3 // a sign of life between the look and the fetch: look again
	for try := 1; ; try++ {
		if err := s.seeRefs(ctx); err != nil || r.err != nil || r.lease == "" {
			return err
		}
		_, err := s.Git.ReadCommit(ctx, r.lease)
		if err == nil || try == tries {
			return err
		}
		if err := s.Git.Fetch(ctx, r.name, []string{lease.Ref(s.run)}); err != nil {
			return err
		}
		if _, err := s.Git.ReadCommit(ctx, r.lease); err == nil {
			return nil
		}
	}
}

func (s *session) seeRefs(ctx context.Context) error {
	r := &s.remote
	there, err := s.Git.RemoteRefs(ctx, r.name, PlanRef(s.run), planBranchPrefix+s.run, s.branch, lease.Ref(s.run))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.asked, r.err = true, nil
	if err != nil {
		r.err = fmt.Errorf("remote %q did not answer: %w", r.name, err)
		return nil
	}
	r.plan, r.branch, r.lease = first(there[PlanRef(s.run)], there[planBranchPrefix+s.run]), there[s.branch], there[lease.Ref(s.run)]
	return nil
}

// atWork is a live process of this clone that works on the run.
type atWork struct {
	holder
	step string // "" where no attempt of it is open
}

// atWorkHere is who holds the run's lock here, nil for nobody or for somebody
// who does what no cancel concerns. Only a proof of death counts as nobody.
func (s *session) atWorkHere() *atWork {
	data, err := s.State.Read(s.run + "/lock")
	var w atWork
	if err != nil || json.Unmarshal(data, &w.holder) != nil || !heeding[w.Verb] {
		return nil
	}
	if dead, _ := w.Owner.Dead(); dead {
		return nil
	}
	open, _ := s.attempts(s.run)
	for _, a := range open {
		if a.Owner == w.Owner && !a.Ended {
			w.step = a.Step
		}
	}
	return &w
}

// heeding are the verbs that look for a request to stop.
var heeding = map[string]bool{"step": true, "resume": true, "run": true, "say": true}

// canceller is one cancel under way.
type canceller struct {
	*session
	req  CancelRequest
	here *atWork
	lost bool // the compare-and-swap, at least once
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

func (c *canceller) next(ctx context.Context, now lease.Lease) (lease.Lease, error) {
	_, nonce, err := c.holder("", "")
	if err != nil {
		return lease.Lease{}, err
	}
	next := lease.CancelFree(now, c.run, nonce)
	if now.State == lease.Held {
		next = lease.Cancel(now, nonce)
	} else if step := c.stepHere(); step != "" { // it works without a lease
		next.Host, next.Step = c.Host, step
	}
	next.By = c.person()
	return c.writeLease(ctx, next)
}

// person names who cancels, for whoever is stopped.
func (e *Engine) person() string {
	host := first(e.Host, "an unnamed host")
	if user := first(lookup(e.Env, "USER"), lookup(e.Env, "LOGNAME")); user != "" {
		return oneLine(user + "@" + host)
	}
	return oneLine(host)
}

// moved is the compare-and-swap: on the remote, else in this repository. A
// remote that does not answer leaves the cancel here, which the next one pushes.
func (c *canceller) moved(ctx context.Context, now, next lease.Lease) (won bool, err error) {
	if c.leaseAlone() || c.remote.err != nil {
		return c.movedHere(ctx, next)
	}
	for try := range pushTries {
		v, rejected, err := c.mover().move(ctx, now.ID, next)
		switch {
		case err != nil && ctx.Err() != nil:
			return false, ctx.Err()
		case err != nil:
			c.remote.err = err
			return c.movedHere(ctx, next)
		case v != lease.Again:
			return v == lease.Won, nil
		case try == pushTries-1 && rejected && now.ID == "":
			c.local.BranchOnly = true // for this command: the server takes no such ref
			return c.movedHere(ctx, next)
		}
		if err := backOff(ctx, try); err != nil {
			return false, err
		}
	}
	return false, failf("PUSH_REFUSED", ExitPerson, "%q refuses the cancel; nothing was cancelled", c.remote.name).
		hint("git agent cancel %s   # once the remote takes it", c.run)
}

func (c *canceller) movedHere(ctx context.Context, next lease.Lease) (won bool, err error) {
	err = c.Git.UpdateRefs(ctx, c.why("cancel", next.Step), object.RefUpdate{Name: lease.Ref(c.run), Old: c.leaseHere, New: next.ID})
	if err == nil {
		c.leaseHere = next.ID
		return true, nil
	}
	now, errRef := c.Git.Ref(ctx, lease.Ref(c.run))
	if errRef != nil || now == c.leaseHere {
		return false, err
	}
	return false, nil
}

// again looks anew after somebody was faster.
func (c *canceller) again(ctx context.Context) error {
	c.lost, c.hold.looked = true, false
	if err := c.readRefs(ctx); err != nil {
		return err
	}
	if err := c.seeLease(ctx); err != nil {
		return err
	}
	c.here = c.atWorkHere()
	return nil
}

// report asks the process that works here to stop, or, where none does, has
// this clone know of it.
func (c *canceller) report(ctx context.Context, l lease.Lease, already bool) (*CancelReport, error) {
	r := &CancelReport{Format: 1, Run: c.run, Already: already, By: l.By, Host: l.Host, Step: l.Step,
		Pushed: !c.leaseAlone() && c.remote.err == nil}
	if r.Pushed && c.leaseHere != "" { // of a cancel that could not be pushed
		if err := c.Git.UpdateRefs(ctx, c.why("cancel", ""), object.RefUpdate{Name: lease.Ref(c.run), Old: c.leaseHere}); err != nil {
			return r, err
		}
	}
	if c.here != nil {
		r.PID = c.here.Owner.PID
		request := cancelRequest{For: c.here.Owner, By: l.By, At: c.Now()}
		if err := writeJSON(c.State, requestFile(c.run), request); err != nil {
			return r, err
		}
	} else if err := c.settleHere(ctx); err != nil {
		c.Notify("it is cancelled; what lies here is left for resume --takeover: %v", err)
	}
	if c.remote.err != nil && !c.leaseAlone() {
		return r, failf("NOT_PUSHED", ExitNotPushed, "cancelled here, not on %q: %w; other clones do not know of it", c.remote.name, c.remote.err).
			hint("git agent cancel %s", c.run)
	}
	return r, nil
}
