//go:build linux || darwin

package check

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

// Successor is a process of ours that sleeps as long as we live, and acts
// once its input has ended, by our death too: see [Bereft].
type Successor struct{ line *os.File }

// Succeed starts a successor with the caller's own environment: it acts for
// the caller, and no command of a plan is near it. It has a session of its own
// and holds none of our streams.
func (r Runner) Succeed(dir string, env []string, args ...string) (*Successor, error) {
	if len(r.Successor) == 0 {
		return nil, errors.New("start a successor: the runner has none")
	}
	in, line, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start a successor: %w", err)
	}
	cmd := exec.Command(r.Successor[0], slices.Concat(r.Successor[1:], args)...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, in
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	_ = in.Close() // it has its own
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start a successor: %w", err), line.Close())
	}
	go func() { _ = cmd.Wait() }() // it answers to nobody
	return &Successor{line: line}, nil
}

// Dismiss ends it: what it was there for is done. One that is gone needs none.
func (s *Successor) Dismiss() {
	_, _ = fmt.Fprintln(s.line, wordDismissed)
	s.Leave()
}

// Leave lets it act now.
func (s *Successor) Leave() { _ = s.line.Close() }
