package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// mostResident is what a process of ours may have resident, in KiB, whatever a
// job writes.
const mostResident = 64 << 10

// flood is a step whose job writes a lot: the real thing, with all that a step
// costs, against the same writer into a file.
func flood(t *testing.T) measured {
	w := worldOf(t, size{steps: 1, rounds: 1, files: few()})
	w.run = "flood"
	w.start(stepPlan(10))
	line := writes(output())
	ours := func(first int) act {
		return act{run: func(turn int) []*exec.Cmd { return []*exec.Cmd{w.command("git-agent", w.jobStep(first+turn, line)...)} }}
	}
	runner, supervisor := peaks(t, ours(0))
	inLittle(t, "the runner", runner)
	inLittle(t, "the supervisor", supervisor)
	into := filepath.Join(t.TempDir(), "output")
	floor := act{run: func(int) []*exec.Cmd { return []*exec.Cmd{w.command("sh", "-c", line+" >"+into)} }}
	m := versus(t, turns(3), floor, ours(1))
	return m.told("%d MiB; resident at most: runner %d MiB, supervisor %d MiB", output()>>20, runner>>10, supervisor>>10)
}

// jobStep are the words of a step whose job changes nothing.
func (w *world) jobStep(i int, line string) []string {
	return []string{"step", stepID(i), "--run", w.run, "--empty", "--", "sh", "-c", line}
}

// inLittle judges the memory of a process of ours.
func inLittle(t *testing.T, who string, kib int) {
	t.Helper()
	if full && kib >= mostResident {
		t.Errorf("%s had %d KiB resident, at most %d", who, kib, mostResident)
	}
}

// peaks does an act once and answers the most memory, in KiB, that its runner
// and its supervisors had resident: looked at while it lasts, as a child's own
// count begins with that of whoever started it.
func peaks(t *testing.T, a act) (runner, supervisor int) {
	t.Helper()
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-over:
				return
			case <-time.After(5 * time.Millisecond):
				r, s := peaksNow()
				runner, supervisor = max(runner, r), max(supervisor, s)
			}
		}
	}()
	func() {
		defer close(over)
		take(t, a, 0)
	}()
	<-done
	return runner, supervisor
}

// peaksNow looks at all processes of the program that is measured (Linux; there
// are none elsewhere).
func peaksNow() (runner, supervisor int) {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if exe, err := os.Readlink(link); err != nil || exe != filepath.Join(bin, "git-agent") {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link)))
		if err != nil {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
		if bytes.Contains(line, []byte("__supervise")) {
			supervisor = max(supervisor, peak(pid))
		} else {
			runner = max(runner, peak(pid))
		}
	}
	return runner, supervisor
}

// peak is the most memory that a process had resident, in KiB (proc(5), VmHWM).
func peak(pid int) (kib int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if _, after, ok := bytes.Cut(text, []byte("VmHWM:")); ok {
		_, _ = fmt.Sscan(string(after), &kib)
	}
	return kib
}
