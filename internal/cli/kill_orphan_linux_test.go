package cli

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// orphan kills, out of a job or a check, the runner and the supervisor above
// it, so that neither can end anything, and goes on writing into the tree.
const orphan = `read -r _ _ _ runner _ < /proc/$PPID/stat
echo $$ >> "$COUNT/pids"
kill -STOP $PPID; kill -KILL $runner; kill -KILL $PPID
while :; do echo again >> a/s02.txt; done`

// TestStep_runnerAndSupervisorKilled: what they left running is ended before
// anybody looks at the tree.
func TestStep_runnerAndSupervisorKilled(t *testing.T) {
	start := newKillWorld(t)
	for _, what := range []string{"resume after a job", "step after a job", "rollback after a job", "resume after a session of its own", "resume after a check",
		"resume after only the runner"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.orphaned(what)
			again, _, _ := strings.Cut(what, " ")
			switch again {
			case "rollback":
				w.must(0, "rollback", "s02")
			case "step":
				w.must(0, append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...)
			default:
				w.must(0, "resume")
			}
			w.gone()
			w.clean(again == "step")
			if again != "step" {
				w.want("refs", w.refs(), []string{"refs/agent-stash/r-1/s02/1", "refs/agent-stash/r-1/s02/2"})
				w.want("kept change", strings.HasPrefix(w.git("show", "refs/agent-stash/r-1/s02/2:a/s02.txt"), "half\nagain\n"), true)
			}
		})
	}
}

// orphaned runs a step that ends with SIGKILL and leaves a writer behind.
func (w *killWorld) orphaned(what string) {
	w.t.Helper()
	w.t.Cleanup(w.endPids)
	job := w.job("s02", "half")
	switch {
	case strings.HasSuffix(what, "session of its own"):
		w.write("../orphan", strings.ReplaceAll(orphan, "$PPID", "$1"))
		job[2] += "; setsid sh ../orphan $PPID & wait"
	case strings.HasSuffix(what, "job"):
		job[2] += "\n" + orphan
	case strings.HasSuffix(what, "only the runner"):
		job[2] += "; echo again >> a/s02.txt; echo again >> a/s02.txt\n" + strings.Replace(orphan, "kill -STOP $PPID; kill -KILL $runner; kill -KILL $PPID", "kill -KILL $runner", 1)
	default:
		w.write("../count/orphan", orphan)
		w.byHand("s02", "half")
		job = nil
	}
	args := []string{"step", "s02"}
	if job != nil {
		args = append(append(args, "--"), job...)
	}
	if got, out := w.run("", args...); got != -9 {
		w.t.Fatalf("the runner was to be killed: exit %d\n%s", got, out)
	}
	w.check(os.RemoveAll(w.dir + "/count/orphan"))
	for !strings.Contains(w.read("a/s02.txt"), "again\nagain\n") {
		runtime.Gosched()
	}
}

// endPids ends what a failed test would leave running.
func (w *killWorld) endPids() {
	pids, _ := os.ReadFile(w.dir + "/count/pids")
	for _, word := range strings.Fields(string(pids)) {
		if pid, err := strconv.Atoi(word); err == nil && pid > 1 && w.lives(word) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func (w *killWorld) lives(pid string) bool {
	env, err := os.ReadFile("/proc/" + pid + "/environ")
	return err == nil && strings.Contains(string(env), "COUNT="+w.dir)
}

// gone: no process of the job or check lives.
func (w *killWorld) gone() {
	w.t.Helper()
	pids, err := os.ReadFile(w.dir + "/count/pids")
	w.check(err)
	w.want("there was one", len(strings.Fields(string(pids))), 1)
	for _, pid := range strings.Fields(string(pids)) {
		w.want("process "+pid+" lives", w.lives(pid), false)
	}
}
