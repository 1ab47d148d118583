package run

import (
	"context"
	"errors"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
)

// errCancelled is why a command's context ends when a person cancelled it.
var errCancelled = errors.New("cancelled")

// cancelRequest asks one process of this clone to stop. It is addressed: a
// request that was left lying stops nobody who came later. It carries no
// authority of its own, the lease does; it only saves waiting for the next look.
type cancelRequest struct {
	For check.Owner `json:"for"`
	By  string      `json:"by"`
	At  time.Time   `json:"at"`
}

// heedEvery is the time between two looks for a request.
const heedEvery = 100 * time.Millisecond

func requestFile(run string) string { return run + "/cancel.json" }

// heed ends the context, with errCancelled, once somebody in this clone asks
// this process to stop. The request is a file and not a signal: a signal says
// nothing about whose it is, and reaches whoever has the process id by then.
func (e *Engine) heed(ctx context.Context, run string) (heeding context.Context, stop func()) {
	heeding, cancel := context.WithCancelCause(ctx)
	self, err := check.Self()
	if err != nil {
		return heeding, func() { cancel(nil) } // then the lease alone tells
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		every := time.NewTicker(heedEvery)
		defer every.Stop()
		for {
			select {
			case <-heeding.Done():
				return
			case <-every.C:
			}
			if e.asked(run, self) {
				cancel(errCancelled)
				return
			}
		}
	}()
	return heeding, func() {
		cancel(nil)
		<-done
		if e.asked(run, self) {
			_ = e.State.Remove(requestFile(run)) // answered, or too late: it is nobody else's
		}
	}
}

func (e *Engine) asked(run string, who check.Owner) bool {
	var r cancelRequest
	return readJSON(e.State, requestFile(run), &r) == nil && r.For == who
}

// wasCancelled reports whether a command's context ended by a cancel.
func wasCancelled(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errCancelled) }

// cutShort reports whether an error is what a command's own end made of it.
func cutShort(err error) bool {
	return errors.Is(err, context.Canceled) || CodeOf(err) == "INTERRUPTED"
}
