package run

import (
	"context"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// lockable are the refs that a command on the run moves, the remote-tracking
// ones among them that git moves by itself after a push.
func (e *Engine) lockable(run string) []string {
	names := []string{e.BranchRef(run), PlanRef(run), lease.Ref(run), "refs/agent-stash/" + run, trackPrefix}
	for _, remote := range e.Git.Remotes() {
		names = append(names, "refs/remotes/"+remote+"/"+ShortBranch(e.BranchRef(run)))
	}
	return names
}

// tracking are the refs that git moves by itself after a push or fetch, that of
// the target too. A lock of somebody else's there is in nobody's way here.
func (e *Engine) tracking() []string {
	var names []string
	for _, remote := range e.Git.Remotes() {
		names = append(names, "refs/remotes/"+remote)
	}
	return names
}

// mendLocks removes the git locks that a killed holder's own children left:
// made since it began, held open by nobody, with no git at work in this tree.
// Any other lock stops the command with its path and age.
func (e *Engine) mendLocks(ctx context.Context, run string, since *time.Time) error {
	locks, err := e.Git.StaleLocks(ctx, e.lockable(run))
	if err != nil || len(locks) == 0 {
		return err
	}
	for _, l := range locks {
		if !ours(l, since) {
			return e.foreignLock(l)
		}
		if err := e.removeLock(l); err != nil {
			return err
		}
	}
	return nil
}

// mendTracking removes those that a killed holder left on the refs that git
// moves by itself, and leaves any other one there alone.
func (e *Engine) mendTracking(ctx context.Context, since *time.Time) error {
	if since == nil {
		return nil
	}
	locks, err := e.Git.StaleLocks(ctx, e.tracking())
	if err != nil {
		return err
	}
	for _, l := range locks {
		if ours(l, since) {
			if err := e.removeLock(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// ours: made since the dead holder began, and nobody's who lives.
func ours(l object.Lock, since *time.Time) bool {
	return since != nil && !l.Held && !l.Made.Before(since.Add(-coarse))
}

func (e *Engine) removeLock(l object.Lock) error {
	if err := e.Git.RemoveLock(l); err != nil {
		return err
	}
	e.Notify("removed %s, left by our own killed git", l.Path)
	return nil
}

func (e *Engine) foreignLock(l object.Lock) error {
	return failf("GIT_LOCKED", ExitPerson, "git's lock %s is there, made %s ago; it may belong to a live git, so nothing was done",
		l.Path, e.Now().Sub(l.Made).Round(time.Second)).
		hint("%s", removeLock(l.Path))
}
