package killat

import (
	"slices"

	"golang.org/x/sys/unix"
)

// common are the calls that change state and that every architecture has;
// older names are in the architecture's own table. The end of a process is none,
// it changes nothing that its last call did not, and execve(2) shows by itself.
var common = map[string]uint64{
	"write": unix.SYS_WRITE, "pwrite64": unix.SYS_PWRITE64, "writev": unix.SYS_WRITEV, "openat": unix.SYS_OPENAT,
	"renameat": unix.SYS_RENAMEAT, "renameat2": unix.SYS_RENAMEAT2, "linkat": unix.SYS_LINKAT, "unlinkat": unix.SYS_UNLINKAT,
	"symlinkat": unix.SYS_SYMLINKAT, "mkdirat": unix.SYS_MKDIRAT, "truncate": unix.SYS_TRUNCATE, "ftruncate": unix.SYS_FTRUNCATE,
	"fsync": unix.SYS_FSYNC, "fdatasync": unix.SYS_FDATASYNC, "fallocate": unix.SYS_FALLOCATE, "fchmod": unix.SYS_FCHMOD,
	"fchmodat": unix.SYS_FCHMODAT, "copy_file_range": unix.SYS_COPY_FILE_RANGE, "sendfile": unix.SYS_SENDFILE,
	"clone": unix.SYS_CLONE, "kill": unix.SYS_KILL,
	"pidfd_send_signal": unix.SYS_PIDFD_SEND_SIGNAL, "utimensat": unix.SYS_UTIMENSAT, "flock": unix.SYS_FLOCK,
	"sendto": unix.SYS_SENDTO, "sendmsg": unix.SYS_SENDMSG, "connect": unix.SYS_CONNECT,
}

// moves change the names of files; syncs wait for the disk; creates take room
// on one; durable is all that a disk, or a process that is not of the command,
// shows; felt is that and what the command's own processes see of each other.
const (
	moves   = "rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir"
	syncs   = "fsync,fdatasync"
	creates = "write,pwrite64,open,openat,creat,mkdir,mkdirat,link,linkat,symlink,symlinkat,rename,renameat,renameat2"
	durable = moves + ",write,pwrite64,writev,open,openat,creat,symlink,symlinkat,truncate,ftruncate,fallocate," +
		"chmod,fchmod,fchmodat,utimensat,copy_file_range,sendfile,kill,pidfd_send_signal"
	felt = durable + ",execve,clone,fork,vfork,sendto,sendmsg,connect"
)

// calls are the wanted ones by number; nil names mean all.
func calls(names []string) map[uint64]string {
	chosen := map[uint64]string{}
	for _, table := range []map[string]uint64{common, own} {
		for name, nr := range table {
			if len(names) == 0 || slices.Contains(names, name) {
				chosen[nr] = name
			}
		}
	}
	return chosen
}

// writing are the flags of an open that changes something.
const writing = unix.O_CREAT | unix.O_TRUNC

// changes tells a call that can change something from one that only looks.
func changes(name string, args [6]uint64) bool {
	switch name {
	case "openat":
		return args[2]&writing != 0
	case "open":
		return args[1]&writing != 0
	case "kill", "pidfd_send_signal":
		return args[1] != 0 // only asks whether the process is there
	case "clone":
		return args[0]&unix.CLONE_THREAD == 0
	}
	return true
}
