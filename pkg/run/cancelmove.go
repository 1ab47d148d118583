package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

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
	var why stood
	for try := range pushTries {
		var v lease.Verdict
		var err error
		v, why, err = c.mover().move(ctx, now.ID, next)
		switch {
		case err != nil && ctx.Err() != nil:
			return false, ctx.Err()
		case err != nil:
			c.remote.err = err
			return c.movedHere(ctx, next)
		case v != lease.Again:
			return v == lease.Won, nil
		case try == pushTries-1 && why.refusal != "" && !lockedThere(why.refusal) && now.ID == "":
			c.local.BranchOnly = true // for this command: the server takes no such ref
			return c.movedHere(ctx, next)
		}
		if err := backOff(ctx, try); err != nil {
			return false, err
		}
	}
	if why.refusal == "" {
		c.remote.err = why.cause
		return c.movedHere(ctx, next)
	}
	return false, failf("PUSH_REFUSED", ExitPerson, "%q refuses the cancel; nothing was cancelled: %s", c.remote.name, why.refusal).
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
