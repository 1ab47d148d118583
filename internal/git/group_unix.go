//go:build unix

package git

import (
	"errors"
	"os"
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
		err := syscall.Kill(pgid, syscall.SIGINT)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone // it was faster: what it did is its answer
		}
		return err
	}
	c.WaitDelay = killAfter + time.Second
}
