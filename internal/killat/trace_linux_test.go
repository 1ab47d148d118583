package killat

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tracer follows every process and thread of one command.
type tracer struct {
	request
	chosen map[uint64]string
	root   int
	live   map[int]bool // threads
	dying  bool         // every thread is to be killed
	under  map[int]made // calls being made that may be points, by thread
	report Report
}

// trace runs the command to the end of its last process.
func trace(req request) (Report, error) {
	runtime.LockOSThread() // ptrace(2) answers only the thread that traces
	t := &tracer{request: req, chosen: calls(req.only), live: map[int]bool{}, under: map[int]made{}}
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
		t.ended(tid, status)
		return
	}
	t.live[tid] = true
	if t.dying {
		t.killAll() // also what was being born
	}
	signal := 0
	switch stop := status.StopSignal(); {
	case stop == unix.SIGTRAP|0x80:
		t.returns(tid)
	case stop == unix.SIGTRAP:
		switch int(status) >> 16 {
		case unix.PTRACE_EVENT_SECCOMP:
			t.enters(tid)
		case unix.PTRACE_EVENT_EXEC:
			t.becomes(tid)
		}
	case stop == unix.SIGSTOP: // how a new thread begins
	default:
		signal = int(stop)
	}
	if _, under := t.under[tid]; under {
		_ = unix.PtraceSyscall(tid, signal)
	} else {
		_ = unix.PtraceCont(tid, signal) // a thread that was killed meanwhile is told by wait
	}
}

func (t *tracer) ended(tid int, status unix.WaitStatus) {
	delete(t.live, tid)
	delete(t.under, tid)
	if tid != t.root {
		return
	}
	t.report.Exit = status.ExitStatus()
	if status.Signaled() {
		t.report.Exit = 128 + int(status.Signal())
	}
}

// point counts one more, and says whether it is the one to act at.
func (t *tracer) point(tid int, name string) bool {
	t.report.Points++
	if t.report.Points != t.number {
		return false
	}
	t.report.At = command(tid) + " " + name
	return true
}

// kill kills whom the action names, now that a call was made.
func (t *tracer) kill(tid int) {
	switch t.action {
	case Tree:
		t.killAll()
	case Root:
		_ = unix.Kill(t.root, unix.SIGKILL)
	case Self:
		_ = unix.Kill(tid, unix.SIGKILL)
	}
}

func (t *tracer) killAll() {
	t.dying = true
	for tid := range t.live {
		_ = unix.Kill(tid, unix.SIGKILL)
	}
}

func command(tid int) string {
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", tid))
	return strings.TrimSpace(string(name))
}
