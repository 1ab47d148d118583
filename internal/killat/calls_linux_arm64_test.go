package killat

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const auditArch = unix.AUDIT_ARCH_AARCH64

var own = map[string]uint64{}

// opens are the calls that open, with where a filter finds their flags.
var opens = map[uint64]uint32{unix.SYS_OPENAT: firstArgAt + 2*8}

// Register sets of ptrace(2), from <elf.h>.
const (
	generalRegisters = 1     // NT_PRSTATUS
	systemCall       = 0x404 // NT_ARM_SYSTEM_CALL
)

// answer makes the call that a thread is about to make answer an errno
// instead (seccomp(2): a tracer may change the number to -1).
func answer(tid int, errno unix.Errno) error {
	none := int32(-1)
	set := unix.Iovec{Base: (*byte)(unsafe.Pointer(&none)), Len: uint64(unsafe.Sizeof(none))}
	if _, _, e := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_SETREGSET, uintptr(tid), systemCall, uintptr(unsafe.Pointer(&set)), 0, 0); e != 0 {
		return e
	}
	return change(tid, func(r *unix.PtraceRegsArm64) { r.Regs[0] = uint64(-int64(errno)) })
}

// halve halves the third argument of the call, a write's length.
func halve(tid int) error {
	return change(tid, func(r *unix.PtraceRegsArm64) { r.Regs[2] /= 2 })
}

func change(tid int, how func(*unix.PtraceRegsArm64)) error {
	var r unix.PtraceRegsArm64
	if err := unix.PtraceGetRegSetArm64(tid, generalRegisters, &r); err != nil {
		return err
	}
	how(&r)
	return unix.PtraceSetRegSetArm64(tid, generalRegisters, &r)
}
