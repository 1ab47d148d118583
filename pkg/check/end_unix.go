//go:build linux || darwin

package check

import (
	"context"
	"os"
	"syscall"
	"time"
)

const (
	// endLimit bounds the time that processes get to go after SIGKILL. Only
	// one that hangs in the kernel, or belongs to another user, needs it.
	endLimit = 10 * time.Second
	// killPause lies between two passes of SIGKILL.
	killPause = 20 * time.Millisecond
	// The waits between two looks grow between these.
	firstLook, slowestLook = 2 * time.Millisecond, 200 * time.Millisecond
)

// herd is a set of processes that can grow while it is looked at.
type herd interface {
	signal(sig syscall.Signal)
	empty() bool
	pids() []int
}

// end ends a herd: SIGTERM, SIGCONT (a stopped process acts on nothing else),
// grace, then SIGKILL in passes until one finds it empty. wake cuts waits
// short and may be nil. It returns the pids that are still there when ctx is
// done or endLimit has passed, nil when none is.
func end(ctx context.Context, h herd, wake <-chan os.Signal, grace time.Duration) []int {
	if h.empty() {
		return nil
	}
	h.signal(syscall.SIGTERM)
	h.signal(syscall.SIGCONT)
	gone := await(ctx, h, wake, grace)
	limit := time.NewTimer(endLimit)
	defer limit.Stop()
	for !gone {
		h.signal(syscall.SIGKILL)
		if gone = await(ctx, h, wake, killPause); gone {
			break
		}
		select {
		case <-limit.C:
			return h.pids()
		case <-ctx.Done():
			return h.pids()
		default:
		}
	}
	return nil
}

// await reports whether the herd became empty within d.
func await(ctx context.Context, h herd, wake <-chan os.Signal, d time.Duration) bool {
	over := time.NewTimer(d)
	defer over.Stop()
	for pause := firstLook; !h.empty(); pause = min(2*pause, slowestLook) {
		look := time.NewTimer(pause)
		select {
		case <-wake:
		case <-look.C:
		case <-over.C:
			return h.empty()
		case <-ctx.Done():
			return h.empty()
		}
		look.Stop()
	}
	return true
}
