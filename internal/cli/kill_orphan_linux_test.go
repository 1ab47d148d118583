package cli

import (
	"os"
	"runtime"
	"strconv"
	"strings"
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
	for _, what := range []string{"resume after a job", "step after a job", "rollback after a job", "resume after a session of its own", "resume after a check"} {
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
	job := w.job("s02", "half")
	switch {
	case strings.HasSuffix(what, "session of its own"):
		w.write("../orphan", strings.ReplaceAll(orphan, "$PPID", "$1"))
		job[2] += "; setsid sh ../orphan $PPID & wait"
	case strings.HasSuffix(what, "job"):
		job[2] += "\n" + orphan
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

// gone: no process of the job or check lives.
func (w *killWorld) gone() {
	w.t.Helper()
	pids, err := os.ReadFile(w.dir + "/count/pids")
	w.check(err)
	for _, pid := range strings.Fields(string(pids)) {
		if _, err := strconv.Atoi(pid); err != nil {
			w.t.Fatalf("pid %q", pid)
		}
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err == nil && !strings.Contains(string(stat), ") Z ") {
			w.t.Errorf("process %s still runs", pid)
		}
	}
}
