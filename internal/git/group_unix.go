//go:build unix

package git

import (
	"os/exec"
	"syscall"
	"time"
)

// ownGroup puts the child into a process group of its own, so that a Ctrl-C
// meant for us does not cut a ref update in half, and so that a deadline ends
// git's helpers (git-remote-https, a filter) together with git.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error {
		pgid := -c.Process.Pid
		time.AfterFunc(killAfter, func() { _ = syscall.Kill(pgid, syscall.SIGKILL) })
		return syscall.Kill(pgid, syscall.SIGINT)
	}
	c.WaitDelay = killAfter + time.Second
}
