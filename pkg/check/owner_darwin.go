package check

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Self identifies the calling process. This system has no pid namespaces; the
// start time is in microseconds since 1970.
func Self() (Owner, error) {
	boot, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return Owner{}, fmt.Errorf("read the boot id: %w", err)
	}
	pid := os.Getpid()
	start, state := lookAt(pid)
	if state != lifeRunning {
		return Owner{}, fmt.Errorf("read the start time of process %d", pid)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "" // then a reboot proves nothing
	}
	return Owner{Machine: host, Boot: boot, PID: pid, Start: start}, nil
}

// signal compares just before: there is no way to pin a process here.
func (o Owner) signal(sig unix.Signal) {
	if start, state := lookAt(o.PID); state == lifeRunning && start == o.Start {
		_ = unix.Kill(o.PID, sig)
	}
}

// stateZombie is SZOMB of sys/proc.h.
const stateZombie = 5

func lookAt(pid int) (uint64, life) {
	if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
		return 0, lifeGone
	}
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return 0, lifeUnknown
	}
	if info.Proc.P_stat == stateZombie {
		return 0, lifeGone
	}
	began := info.Proc.P_starttime
	return uint64(began.Sec)*1e6 + uint64(began.Usec), lifeRunning
}
