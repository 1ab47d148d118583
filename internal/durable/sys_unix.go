//go:build !windows

package durable

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes flock(2) without waiting; errLocked if another open file has
// it. Go opens files close-on-exec, so children do not inherit it.
func tryLock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return errLocked
		case !errors.Is(err, unix.EINTR):
			return os.NewSyscallError("flock", err)
		}
	}
}

// fsyncDir syncs an open folder. Some file systems (network, FUSE) have no
// such operation; there is nothing better to do on them.
func fsyncDir(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}
