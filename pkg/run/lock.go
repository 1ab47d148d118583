package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
)

// BusyError says that a live process holds a lock.
type BusyError = job.BusyError

// holder is written into a lock, for whoever is refused and whoever finds the
// lock of a dead one.
type holder struct {
	Owner   check.Owner `json:"owner"`
	Verb    string      `json:"verb"`
	Started time.Time   `json:"started"`
	// Mends is when the first of the dead holders began of whose leavings
	// nobody has seen to yet; nil where the last holder ended well.
	Mends *time.Time `json:"mends,omitempty"`
	// Mark is in the environment of what may not outlive the command; Dead are
	// the marks of dead holders whose processes nobody has ended yet.
	Mark string   `json:"mark,omitempty"`
	Dead []string `json:"dead,omitempty"`
}

// after is the holder who comes after one that died holding the lock. Only of
// a provably dead one are the leavings to be mended.
func (h holder) after(abandoned []byte) holder {
	var dead holder
	if len(abandoned) == 0 || json.Unmarshal(abandoned, &dead) != nil {
		return h
	}
	if !dead.Owner.Gone() && dead.Owner != h.Owner {
		return h // our own: an earlier command of this process could not mend it
	}
	h.Mends = earliest(h.Mends, earliest(dead.Mends, &dead.Started))
	for _, mark := range append(dead.Dead, dead.Mark) {
		if mark != "" && !slices.Contains(h.Dead, mark) {
			h.Dead = append(slices.Clone(h.Dead), mark)
		}
	}
	return h
}

// letGo lets go of what a command holds. What there is to mend stays for the
// next one to find.
func (h holder) letGo(locks ...Lock) {
	for _, l := range locks {
		if h.Mends == nil {
			_ = l.Unlock()
		} else {
			_ = l.Leave()
		}
	}
}

func earliest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}

// coarse is how far the clock of a file system may lie behind ours: a tick of
// the kernel.
const coarse = 20 * time.Millisecond

// lock takes the run's lock and the working tree's, in that order, and mends
// what a killed holder left behind. The result undoes it.
func (e *Engine) lock(ctx context.Context, run, verb string) (unlock func(), err error) {
	if err := e.Outside(); err != nil {
		return nil, err
	}
	owner, err := check.Self()
	if err != nil {
		return nil, fmt.Errorf("identify this process: %w", err)
	}
	h := holder{Owner: owner, Verb: verb, Started: e.Now()}
	if h.Mark, err = randomID(); err != nil {
		return nil, err
	}
	first, err := e.take(e.State, run+"/lock", &h)
	if err != nil {
		return nil, err
	}
	second, err := e.take(e.Tree, "worktree.lock", &h)
	if err != nil {
		h.letGo(first)
		return nil, err
	}
	unlock = func() { e.unlock(run, h, second, first) }
	e.Fault("locked")
	if err := e.endDead(ctx, h.Dead); err != nil {
		h.letGo(second, first)
		return nil, err
	}
	if err := e.mend(ctx, run, h.Mends); err != nil {
		h.letGo(second, first)
		return nil, err
	}
	e.mark = h.Mark
	return unlock, nil
}

// unlock ends a command. Where a git of its own was killed and left a lock, the
// command is the one it is to be laid to: what it wrote stays for the next.
func (e *Engine) unlock(run string, h holder, locks ...Lock) {
	if h.Mends = nil; e.Git.LeftLocks() && e.locksLeft(run) {
		h.Mends = &h.Started
	}
	e.mark = ""
	h.letGo(locks...)
}

// locksLeft looks once, and waits for nobody; a lock that may be held is one too.
func (e *Engine) locksLeft(run string) bool {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	left, err := e.Git.StaleLocks(now, append(e.lockable(run), e.tracking()...))
	return err != nil || len(left) > 0
}

// take notes in h what the last holder left.
func (e *Engine) take(f Folder, name string, h *holder) (Lock, error) {
	l, err := f.Lock(name, func(abandoned []byte) any { *h = h.after(abandoned); return *h })
	var busy *BusyError
	if !errors.As(err, &busy) {
		return l, err
	}
	var by holder
	_ = json.Unmarshal(busy.Holder, &by)
	return nil, failf("RUN_BUSY", ExitBusy, "another process is at work here: pid %d, git agent %s, for %s; nothing was done",
		by.Owner.PID, by.Verb, e.Now().Sub(busy.Since).Round(time.Second)).
		hint("git agent status")
}

// mend clears away what a killed holder left: its children's git locks, files
// under construction, scratch checkouts.
func (e *Engine) mend(ctx context.Context, run string, since *time.Time) error {
	if err := e.mendLocks(ctx, run, since); err != nil {
		return err
	}
	if err := e.mendTracking(ctx, since); err != nil {
		return err
	}
	for _, left := range []string{"/tmp", "/scratch"} {
		if err := e.State.RemoveAll(run + left); err != nil {
			return err
		}
	}
	return nil
}
