//go:build linux || darwin

package check

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// Kept is the supervisor of a command that outlives its runner, see
// [Runner.Keep].
type Kept struct {
	// Supervisor and Nonce are what another runner needs to follow the
	// command ([ReadProgress]) and to end it ([Owner.Stop]). Both have to be
	// where it finds them before Begin.
	Supervisor Owner
	Nonce      string

	cmd      *exec.Cmd
	lifeline *os.File
	done     chan struct{}
}

// Files are where the supervisor of a kept command writes. Each is open for
// appending; the caller may close its own afterwards.
type Files struct{ Stdout, Stderr, Status *os.File }

// Keep starts the supervisor of a command that goes on when its runner dies:
// a job. It stores both streams and its report in files. The command begins
// with [Kept.Begin], never if the runner dies before.
func (r Runner) Keep(c Command, f Files) (*Kept, error) {
	if err := r.keepable(c); err != nil {
		return nil, err
	}
	k := &Kept{Nonce: rand.Text(), done: make(chan struct{})}
	if err := k.start(r, c, f); err != nil {
		return nil, fmt.Errorf("start the supervisor of %q: %w", c.name(), err)
	}
	owner, err := ownerOf(k.cmd.Process.Pid)
	go func() {
		_ = k.cmd.Wait() // its status file says more
		close(k.done)
	}()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("identify the supervisor of %q: %w", c.name(), err), k.Abandon())
	}
	k.Supervisor = owner
	return k, nil
}

func (r Runner) keepable(c Command) error {
	switch {
	case len(r.Supervisor) == 0:
		return errors.New("run command: the runner has no supervisor")
	case c.TTY:
		return errors.New("run command: what has a terminal cannot be kept")
	case c.Input != nil:
		return errors.New("run command: what is kept reads a file: a pipe ends with the runner")
	}
	return c.validate()
}

func (k *Kept) start(r Runner, c Command, f Files) (err error) {
	var w wiring
	defer func() { w.done(err) }()
	in, lifeline := w.pipe()
	stdin := w.open(c.Stdin)
	if w.err != nil {
		return w.err
	}
	k.lifeline = lifeline
	w.theirs(in, stdin)
	grace := r.Grace
	if grace <= 0 {
		grace = DefaultGrace
	}
	o := options{onOrphan: orphanKeep, timeout: c.Timeout, grace: grace, argv: c.argv()}
	k.cmd = exec.Command(r.Supervisor[0], slices.Concat(r.Supervisor[1:], o.args())...)
	k.cmd.Dir, k.cmd.Env = c.Dir, slices.Clone(c.Env)
	k.cmd.Stdin, k.cmd.Stdout, k.cmd.Stderr = in, f.Stdout, f.Stderr
	k.cmd.ExtraFiles = []*os.File{f.Status, stdin} // fdStatus, fdStdin
	k.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return k.cmd.Start()
}

// Begin lets the command start.
func (k *Kept) Begin() error {
	_, err := fmt.Fprintln(k.lifeline, k.Nonce)
	return errors.Join(err, k.lifeline.Close())
}

// Abandon ends a supervisor whose command was not begun.
func (k *Kept) Abandon() error {
	err := k.lifeline.Close()
	<-k.done
	return err
}

// Ended is closed once the supervisor, our own child, has ended.
func (k *Kept) Ended() <-chan struct{} { return k.done }

// Stop asks a supervisor to end its command, as on a cancel: SIGTERM, and
// SIGCONT because it may be stopped. One that is gone needs no asking; one
// that cannot be told from a stranger is left alone, with an error.
func (o Owner) Stop() error {
	dead, provable := o.Dead()
	if !provable {
		return fmt.Errorf("process %d is not known to be the supervisor", o.PID)
	}
	if dead {
		return nil
	}
	o.signal(unix.SIGTERM)
	o.signal(unix.SIGCONT)
	return nil
}
