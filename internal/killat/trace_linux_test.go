package killat

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// tracer follows every process and thread of one command.
type tracer struct {
	request
	chosen map[uint64]string
	root   int
	live   map[int]bool // threads
	dying  bool         // every thread is to be killed
	short  int          // the thread whose cut write is under way
	report Report
}

// trace runs the command to the end of its last process.
func trace(req request) (Report, error) {
	runtime.LockOSThread() // ptrace(2) answers only the thread that traces
	t := &tracer{request: req, chosen: calls(req.only), live: map[int]bool{}}
	if err := t.start(); err != nil {
		return t.report, fmt.Errorf("start %q: %w", req.argv[0], err)
	}
	late := time.AfterFunc(req.limit, func() {
		fmt.Fprintln(os.Stderr, "killat: it took longer than", req.limit)
		os.Exit(124) // which ends all that is traced
	})
	defer late.Stop()
	for len(t.live) > 0 {
		var status unix.WaitStatus
		tid, err := unix.Wait4(-1, &status, unix.WALL, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.ECHILD):
			return t.report, nil
		case err != nil:
			return t.report, err
		default:
			t.event(tid, status)
		}
	}
	return t.report, nil
}

// start runs killat once more, traced, to become the command.
func (t *tracer) start() error {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), stageVar+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	t.root = cmd.Process.Pid
	t.live[t.root] = true
	var status unix.WaitStatus
	if _, err := unix.Wait4(t.root, &status, 0, nil); err != nil {
		return err
	}
	options := unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK |
		unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(t.root, options); err != nil {
		return err
	}
	return unix.PtraceCont(t.root, 0)
}

// event is one stop or end of one thread.
func (t *tracer) event(tid int, status unix.WaitStatus) {
	if status.Exited() || status.Signaled() {
		delete(t.live, tid)
		if tid == t.root {
			t.report.Exit = status.ExitStatus()
			if status.Signaled() {
				t.report.Exit = 128 + int(status.Signal())
			}
		}
		return
	}
	t.live[tid] = true
	if t.dying {
		t.killAll() // also what was being born
	}
	signal := 0
	switch stop := status.StopSignal(); {
	case stop == unix.SIGTRAP|0x80: // the end of the cut write
		t.short = 0
		t.killAll()
	case stop == unix.SIGTRAP:
		if int(status)>>16 == unix.PTRACE_EVENT_SECCOMP {
			t.call(tid)
		}
	case stop == unix.SIGSTOP: // how a new thread begins
	default:
		signal = int(stop)
	}
	if t.short == tid {
		_ = unix.PtraceSyscall(tid, signal)
	} else {
		_ = unix.PtraceCont(tid, signal) // a thread that was killed meanwhile is told by wait
	}
}

// call counts one call and acts where it is the point.
func (t *tracer) call(tid int) {
	nr, args, err := callInfo(tid)
	name := t.chosen[nr]
	if err != nil || name == "" || !changes(name, args) || t.onlyFiles() && !toFile(tid, name, args[0]) || t.unheard(tid, name, args[0]) {
		return
	}
	t.report.Points++
	if t.report.Points != t.point {
		return
	}
	t.report.At = command(tid) + " " + name
	switch t.action {
	case Tree:
		t.killAll()
	case Root:
		_ = unix.Kill(t.root, unix.SIGKILL)
	case Self:
		_ = unix.Kill(tid, unix.SIGKILL)
	case Fail:
		_ = answer(tid, t.errno)
	case Short:
		_ = halve(tid)
		t.short = tid
	}
}

// unheard reports whether it makes no difference if git-agent is dead before
// this call or before the next one: git, unlike the supervisor of a job or a
// check, does not look whether who started it lives, and does to its files the
// same, until it writes into a pipe or ends.
func (t *tracer) unheard(tid int, name string, fd uint64) bool {
	if t.action != Root || !slices.Contains(strings.Split(durable, ","), name) || !toFile(tid, name, fd) {
		return false
	}
	who := command(tid)
	return strings.HasPrefix(who, "git") && who != "git-agent"
}

// onlyFiles: what a full or broken disk does to writes happens to files, never
// to the pipes and counters between processes and threads.
func (t *tracer) onlyFiles() bool { return t.files || t.action == Fail || t.action == Short }

func toFile(tid int, name string, fd uint64) bool {
	if name != "write" && name != "pwrite64" && name != "writev" {
		return true
	}
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, fd))
	device := strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/dev/shm/")
	return err == nil && strings.HasPrefix(path, "/") && !device
}

func (t *tracer) killAll() {
	t.dying = true
	for tid := range t.live {
		_ = unix.Kill(tid, unix.SIGKILL)
	}
}

// callInfo reads the number and the arguments of the call that a thread is
// about to make: PTRACE_GET_SYSCALL_INFO of ptrace(2), since Linux 5.3.
func callInfo(tid int) (nr uint64, args [6]uint64, err error) {
	const getSyscallInfo = 0x420e
	var info struct {
		op   uint8
		_    [3]uint8
		arch uint32
		_    [2]uint64 // instruction and stack pointer
		nr   uint64
		args [6]uint64
		_    uint64
	}
	if _, _, e := unix.Syscall6(unix.SYS_PTRACE, getSyscallInfo, uintptr(tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0); e != 0 {
		return 0, args, e
	}
	return info.nr, info.args, nil
}

func command(tid int) string {
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", tid))
	return strings.TrimSpace(string(name))
}
