package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// echo is how long a second signal counts as the first one: git, which starts
// `git agent`, passes on to us the Ctrl-C that the terminal sent us already.
const echo = 300 * time.Millisecond

// interrupts says who a Ctrl-C is meant for.
type interrupts struct{ theirs atomic.Bool }

// hold leaves SIGINT to a job that has the terminal: it reaches the whole
// foreground group, us too. SIGTERM is still ours.
func (i *interrupts) hold() (release func()) {
	i.theirs.Store(true)
	return func() { i.theirs.Store(false) }
}

// context gives a context that the first SIGINT or SIGTERM ends: the
// command stops, saves what it has and answers 75. A second one ends the
// process at once, with 130 or 143, as the shell expects.
func (i *interrupts) context(exit func(int)) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	// Caught, not ignored, which children would inherit: a reader of ours that
	// is gone is an error of a write, and stops no job and no certificate.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for first := (time.Time{}); ; {
			select {
			case s := <-signals:
				switch {
				case s == os.Interrupt && i.theirs.Load():
				case first.IsZero():
					first = time.Now()
					cancel()
				case time.Since(first) > echo:
					exit(status(s))
				}
			case <-done:
				return
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); close(done); cancel() }
}

// status is how a shell names the end by a signal.
func status(s os.Signal) int {
	if s == os.Interrupt {
		return 130
	}
	return 143
}
