package killtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// loopPoints are where `run` dies in its own part; the rows of a step and the
// points of a rollback have their own tests with `step` and `resume`.
var loopPoints = []string{"phaseA", "phaseB", "row1", "row2", "row3", "row5", "row8", "row9", "row10-push", "row11"}

// TestRun_killedInEachStep kills `run` of three steps at a point of the first,
// the second or the third, and runs it again, in the same clone and in a fresh
// one: each step is certified once, and what the kill left is nobody's work.
func TestRun_killedInEachStep(t *testing.T) {
	start := emptyKillWorld(t)
	start.must(0, "start", "../plan.yaml", "--run", "r-1")
	start.must(0, "trust", "r-1")
	start.forget()
	all := os.Getenv("GIT_AGENT_SWEEP") == "full"
	for i, point := range loopPoints {
		for n := range 3 {
			for j, on := range []string{"same", "fresh"} {
				if !all && (i+j)%3 != n || testing.Short() && i%4 != 0 {
					continue // each point once in each kind of clone, by turns
				}
				t.Run(fmt.Sprintf("%s of step %d, %s clone", point, n+1, on), func(t *testing.T) {
					t.Parallel()
					w := start.copy(t)
					if n > 0 {
						w.must(0, "run", "--agent", loopAgent, "--until", fmt.Sprint("s0", n))
					}
					w.dies(point, "run", "--agent", loopAgent)
					w.runsOn(on == "fresh")
				})
			}
		}
	}
}

// loopAgent does whatever step it is asked for.
const loopAgent = `cat > /dev/null; s=$GIT_AGENT_STEP; echo x >> "$COUNT/job-$s"; echo ${what-done} > a/$s.txt; echo new > a/new-$s; rm -f $s/old; mkdir -p $s/deep; echo deep > $s/deep/new`

// runsOn goes on with `run` and looks at the whole.
func (w *killWorld) runsOn(fresh bool) {
	w.t.Helper()
	f, args := w, []string{"run", "--agent", loopAgent}
	if fresh {
		f, args = w.clone(), []string{"run", "r-1", "--trust", "--agent", loopAgent}
	}
	f.must(0, args...)
	f.whole()
	for _, step := range []string{"s01", "s02", "s03"} {
		if jobs := w.counted("job-" + step); jobs < 1 || jobs > 2 {
			w.t.Errorf("%s: %d jobs ran", step, jobs)
		}
		if checks := w.counted("check-" + step); checks < 1 || checks > 2 {
			w.t.Errorf("%s: its check ran %d times", step, checks)
		}
	}
	if !fresh {
		return
	}
	code, out := w.run("", "run", "--agent", "false") // the clone that was killed comes back
	if code == 4 {                                    // once, where its own certificate lost
		code, out = w.run("", "run", "--agent", "false")
	}
	if code != 0 {
		w.t.Fatalf("run in the clone that was killed: exit %d\n%s", code, out)
	}
	w.whole()
}

// whole: every step is certified once, in order, here and on the remote.
func (w *killWorld) whole() {
	w.t.Helper()
	w.want("certificates", w.certificates(), []string{"s03", "s02", "s01"})
	w.want("branch", w.git("rev-parse", "HEAD"), w.remote("rev-parse", "agent-run/r-1"))
	w.want("plan", w.git("rev-parse", "refs/agent/r-1"), w.remote("rev-parse", "refs/agent/r-1"))
	w.want("lease", strings.Contains(w.remote("log", "-1", "--format=%B", "refs/agent-lease/r-1"), "Agent-State: released"), true)
	w.want("status", w.git("status", "--porcelain", "-uall"), "")
	w.want("leftovers", w.leftovers(), nil)
	w.want("fsck", w.git("fsck", "--no-progress", "--no-dangling"), "")
}

// TestRun_killedInRollback: the loop's own roll back of a failed attempt, killed
// anywhere: the attempt counts once, its work is kept, the next one begins at
// the boundary.
func TestRun_killedInRollback(t *testing.T) {
	start := emptyKillWorld(t)
	start.must(0, "start", "../plan.yaml", "--run", "r-1")
	start.must(0, "run", "--agent", loopAgent, "--until", "s01")
	start.forget()
	once := `test -e "$COUNT/job-$GIT_AGENT_STEP" || what=half; ` + loopAgent
	for _, point := range slices.Concat(rollbackPoints, []string{"row6"}) {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.must(0, "trust", "r-1")
			w.dies(point, "run", "--agent", once)
			w.must(0, "run", "--agent", loopAgent)
			w.want("jobs of s02", w.counted("job-s02"), 2)
			w.want("failure records", w.git("log", "--format=%(trailers:key=Agent-Attempt,valueonly)%x2c", "refs/agent/r-1"), "1\n,\n,")
			w.whole()
		})
	}
}
