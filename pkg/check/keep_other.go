//go:build !linux && !darwin

package check

import (
	"context"
	"os"
)

// Kept is the supervisor of a command that outlives its runner.
type Kept struct {
	Supervisor Owner
	Nonce      string
}

// Files are where the supervisor of a kept command writes.
type Files struct{ Stdout, Stderr, Status *os.File }

// Keep refuses on this system.
func (Runner) Keep(Command, Files) (*Kept, error) { return nil, errUnsupported }

// Begin refuses on this system.
func (*Kept) Begin() error { return errUnsupported }

// Abandon has nothing to end on this system.
func (*Kept) Abandon() error { return nil }

// Ended is never closed on this system.
func (*Kept) Ended() <-chan struct{} { return nil }

// Successor is a process that acts once we are gone.
type Successor struct{}

// Succeed refuses on this system.
func (Runner) Succeed(string, []string, ...string) (*Successor, error) { return nil, errUnsupported }

// Dismiss has nothing to end on this system.
func (*Successor) Dismiss() {}

// Leave has nothing to let go of on this system.
func (*Successor) Leave() {}

// Stop refuses on this system.
func (Owner) Stop() error { return errUnsupported }

func (Runner) judge(context.Context, Command, report, Result) (Result, error) {
	return Result{}, errUnsupported
}

func waited(uint32) Outcome { return Outcome{} }
