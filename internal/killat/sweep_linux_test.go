package killat

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// sweepVar chooses how much TestSweep does: "short" stops after about two
// minutes, "full" tries every point. Unset, it only looks whether the scenes
// work at all.
const sweepVar = "GIT_AGENT_SWEEP"

// scene is a command to be killed, and the state it begins from.
type scene struct {
	name    string
	prepare func(w *world)
	command []string
	again   []string // what goes on, where that is not resume
}

var scenes = []scene{
	{name: "job", command: append([]string{"step", "s02", "--"}, job("s02", "done")...)},
	{name: "half", prepare: (*world).half, command: []string{"resume"}},
	{name: "by hand", prepare: func(w *world) { w.byHand("s02", "done") }, command: []string{"step", "s02"}},
	{name: "fresh", prepare: (*world).fresh, command: []string{"resume", "r-1"}, again: []string{"resume", "r-1"}},
	{name: "follow", prepare: (*world).follow, command: []string{"resume"}},
	{name: "undo", prepare: (*world).done, command: []string{"rollback", "s02", "--yes"}, again: []string{"rollback", "s02", "--yes"}},
	{name: "start", prepare: (*world).unstarted, command: []string{"start", "../plan.yaml", "--run", "r-1"},
		again: []string{"start", "../plan.yaml", "--run", "r-1"}},
}

// harm is what is done at a point.
type harm struct {
	name string
	args []string
}

const moves = "rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync"

var harms = []harm{
	{"kill all", []string{"-act", "tree"}},
	{"kill git agent", []string{"-act", "root"}},
	{"kill the caller", []string{"-act", "self"}},
	{"torn write", []string{"-act", "short", "-only", "write,pwrite64"}},
	{"disk full", []string{"-act", "fail", "-errno", "28", "-only", "write,pwrite64"}},
	{"input/output error", []string{"-act", "fail", "-errno", "5", "-only", moves}},
}

// TestSweep does every harm at every point of every scene, goes on, and looks
// whether a step or work was lost, done twice, or needs a person.
func TestSweep(t *testing.T) {
	how := os.Getenv(sweepVar)
	start := newWorld(t)
	end := time.Now().Add(100 * time.Second)
	for _, s := range scenes {
		from := start.prepared(t, s)
		for _, h := range harms {
			t.Run(s.name+", "+h.name, func(t *testing.T) {
				t.Parallel()
				points := from.copy(t).run(s, append(h.args, "-n", "0")).Points
				if points == 0 {
					t.Fatal("there is no point to act at")
				}
				tried := 0
				for _, n := range order(points) {
					if how == "" && tried == 1 || how == "short" && time.Now().After(end) {
						break
					}
					tried++
					from.copy(t).survives(s, h, n)
				}
				t.Logf("%d of %d points", tried, points)
			})
		}
	}
}

// order is every number from 1 to n, and those that come first are spread
// evenly: each is a golden section of n away from the last.
func order(n int) []int {
	step := max(1, int(float64(n)*0.618))
	for ; gcd(step, n) != 1; step-- {
	}
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = 1 + (n/3+i*step)%n
	}
	return numbers
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// survives does the harm at point n and requires that all is well afterwards.
func (w *world) survives(s scene, h harm, n int) {
	w.t.Helper()
	r := w.run(s, append(h.args, "-n", fmt.Sprint(n)))
	w.what = fmt.Sprintf("%s, %s at %d of %d (%s), exit %d", s.name, h.name, n, r.Points, r.At, r.Exit)
	work := w.work()
	again := s.again
	if again == nil {
		again = []string{"resume"}
	}
	code, out := w.agent(again...)
	if locks := w.remoteLocks(); code != 0 && len(locks) > 0 {
		if !strings.Contains(out, filepath.Base(locks[0])) {
			w.fail("the remote's lock %s is not named:\n%s", locks[0], out)
		}
		for _, l := range locks {
			w.check(os.Remove(l))
		}
		code, out = w.agent(again...)
	}
	if code != 0 {
		w.fail("git agent %s: exit %d\n%s", strings.Join(again, " "), code, out)
		return
	}
	w.kept(work)
	w.finish(s)
}

// finish does what is left of the step and looks at the whole.
func (w *world) finish(s scene) {
	w.t.Helper()
	want := []string{"s02", "s01"}
	switch s.name {
	case "start":
		want = nil
	case "undo":
		want = []string{"s02", "s01"} // the undo is a commit of its own
		w.same("undone", w.remote("log", "-1", "--format=%(trailers:key=Agent-Undo,valueonly)", "agent-run/r-1"), "s02")
	default:
		if !slices.Contains(w.certificates(), "s02") {
			if code, out := w.agent(append([]string{"step", "s02", "--"}, job("s02", "done")...)...); code != 0 {
				w.fail("step again: exit %d\n%s", code, out)
			}
		}
	}
	w.same("certificates", fmt.Sprint(w.certificates()), fmt.Sprint(want))
	w.same("pushed", w.remote("rev-parse", "refs/heads/agent-run/r-1", "refs/agent/r-1"), w.git("rev-parse", "refs/heads/agent-run/r-1", "refs/agent/r-1"))
	w.same("status", w.git("status", "--porcelain", "-uall"), "")
	w.same("fsck", w.git("fsck", "--no-progress", "--no-dangling"), "")
	w.same("leftovers", fmt.Sprint(w.leftovers()), "[]")
}
