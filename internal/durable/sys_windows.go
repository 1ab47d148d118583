package durable

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockOffset lies far behind any content: locks on Windows are mandatory, and
// whoever is refused must still be able to read who holds it.
const lockOffset = 1 << 30

// tryLock takes LockFileEx without waiting; errLocked if another handle has
// it. Go opens files non-inheritable.
func tryLock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	at := windows.Overlapped{OffsetHigh: lockOffset}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return os.NewSyscallError("LockFileEx", err)
}

// fsyncDir does nothing: Windows cannot flush a folder, NTFS journals names.
func fsyncDir(*os.File) error { return nil }
