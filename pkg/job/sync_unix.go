//go:build !windows

package job

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isNoSync: some file systems have nothing to flush for a folder, and say so.
func isNoSync(err error) bool { return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) }
