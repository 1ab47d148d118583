package killat

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// sweepVar says how much TestSweep does: "full" tries every point, a duration
// (100s) as many as it lasts for, spread evenly. Unset, it tries one of each
// scene.
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

// spot is one run: a harm at one point of a scene.
type spot struct {
	scene scene
	harm  harm
	from  *world
	n     int
}

func (s spot) String() string { return fmt.Sprintf("%s, %s, %d", s.scene.name, s.harm.name, s.n) }

// TestSweep does every harm at every point of every scene, goes on, and looks
// whether a step or work was lost, done twice, or needs a person.
func TestSweep(t *testing.T) {
	how := os.Getenv(sweepVar)
	rows := plan(t, newWorld(t), harms, how)
	spots, tried := make(chan spot), 0
	go func() {
		defer close(spots)
		tried = deal(rows, spots, how, time.Now())
	}()
	t.Run("points", func(t *testing.T) {
		for i := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint("worker ", i), func(t *testing.T) {
				t.Parallel()
				for s := range spots {
					t.Run(s.String(), func(t *testing.T) { s.from.copy(t).survives(s) })
				}
			})
		}
	})
	all := 0
	for _, row := range rows {
		all += len(row)
	}
	t.Logf("%d of %d points, %d scenes, %d harms", tried, all, len(scenes), len(harms))
}

// plan is every point, a row for each scene and harm.
func plan(t *testing.T, start *world, harms []harm, how string) (rows [][]spot) {
	for i := range harms {
		for j, s := range scenes {
			h := harms[(i+j)%len(harms)] // so that the first rows have all of both
			from := start.prepared(t, s)
			points := from.copy(t).run(s, append(slices.Clone(h.args), "-n", "0")).Points
			if points == 0 {
				t.Fatalf("%s, %s: there is no point to act at", s.name, h.name)
			}
			var row []spot
			for _, n := range order(points) {
				row = append(row, spot{s, h, from, n})
			}
			rows = append(rows, row)
		}
		if how == "" {
			break
		}
	}
	return rows
}

// deal hands out one point of each row after the other, until none is left or
// the time is over, and answers how many.
func deal(rows [][]spot, to chan<- spot, how string, begun time.Time) (dealt int) {
	limit, _ := time.ParseDuration(how) // none where it is "full"
	for round, more := 0, true; more; round++ {
		more = false
		for _, row := range rows {
			if round >= len(row) || limit > 0 && time.Since(begun) > limit || how == "" && round > 0 {
				continue
			}
			more = true
			to <- row[round]
			dealt++
		}
	}
	return dealt
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

// survives does the harm and requires that all is well afterwards.
func (w *world) survives(at spot) {
	w.t.Helper()
	s, work := at.scene, w.work()
	r := w.run(s, append(slices.Clone(at.harm.args), "-n", fmt.Sprint(at.n)))
	w.what = fmt.Sprintf("%v of %d (%s), exit %d", at, r.Points, r.At, r.Exit)
	if w.after != nil {
		w.after()
	} else {
		work = w.work()
	}
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
