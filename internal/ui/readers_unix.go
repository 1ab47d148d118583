//go:build linux || darwin

package ui

import (
	"context"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// readersEvery is how often it is looked whether anybody still reads.
const readersEvery = 200 * time.Millisecond

// WhileRead is a context that ends, with EPIPE as its cause, once nobody reads
// what goes to a pipe any more: who waits for something to print does not find
// that out by writing.
func WhileRead(ctx context.Context, out *os.File) (reading context.Context, stop func()) {
	reading, cancel := context.WithCancelCause(ctx)
	fds := []unix.PollFd{{Fd: int32(out.Fd())}} // no event is waited for: the end of the other side always counts
	go func() {
		for reading.Err() == nil {
			if n, err := unix.Poll(fds, int(readersEvery.Milliseconds())); n > 0 && err == nil {
				cancel(syscall.EPIPE)
			}
		}
	}()
	return reading, func() { cancel(nil) }
}
