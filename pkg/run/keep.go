package run

import (
	"context"
	"errors"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
)

// errFenced is why a job's context ends when somebody else took the run over.
var errFenced = errors.New("somebody else took the run over")

// keep shows signs of life while this command holds the lease: the counter
// grows every half time to live. When the lease turns out to be somebody
// else's, or cancelled, the context that it answers ends. stop waits until
// no sign of life is under way.
func (s *session) keep(ctx context.Context) (kept context.Context, stop func()) {
	kept, cancel := context.WithCancelCause(ctx)
	if s.hold.mine.ID == "" {
		return kept, func() { cancel(nil) }
	}
	k := &keeper{leaseMover: s.mover(), write: s.writeLease, old: s.remote.lease, mine: s.hold.mine, every: s.signEvery()}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		if k.run(kept, quit) {
			cancel(errFenced)
		}
	}()
	return kept, func() {
		close(quit)
		<-done
		cancel(nil)
		s.remote.lease, s.hold.mine, s.hold.now = k.old, k.mine, k.mine
	}
}

// keeper shows signs of life. It shares nothing with the session while it runs.
type keeper struct {
	*leaseMover
	write func(context.Context, lease.Lease) (lease.Lease, error)
	old   string
	mine  lease.Lease
	every time.Duration
}

// run beats until it is told to stop; fenced is true where the lease turned out
// to be somebody else's.
func (k *keeper) run(ctx context.Context, quit <-chan struct{}) (fenced bool) {
	every := time.NewTicker(k.every)
	defer every.Stop()
	for {
		select {
		case <-quit:
			return false
		case <-ctx.Done():
			return false
		case <-every.C:
			if !k.beat(ctx) {
				return true
			}
		}
	}
}

// beat pushes one sign of life. A remote that does not answer is no reason to
// stop: the compare-and-swap at the end decides.
func (k *keeper) beat(ctx context.Context) bool {
	next, err := k.write(ctx, lease.Beat(k.mine))
	if err != nil {
		return true
	}
	v, _, err := k.move(ctx, k.old, next)
	if err != nil || v == lease.Again {
		return true
	}
	if v == lease.Won {
		k.old, k.mine = next.ID, next
		return true
	}
	now, ours, err := k.own(ctx, k.seen, k.mine)
	if err == nil && ours {
		k.old, k.mine = now.ID, now // an earlier beat, whose answer was lost
	}
	return err != nil || ours
}
