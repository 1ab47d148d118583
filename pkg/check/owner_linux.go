package check

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Self identifies the calling process: boot id, pid namespace, and field 22 of
// /proc/<pid>/stat (proc(5)) in clock ticks since the boot.
func Self() (Owner, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return Owner{}, fmt.Errorf("read the boot id: %w", err)
	}
	ns, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return Owner{}, fmt.Errorf("read the pid namespace: %w", err)
	}
	pid := os.Getpid()
	st, err := readStat(pid)
	if err != nil {
		return Owner{}, fmt.Errorf("read the start time of process %d: %w", pid, err)
	}
	return Owner{Machine: machine(), Boot: strings.TrimSpace(string(boot)), PIDNS: ns, PID: pid, Start: st.start}, nil
}

// machine joins the machine id and the host name: machines cloned from one
// image share the id, containers of one host often lack it. "" when either is
// missing.
func machine() string {
	id, err := os.ReadFile("/etc/machine-id")
	host, herr := os.Hostname()
	if name := strings.TrimSpace(string(id)); err == nil && herr == nil && name != "" && host != "" {
		return name + "/" + host
	}
	return ""
}

// signal pins the process before it compares: between a look and a kill the
// number may have passed to a stranger.
func (o Owner) signal(sig unix.Signal) {
	signalIf(o.PID, sig, func() bool {
		start, state := lookAt(o.PID)
		return state == lifeRunning && start == o.Start
	})
}

// lookAt asks kill(2) when /proc shows nothing: it may be mounted with hidepid.
func lookAt(pid int) (uint64, life) {
	st, err := readStat(pid)
	switch {
	case err == nil && (st.state == 'Z' || st.state == 'X'):
		return 0, lifeGone
	case err == nil:
		return st.start, lifeRunning
	case errors.Is(unix.Kill(pid, 0), unix.ESRCH):
		return 0, lifeGone
	default:
		return 0, lifeUnknown
	}
}
