package killat

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

var own = map[string]uint64{
	"open": unix.SYS_OPEN, "creat": unix.SYS_CREAT, "rename": unix.SYS_RENAME, "link": unix.SYS_LINK, "unlink": unix.SYS_UNLINK,
	"mkdir": unix.SYS_MKDIR, "rmdir": unix.SYS_RMDIR, "symlink": unix.SYS_SYMLINK, "chmod": unix.SYS_CHMOD,
	"fork": unix.SYS_FORK, "vfork": unix.SYS_VFORK,
}

// opens are the calls that open, with where a filter finds their flags.
var opens = map[uint64]uint32{unix.SYS_OPEN: firstArgAt + 8, unix.SYS_OPENAT: firstArgAt + 2*8}

// answer makes the call that a thread is about to make answer an errno
// instead (seccomp(2): a tracer may change the number to -1).
func answer(tid int, errno unix.Errno) error {
	var r unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &r); err != nil {
		return err
	}
	r.Orig_rax, r.Rax = ^uint64(0), uint64(-int64(errno))
	return unix.PtraceSetRegs(tid, &r)
}

// halve halves the third argument of the call, a write's length.
func halve(tid int) error {
	var r unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &r); err != nil {
		return err
	}
	r.Rdx /= 2
	return unix.PtraceSetRegs(tid, &r)
}
