package git

import (
	"io/fs"
	"syscall"
	"time"
)

// changedAt is when an inode changed last.
func changedAt(info fs.FileInfo) (at time.Time, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return time.Time{}, false
	}
	return time.Unix(stat.Ctimespec.Unix()), true
}
