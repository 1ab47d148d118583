package remotetest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo terminal: what a person sees, and what a program has.
func terminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there is no pseudo terminal here: %v", err)
	}
	t.Cleanup(func() { _ = person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return person, program
}

// onTerminal runs git-agent as the leader of a session on a terminal, and
// requires its exit status soon and that nothing is asked there.
func (c *clone) onTerminal(want int, args ...string) {
	c.t.Helper()
	person, program := terminal(c.t)
	cmd, out := c.command(args...)
	cmd.Stdin = program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	c.check(cmd.Start())
	late := time.AfterFunc(soon, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	_ = cmd.Wait()
	late.Stop()
	if got := status(cmd); got != want {
		c.t.Errorf("git agent %s: exit %d, want %d\n%s", strings.Join(args, " "), got, want, out)
	}
	_ = program.Close()
	var asked bytes.Buffer
	_ = person.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	_, _ = io.Copy(&asked, person)
	c.want("asked on the terminal", asked.String(), "")
}
