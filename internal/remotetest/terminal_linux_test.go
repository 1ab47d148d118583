package remotetest

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo terminal: what a person sees, a descriptor whose reads
// do not wait, and what a program has.
func terminal(t *testing.T) (person int, program *os.File) {
	t.Helper()
	person, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("there is no pseudo terminal here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Close(person) })
	if err := unix.IoctlSetPointerInt(person, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(person, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return person, program
}

// shown is what was written on the terminal so far.
func shown(person int) string {
	buf := make([]byte, 4096)
	n, err := unix.Read(person, buf)
	if err != nil {
		return ""
	}
	return string(buf[:n])
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
	c.want("asked on the terminal", shown(person), "")
	_ = program.Close()
}
