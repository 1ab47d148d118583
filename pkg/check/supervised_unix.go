//go:build linux || darwin

package check

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// supervised is the runner's side of one supervisor.
type supervised struct {
	cmd      *exec.Cmd
	nonce    string
	mark     string   // environment entry of this run's processes
	lifeline *os.File // its end tells the supervisor that we died
	status   *os.File
	// The read ends of the command's output; nil where the terminal has it.
	stdout, stderr *os.File
}

// start starts a supervisor and tells it the nonce; term is nil or the
// terminal that the command shares.
func (r Runner) start(c Command, term *os.File) (s *supervised, err error) {
	s = &supervised{nonce: rand.Text(), mark: markVariable + "=" + rand.Text()}
	var w wiring
	defer func() { w.done(err) }()
	in, lifeline := w.pipe()
	status, report := w.pipe()
	s.lifeline, s.status = lifeline, status
	stdin, out, errs := term, term, term
	var input *os.File
	if term == nil {
		stdin, input = w.input(c)
		s.stdout, out = w.pipe()
		s.stderr, errs = w.pipe()
	}
	if w.err != nil {
		return nil, w.err
	}
	w.theirs(in, report, out, errs, stdin)

	o := options{onOrphan: orphanKill, timeout: c.Timeout, grace: r.Grace, tty: c.TTY, argv: c.argv()}
	s.cmd = exec.Command(r.Supervisor[0], slices.Concat(r.Supervisor[1:], o.args())...)
	s.cmd.Dir, s.cmd.Env = c.Dir, append(slices.Clone(c.Env), s.mark)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = in, out, errs
	s.cmd.ExtraFiles = []*os.File{report, stdin} // fdStatus, fdStdin
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: !c.TTY}
	if err := s.cmd.Start(); err != nil {
		return nil, unentered(c.Dir, err)
	}
	if input != nil {
		go func() {
			_, _ = input.Write(c.Input) // a command need not read what it is given
			_ = input.Close()
		}()
	}
	// A supervisor that died already shows when its report is read.
	_, _ = fmt.Fprintln(s.lifeline, s.nonce)
	return s, nil
}

// unentered is why a process could not be started: Go names the program, also
// where it was the folder.
func unentered(dir string, cause error) error {
	if err := unix.Access(dir+"/.", unix.X_OK); dir != "" && err != nil {
		return fmt.Errorf("enter %q: %w", dir, err)
	}
	return cause
}

// cancel asks the supervisor to end the command. It may be stopped.
func (s *supervised) cancel() {
	_, _ = fmt.Fprintln(s.lifeline, wordCancel)
	_ = s.cmd.Process.Signal(unix.SIGCONT)
}

// follow reads the report to its end: the supervisor's.
func (s *supervised) follow(ctx context.Context, now func() time.Time) (report, error) {
	stop := context.AfterFunc(ctx, s.cancel)
	defer stop()
	var rep report
	lines := bufio.NewScanner(s.status)
	for lines.Scan() {
		if err := rep.read(s.nonce, lines.Text()); err != nil {
			return rep, err
		}
		if rep.ended && rep.endedAt.IsZero() {
			rep.endedAt = now()
		}
	}
	return rep, lines.Err()
}

// close waits for the supervisor: it has nothing left to do but to exit or,
// when its report cannot be believed, ends the command because the lifeline
// ends. The error is why a report without an end has none.
func (s *supervised) close() error {
	_ = s.lifeline.Close()
	_, _ = io.Copy(io.Discard, s.status)
	_ = s.status.Close()
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %w", ErrNoEnd, err)
	}
	return ErrNoEnd
}

// pump reads both streams while the command runs. The function it returns is
// called once the supervisor has ended: it takes what is still in the pipes
// and does not wait for whoever may hold them open.
func (s *supervised) pump(out *capture) (rest func()) {
	if s.stdout == nil {
		return func() {}
	}
	var both sync.WaitGroup
	both.Go(func() { drain(s.stdout, func(p []byte) { out.add(&out.stdout, p) }) })
	both.Go(func() { drain(s.stderr, func(p []byte) { out.add(&out.stderr, p) }) })
	return func() {
		_ = s.stdout.SetReadDeadline(time.Unix(1, 0))
		_ = s.stderr.SetReadDeadline(time.Unix(1, 0))
		both.Wait()
		_ = s.stdout.Close()
		_ = s.stderr.Close()
	}
}

// endRest ends the processes of a supervisor that was killed: by their mark,
// and where there is no /proc to read marks from, by their group.
func (s *supervised) endRest(rep report, grace time.Duration) error {
	if groupOnly && rep.pid > 0 {
		_ = unix.Kill(-rep.pid, unix.SIGKILL)
	}
	return endMarked(context.Background(), s.mark, grace)
}
