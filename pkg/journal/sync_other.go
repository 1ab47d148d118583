//go:build !linux

package journal

import (
	"os"
	"runtime"
)

// syncData is fsync(2), on macOS F_FULLFSYNC: os.File knows which.
func syncData(f *os.File) error { return f.Sync() }

// syncFolder: Windows has no such call, its file system journals names.
func syncFolder(f *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return f.Sync()
}
