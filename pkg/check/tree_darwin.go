package check

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// tree is the command and its process group; without a subreaper, what left
// the group is out of reach. A group's id is not given away while the group
// has a member (POSIX, fork), so the group may be signalled after its leader
// was waited for.
type tree struct {
	main     int
	ownGroup bool
	ended    bool
	status   uint32
}

// groupOnly: no /proc shows marks, of what a killed supervisor left only the
// group is known.
const groupOnly = true

func becomeSubreaper() error { return nil }

func commandAttr(ownSession bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: ownSession}
}

func (t *tree) reap() {
	var ws unix.WaitStatus
	if pid, err := unix.Wait4(t.main, &ws, unix.WNOHANG, nil); err == nil && pid == t.main {
		t.ended, t.status = true, uint32(ws)
	}
}

func (t *tree) empty() bool {
	if !t.ended {
		t.reap()
	}
	return t.ended && (!t.ownGroup || errors.Is(unix.Kill(-t.main, 0), unix.ESRCH))
}

func (t *tree) signal(sig syscall.Signal) {
	switch {
	case t.ownGroup:
		_ = unix.Kill(-t.main, sig)
	case !t.ended:
		_ = unix.Kill(t.main, sig)
	}
}

func (t *tree) pids() []int { return []int{t.main} }
