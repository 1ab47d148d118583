package gittest

import "golang.org/x/sys/unix"

// room is how many bytes are free in a folder of memory, 0 where it is none.
func room(dir string) uint64 {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil || st.Type != unix.TMPFS_MAGIC {
		return 0
	}
	return st.Bavail * uint64(st.Bsize)
}
