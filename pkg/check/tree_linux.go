package check

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// tree is the command and everything below it. All of it is below the
// supervisor too, a subreaper: while anything lives, the supervisor has a
// child, and when wait4(2) says ECHILD nothing is left. One goroutine uses it.
type tree struct {
	main     int
	ownGroup bool // main leads its own group and session
	ended    bool // main was waited for; its number may belong to a stranger
	status   uint32
	none     bool // wait4 said that no child is left
}

// groupOnly: what a killed supervisor left is found by its mark.
const groupOnly = false

// becomeSubreaper makes orphans among our descendants our children:
// PR_SET_CHILD_SUBREAPER, prctl(2).
func becomeSubreaper() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become a subreaper: %w", err)
	}
	return nil
}

// commandAttr lets the command itself, if not what it started, die with a
// supervisor that is killed together with its runner.
func commandAttr(ownSession bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: ownSession, Pdeathsig: unix.SIGKILL}
}

// reap collects every child that has ended.
func (t *tree) reap() {
	for {
		var ws unix.WaitStatus
		pid, err := unix.Wait4(-1, &ws, unix.WNOHANG, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil || pid == 0:
			t.none = errors.Is(err, unix.ECHILD)
			return
		case pid == t.main:
			t.ended, t.status = true, uint32(ws)
		}
	}
}

func (t *tree) empty() bool {
	t.reap()
	return t.none
}

// signal reaches the group at once, which a process that forks cannot outrun,
// then whatever left the group.
func (t *tree) signal(sig syscall.Signal) {
	group := t.ownGroup && !t.ended
	if group {
		_ = unix.Kill(-t.main, sig) // until it is waited for, the number is main's
	}
	for pid, was := range descendants(os.Getpid()) {
		if group && was.pgrp == t.main {
			continue // a second delivery cuts a trap's clean-up short
		}
		signalIf(pid, sig, func() bool {
			now, err := readStat(pid)
			return err == nil && now.start == was.start
		})
	}
}

func (t *tree) pids() []int {
	all := slices.Sorted(maps.Keys(descendants(os.Getpid())))
	if len(all) == 0 {
		return []int{t.main} // children are left, /proc does not show them
	}
	return all
}
