package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// orphan is run by a job or a check, with the pid of the supervisor. It kills
// the runner and the supervisor above it, so that neither can end anything,
// and goes on writing into the tree.
const orphan = `read -r _ _ _ runner _ < /proc/$1/stat
echo $$ >> "$COUNT/pids"
kill -STOP $1; kill -KILL $runner; kill -KILL $1
while :; do echo again >> a/s02.txt; done`

// TestStep_runnerAndSupervisorKilled: what they left running is ended before
// anybody looks at the tree.
func TestStep_runnerAndSupervisorKilled(t *testing.T) {
	start := newKillWorld(t)
	for _, c := range []struct{ name, start, again string }{
		{"a job, resume", "sh", "resume"}, {"a job, step", "sh", "step"}, {"a job, rollback", "sh", "rollback"},
		{"a job's own session", "setsid sh", "resume"}, {"a check", "", "resume"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.orphaned(orphan, c.start)
			w.poll(func() bool { return strings.Contains(w.read("a/s02.txt"), "again\nagain\n") })
			switch c.again {
			case "rollback":
				w.must(0, "rollback", "s02")
			case "step":
				w.must(0, append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...)
			default:
				w.must(0, "resume")
			}
			w.gone()
			w.clean(c.again == "step")
			if c.again != "step" {
				w.want("refs", w.refs(), []string{"refs/agent-stash/r-1/s02/1", "refs/agent-stash/r-1/s02/2"})
				w.want("kept change", w.git("show", "refs/agent-stash/r-1/s02/2:a/s02.txt")[:10], "half\nagain")
			}
		})
	}
}

// TestStep_runnerKilledInMidJob: the supervisor ends the job, or resume does.
func TestStep_runnerKilledInMidJob(t *testing.T) {
	w := newKillWorld(t)
	w.orphaned(strings.Replace(orphan, "kill -STOP $1; kill -KILL $runner; kill -KILL $1", "kill -KILL $runner", 1), "sh")
	w.must(0, "resume")
	w.gone()
	w.want("jobs", w.counted("job-s02"), 1)
	w.want("kept change", w.git("show", "refs/agent-stash/r-1/s02/2:a/s02.txt")[:4], "half")
	w.clean(false)
}

// orphaned runs a step that ends with SIGKILL and leaves a script running,
// started so from its job, or from its check where start is empty.
func (w *killWorld) orphaned(script, start string) {
	w.t.Helper()
	w.t.Cleanup(w.endPids)
	w.write("../orphan", script)
	args := []string{"step", "s02"}
	if start != "" {
		job := w.job("s02", "half")
		job[2] += "; " + start + ` "$COUNT/../orphan" $PPID & wait`
		args = append(append(args, "--"), job...)
	} else {
		w.write("../count/orphan", `sh "$COUNT/../orphan" $PPID & wait`)
		w.byHand("s02", "half")
	}
	if got, out := w.run("", args...); got != -int(syscall.SIGKILL) {
		w.t.Fatalf("the runner was to be killed: exit %d\n%s", got, out)
	}
	w.check(os.RemoveAll(filepath.Join(w.dir, "count", "orphan")))
}

// poll waits for what another process is about to do.
func (w *killWorld) poll(done func() bool) {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); {
		if time.Now().After(end) {
			w.t.Fatal("waited for 20 s in vain")
		}
	}
}

// endPids ends what a failed test would leave running.
func (w *killWorld) endPids() {
	for _, pid := range w.pids() {
		if w.lives(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func (w *killWorld) pids() []int {
	text, _ := os.ReadFile(filepath.Join(w.dir, "count", "pids"))
	var pids []int
	for _, word := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// lives: a process of this world's has the pid.
func (w *killWorld) lives(pid int) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && strings.Contains(string(env), "COUNT="+w.dir)
}

// gone: no process of the job or check lives.
func (w *killWorld) gone() {
	w.t.Helper()
	pids := w.pids()
	w.want("orphans", len(pids), 1)
	for _, pid := range pids {
		w.want("the orphan lives", w.lives(pid), false)
	}
}
