package killat

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stageVar tells the second instance of killat to become the command: it puts
// on the filter that makes the chosen calls stop for the tracer.
const stageVar = "KILLAT_STAGE"

// From <linux/seccomp.h> and <linux/bpf_common.h>.
const (
	seccompTrace = 0x7ff00000 // SECCOMP_RET_TRACE
	seccompAllow = 0x7fff0000 // SECCOMP_RET_ALLOW
	numberAt     = 0          // offset of the number in struct seccomp_data
	archAt       = 4
)

func stage(args []string, errs io.Writer) int {
	req, _, err := parse(args, errs)
	if err != nil {
		return 125
	}
	runtime.LockOSThread()
	path, err := exec.LookPath(req.argv[0])
	if err == nil {
		err = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	}
	if err == nil {
		err = install(filter(slices.Sorted(maps.Keys(calls(req.only)))))
	}
	if err == nil {
		ours := func(kv string) bool { return strings.HasPrefix(kv, stageVar+"=") }
		err = unix.Exec(path, req.argv, slices.DeleteFunc(os.Environ(), ours))
	}
	_, _ = fmt.Fprintln(errs, "killat:", err)
	return 127
}

// filter is: another architecture, allow; one of these numbers, stop for the
// tracer; anything else, allow.
func filter(numbers []uint64) []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	n := len(numbers)
	f := []unix.SockFilter{load(archAt),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: auditArch, Jf: uint8(n + 1)}, load(numberAt)}
	for i, nr := range numbers {
		f = append(f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(nr), Jt: uint8(n - i)})
	}
	return append(f, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: seccompAllow},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: seccompTrace})
}

func install(f []unix.SockFilter) error {
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	const setModeFilter = 1
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, setModeFilter, 0, uintptr(unsafe.Pointer(&prog))); e != 0 {
		return fmt.Errorf("install the filter: %w", e)
	}
	return nil
}
