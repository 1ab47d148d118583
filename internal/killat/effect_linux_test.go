package killat

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// made is a call that a thread is making.
type made struct {
	name string
	args [6]uint64
	cut  bool // it is the point: half of a write
}

// enters: a call that fails or is cut is a point as it is, any other one where
// it comes back and has changed something. To kill after each change leaves all
// that a kill before each call can leave: between two changes it is the same.
func (t *tracer) enters(tid int) {
	info, err := callInfo(tid)
	c := made{name: t.chosen[info.nr], args: info.args}
	if err != nil || c.name == "" || !changes(c.name, c.args) || t.onlyFiles() && !c.toFile(tid) {
		return
	}
	switch t.action {
	case Fail:
		if t.point(tid, c.name) {
			_ = answer(tid, t.errno)
		}
	case Short:
		if c.cut = t.point(tid, c.name); c.cut {
			_ = halve(tid)
			t.under[tid] = c
		}
	default:
		if t.heard(tid, c) {
			t.under[tid] = c
		}
	}
}

// returns: the call was made.
func (t *tracer) returns(tid int) {
	c, under := t.under[tid]
	if !under {
		return
	}
	delete(t.under, tid)
	info, err := callInfo(tid)
	switch {
	case c.cut:
		t.killAll()
	case err == nil && info.returned() >= 0 && c.changed(tid, info.returned()) && t.point(tid, c.name):
		t.kill(tid)
	}
}

// becomes: a process that is killed at its beginning has done nothing, and yet
// was there for who called it.
func (t *tracer) becomes(tid int) {
	if t.action == Self && tid != t.root && (len(t.only) == 0 || slices.Contains(t.only, "execve")) && t.point(tid, "execve") {
		t.kill(tid)
	}
}

// heard reports whether it makes a difference if git-agent, or the caller, dies
// here. The caller that is git-agent is git-agent. And git, unlike the
// supervisor of a job or a check, does not look whether who started it lives:
// it does the same to its files until it writes into a pipe.
func (t *tracer) heard(tid int, c made) bool {
	switch t.action {
	case Self:
		return !t.ofRoot(tid)
	case Root:
		who := command(tid)
		return t.ofRoot(tid) || who == "git-agent" || !strings.HasPrefix(who, "git") || c.writes() && !c.toFile(tid)
	default:
		return true
	}
}

// ofRoot reports whether the thread is one of the first process.
func (t *tracer) ofRoot(tid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", t.root, tid))
	return err == nil
}

// onlyFiles: what a full or broken disk does to writes happens to files, never
// to the pipes and counters between processes and threads.
func (t *tracer) onlyFiles() bool { return t.files || t.action == Fail || t.action == Short }

func (c made) writes() bool { return c.name == "write" || c.name == "pwrite64" || c.name == "writev" }

// toFile reports that the call is no write to a pipe or device.
func (c made) toFile(tid int) bool { return !c.writes() || isFile(target(tid, c.args[0])) }

func (c made) opens() bool { return c.name == "open" || c.name == "openat" || c.name == "creat" }

// changed reports whether a call that answered this made a difference to
// anybody else: not a device that was opened, nor what a process writes into
// its own counters.
func (c made) changed(tid int, answer int64) bool {
	switch {
	case c.opens():
		return isFile(target(tid, uint64(answer)))
	case c.writes():
		to := target(tid, c.args[0])
		return isFile(to) || strings.HasPrefix(to, "pipe:") || strings.HasPrefix(to, "socket:")
	default:
		return true
	}
}

// target is what a descriptor leads to, as proc(5) shows it.
func target(tid int, fd uint64) string {
	to, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, fd))
	return to
}

func isFile(path string) bool {
	return strings.HasPrefix(path, "/") && (!strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/dev/shm/"))
}

// syscallInfo is struct ptrace_syscall_info of ptrace(2): what is entered, or
// at its end the answer in place of the number.
type syscallInfo struct {
	op   uint8
	_    [3]uint8
	arch uint32
	_    [2]uint64 // instruction and stack pointer
	nr   uint64
	args [6]uint64
	_    uint64
}

func (i syscallInfo) returned() int64 { return int64(i.nr) } //nolint:gosec // it is signed there

// callInfo asks for it: PTRACE_GET_SYSCALL_INFO, since Linux 5.3.
func callInfo(tid int) (info syscallInfo, err error) {
	const getSyscallInfo = 0x420e
	if _, _, e := unix.Syscall6(unix.SYS_PTRACE, getSyscallInfo, uintptr(tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0); e != 0 {
		return info, e
	}
	return info, nil
}
