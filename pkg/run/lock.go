package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/object"
)

// BusyError says that a live process holds a lock. What a Folder's Lock answers wraps it.
type BusyError struct {
	Path   string
	Holder []byte
	Since  time.Time
}

func (e *BusyError) Error() string { return "lock " + e.Path + " is held" }

// holder is written into a lock, for whoever is refused and whoever finds the
// lock of a dead one.
type holder struct {
	Owner   check.Owner `json:"owner"`
	Verb    string      `json:"verb"`
	Started time.Time   `json:"started"`
}

// lock takes the run's lock and the working tree's, in that order, and mends
// what a killed holder left behind. The result undoes it.
func (e *Engine) lock(ctx context.Context, run, verb string) (unlock func(), err error) {
	owner, err := check.Self()
	if err != nil {
		return nil, fmt.Errorf("identify this process: %w", err)
	}
	h := holder{Owner: owner, Verb: verb, Started: e.Now()}
	first, err := e.take(e.State, run+"/lock", h)
	if err != nil {
		return nil, err
	}
	second, err := e.take(e.Tree, "worktree.lock", h)
	if err != nil {
		_ = first.Unlock()
		return nil, err
	}
	unlock = func() { _ = second.Unlock(); _ = first.Unlock() }
	if err := e.mendLocks(ctx, run, first.Abandoned(), second.Abandoned()); err != nil {
		unlock()
		return nil, err
	}
	for _, left := range []string{"/tmp", "/scratch"} { // of a killed command: it is all redone
		if err := e.State.RemoveAll(run + left); err != nil {
			unlock()
			return nil, err
		}
	}
	return unlock, nil
}

func (e *Engine) take(f Folder, name string, h holder) (Lock, error) {
	l, err := f.Lock(name, h)
	var busy *BusyError
	if !errors.As(err, &busy) {
		return l, err
	}
	var by holder
	_ = json.Unmarshal(busy.Holder, &by)
	return nil, failf("RUN_BUSY", ExitBusy, "another process is at work here: pid %d, git agent %s, for %s",
		by.Owner.PID, by.Verb, e.Now().Sub(busy.Since).Round(time.Second)).
		hint("git agent status")
}

// mendLocks removes the git locks that a killed holder's own children left:
// made in its life, held open by nobody, with no git at work in this tree.
// Any other lock stops the command with its path and age.
func (e *Engine) mendLocks(ctx context.Context, run string, abandoned ...[]byte) error {
	names := []string{e.BranchRef(run), PlanRef(run), "refs/agent-stash/" + run, trackPrefix}
	locks, err := e.Git.StaleLocks(ctx, names)
	if err != nil || len(locks) == 0 {
		return err
	}
	since, ours := earliestDead(abandoned)
	for _, l := range locks {
		if !ours || l.Held || l.Made.Before(since.Add(-time.Second)) {
			return e.foreignLock(l)
		}
		if err := e.Git.RemoveLock(l); err != nil {
			return err
		}
		e.Notify("removed %s, left by our own killed git", l.Path)
	}
	return nil
}

func (e *Engine) foreignLock(l object.Lock) error {
	return failf("GIT_LOCKED", ExitPerson, "git's lock %s is there, made %s ago; it may belong to a live git",
		l.Path, e.Now().Sub(l.Made).Round(time.Second)).
		hint("rm -f %s   # once no git runs here", quoteArg(l.Path))
}

// earliestDead is when the earliest provably dead holder began.
func earliestDead(abandoned [][]byte) (since time.Time, found bool) {
	for _, raw := range abandoned {
		var h holder
		if len(raw) == 0 || json.Unmarshal(raw, &h) != nil {
			continue
		}
		if dead, provable := h.Owner.Dead(); !dead || !provable {
			continue
		}
		if !found || h.Started.Before(since) {
			since, found = h.Started, true
		}
	}
	return since, found
}
