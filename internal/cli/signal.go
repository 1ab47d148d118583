package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible gives a context that the first SIGINT or SIGTERM ends: the
// command stops, saves what it has and answers 75. A second one ends the
// process at once, with 130 or 143, as the shell expects.
func interruptible(exit func(int)) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			cancel()
		case <-done:
			return
		}
		select {
		case s := <-signals:
			code := 143
			if s == os.Interrupt {
				code = 130
			}
			exit(code)
		case <-done:
		}
	}()
	return ctx, func() { signal.Stop(signals); close(done); cancel() }
}
