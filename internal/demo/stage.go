package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// stage runs command lines and shows them with what they print.
type stage struct {
	Options
	ctx       context.Context
	machine   string // the clone that commands run in
	common    []string
	halves    []string // the two files of the killed step, in the order they are written
	certified []string // short commit ids of s01 to s03
	begun     bool
	jobs      []*background
}

func (s *stage) firstHalf() string  { return s.halves[0] }
func (s *stage) secondHalf() string { return s.halves[1] }

// tell prints narration, as comments of the shell.
func (s *stage) tell(lines ...string) {
	if s.begun {
		s.line("")
	}
	s.begun = true
	for _, l := range lines {
		s.line(dress(s.Narrate, "# "+l))
	}
}

// enter goes to a machine: its environment and its clone.
func (s *stage) enter(machine string) {
	s.machine = machine
	s.show(fmt.Sprintf("cd %s && . ../%s.env", filepath.Join(s.Dir, machine), machine))
}

func (s *stage) show(command string) { s.line(dress(s.Command, "$ "+command)) }

func (s *stage) line(text string) { _, _ = io.WriteString(s.Out, text+"\n") }

func dress(with func(string) string, text string) string {
	if with == nil {
		return text
	}
	return with(text)
}

// all runs commands that only have to succeed.
func (s *stage) all(commands ...string) error {
	for _, c := range commands {
		if _, err := s.run(c); err != nil {
			return err
		}
	}
	return nil
}

// run shows and runs one command; anything but exit 0 is a surprise.
func (s *stage) run(command string) (output, error) {
	s.show(command)
	c, printed := s.shell(command)
	err := c.Run()
	out := output{command: command, text: printed.String()}
	if err != nil {
		return out, out.surprise("exit 0, not " + err.Error())
	}
	return out, nil
}

func (s *stage) shell(command string) (*exec.Cmd, *tee) {
	c := exec.CommandContext(s.ctx, "sh", "-c", command)
	c.Dir = filepath.Join(s.Dir, s.machine)
	c.Env = append(s.environ(s.machine), "PWD="+c.Dir)
	c.WaitDelay = 10 * time.Second // a job that holds our pipe
	printed := &tee{to: s.Out}
	c.Stdout, c.Stderr = printed, printed
	return c, printed
}

// output is what a command printed.
type output struct{ command, text string }

func (o output) has(what string, words ...string) error {
	for _, w := range words {
		if !strings.Contains(o.text, w) {
			return o.surprise(fmt.Sprintf("%s (%q)", what, w))
		}
	}
	return nil
}

// lists reports whether `ls` named the file.
func (o output) lists(file string) bool {
	return slices.Contains(strings.Fields(o.text), path.Base(file))
}

// surprise is the demo's own failure.
func (o output) surprise(expected string) error {
	return fmt.Errorf("`%s`: expected %s; it printed %q", o.command, expected, o.text)
}

// background is a command that goes on.
type background struct {
	*output
	printed *tee
	ended   chan struct{} // closed once err is set
	err     error
}

// start shows and starts one command; a `&` at its end is for the reader.
func (s *stage) start(command string) (*background, error) {
	s.show(command)
	c, printed := s.shell("exec env " + strings.TrimSuffix(command, "&"))
	b := &background{output: &output{command: command}, printed: printed, ended: make(chan struct{})}
	// git hands SIGTERM on to git agent, which ends the step's command.
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() {
		b.err = c.Wait()
		close(b.ended)
	}()
	s.jobs = append(s.jobs, b)
	return b, nil
}

// quiet waits until nothing that the demo started is left; its context is over.
func (s *stage) quiet() {
	for _, b := range s.jobs {
		<-b.ended
	}
}

// killed waits for the end of a command that must not end well.
func (b *background) killed() error {
	<-b.ended
	b.text = b.printed.String()
	if b.err == nil {
		return b.surprise("git agent to be killed")
	}
	return nil
}

// halfDone waits until the step's first file is written and answers the process
// that runs the step.
func (s *stage) halfDone(b *background) (pid int, err error) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !strings.Contains(b.printed.String(), "wrote "+s.firstHalf()) {
		select {
		case <-look.C:
		case <-b.ended:
			b.text = b.printed.String()
			return 0, b.surprise("the step to go on")
		case <-s.ctx.Done():
			return 0, s.ctx.Err()
		}
	}
	return s.holder()
}

// holder is git agent itself, not the git that started it: its lock names it.
func (s *stage) holder() (pid int, err error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, s.machine, ".git", "agent", "demo", "lock"))
	if err != nil {
		return 0, err
	}
	var lock struct{ Owner struct{ PID int } }
	if err := json.Unmarshal(data, &lock); err != nil || lock.Owner.PID <= 1 {
		return 0, fmt.Errorf("expected the lock to name git agent's process, found %q", data)
	}
	return lock.Owner.PID, nil
}

// tee keeps what it hands on; a job and its runner may write at once.
type tee struct {
	mu   sync.Mutex
	to   io.Writer
	text bytes.Buffer
}

func (t *tee) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Write(p)
	_, _ = t.to.Write(p)
	return len(p), nil
}

func (t *tee) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// jobOf are the processes of a step's job: its supervisor and itself. Their
// numbers are in the attempt's folder.
func (s *stage) jobOf(step string) (pids string, err error) {
	folders, err := filepath.Glob(filepath.Join(s.Dir, s.machine, ".git", "agent", "demo", "logs", step+"-1-*"))
	if err != nil || len(folders) != 1 {
		return "", fmt.Errorf("find the attempt at %s: %v, %w", step, folders, err)
	}
	var facts struct{ Supervisor struct{ PID int } }
	data, err := os.ReadFile(filepath.Join(folders[0], "attempt.json"))
	if err == nil {
		err = json.Unmarshal(data, &facts)
	}
	status, errStatus := os.ReadFile(filepath.Join(folders[0], "status"))
	words := strings.Fields(string(status)) // <nonce> started <pid>
	if err := errors.Join(err, errStatus); err != nil || len(words) < 3 {
		return "", fmt.Errorf("read the attempt at %s: %q, %w", step, status, err)
	}
	return fmt.Sprintf("%d %s", facts.Supervisor.PID, words[2]), nil
}
