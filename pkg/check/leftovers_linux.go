package check

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// markHerd is every process with one entry in its environment.
type markHerd struct{ mark string }

func (m markHerd) signal(sig syscall.Signal) {
	for _, pid := range m.pids() {
		signalIf(pid, sig, func() bool { return hasMark(pid, m.mark) })
	}
}

func (m markHerd) empty() bool { return len(m.pids()) == 0 }

// pids reads /proc once more. That it became unreadable after the first look
// of endMarked does not happen to a mounted /proc.
func (m markHerd) pids() []int {
	found, err := marked(m.mark)
	if err != nil {
		return nil
	}
	return found
}

func endMarked(ctx context.Context, mark string, grace time.Duration) error {
	if _, err := marked(mark); err != nil {
		return err
	}
	if left := end(ctx, markHerd{mark}, nil, grace); len(left) > 0 {
		return remain(left)
	}
	return nil
}

// marked lists the processes whose environment holds mark, without us and our
// ancestors: `git agent` may run inside the attempt it asks about.
func marked(mark string) ([]int, error) {
	all, err := pids()
	if err != nil {
		return nil, fmt.Errorf("look for processes with %q: %w", mark, err)
	}
	ours := ancestry()
	all = slices.DeleteFunc(all, func(pid int) bool { return slices.Contains(ours, pid) })
	found, bare := withMark(all, mark)
	late, _ := withMark(bare, mark) // in the middle of execve(2) a process has no environment to show
	found = append(found, late...)
	slices.Sort(found)
	return found, nil
}

// withMark are the processes that have the mark, and those that show no
// environment at all: the kernel's own, and for a moment any. Those of other users
// are closed to us, those of dead ones are gone.
func withMark(pids []int, mark string) (found, bare []int) {
	entry := append([]byte(mark), 0)
	for _, pid := range pids {
		env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		switch {
		case err != nil:
		case len(env) == 0:
			bare = append(bare, pid)
		case bytes.HasPrefix(env, entry) || bytes.Contains(env, append([]byte{0}, entry...)):
			found = append(found, pid)
		}
	}
	return found, bare
}

func hasMark(pid int, mark string) bool {
	found, _ := withMark([]int{pid}, mark)
	return len(found) > 0
}

// ancestry is the calling process and everything above it.
func ancestry() []int {
	var line []int
	for pid := os.Getpid(); pid > 0 && !slices.Contains(line, pid); {
		line = append(line, pid)
		st, err := readStat(pid)
		if err != nil {
			break
		}
		pid = st.ppid
	}
	return line
}
