package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData flushes the bytes and the size, not the times: fdatasync(2).
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// syncFolder: some file systems have nothing to flush for a folder and say so.
func syncFolder(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}
