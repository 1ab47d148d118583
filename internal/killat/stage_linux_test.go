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
	firstArgAt   = 16 // eight bytes each; the lower half comes first on both architectures
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

// filter is: another architecture, allow; an open that only reads, allow (it
// is by far the most frequent call, and each stop costs); one of these numbers,
// stop for the tracer; anything else, allow.
func filter(numbers []uint64) []unix.SockFilter {
	f := []unix.SockFilter{load(archAt), jump(unix.BPF_JEQ, auditArch, 1, 0), answers(seccompAllow), load(numberAt)}
	for nr, flags := range opens {
		if slices.Contains(numbers, nr) {
			f = append(f, jump(unix.BPF_JEQ, uint32(nr), 0, 4), load(flags), jump(unix.BPF_JSET, writing, 0, 1),
				answers(seccompTrace), answers(seccompAllow))
		}
	}
	for i, nr := range numbers {
		f = append(f, jump(unix.BPF_JEQ, uint32(nr), uint8(len(numbers)-i), 0))
	}
	return append(f, answers(seccompAllow), answers(seccompTrace))
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

// jump skips yes instructions where the test holds, no where it does not.
func jump(test uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jt: yes, Jf: no}
}

func answers(action uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}

func install(f []unix.SockFilter) error {
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	const setModeFilter = 1
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, setModeFilter, 0, uintptr(unsafe.Pointer(&prog))); e != 0 {
		return fmt.Errorf("install the filter: %w", e)
	}
	return nil
}
