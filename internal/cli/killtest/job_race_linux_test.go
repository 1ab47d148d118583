package killtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/journal"
)

// meanwhile runs git agent, and a shell command, once, when it reaches the point.
func (w *killWorld) meanwhile(point, command string, args ...string) (int, string) {
	w.t.Helper()
	cmd := exec.Command("git-agent", args...)
	cmd.Dir, cmd.Env = w.work, w.environ("DO_AT="+point, "DO="+command)
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

// completion is the newest attempt's, of its job's log; nil: there is none.
func (w *killWorld) completion(attempt string) *journal.Completion {
	w.t.Helper()
	r := w.logReader(attempt)
	defer func() { _ = r.Close() }()
	st, err := r.State()
	w.check(err)
	return st.Completion
}

func (w *killWorld) logReader(attempt string) *journal.Reader {
	w.t.Helper()
	names, err := filepath.Glob(filepath.Join(w.work, ".git/agent/r-1/logs", attempt+"-*"))
	w.check(err)
	if len(names) != 1 {
		w.t.Fatalf("folders of attempt %s: %v", attempt, names)
	}
	root, err := os.OpenRoot(names[0])
	w.check(err)
	w.t.Cleanup(func() { _ = root.Close() })
	r, err := journal.OpenReader(journal.RootFolder(root, "."), "job")
	w.check(err)
	return r
}

func (w *killWorld) step(what string) []string {
	return append([]string{"step", "s02", "--"}, w.job("s02", what)...)
}

var exited0 = journal.End{Kind: journal.Exited}

// A cancel that comes when the step is certified and pushed stops what would
// come next, and takes nothing back.
func TestRace_lateCancel(t *testing.T) {
	w := newKillWorld(t)
	code, out := w.meanwhile("row11", "git-agent cancel s02 --run r-1 > ../count/cancel 2>&1", w.step("done")...)
	w.want("the cancel", strings.HasPrefix(w.read("../count/cancel"), "run r-1 is cancelled"), true)
	if code != 0 && !(code == 3 && strings.Contains(out, "what is certified is saved")) { // heard before the end, or not
		t.Errorf("step: exit %d\n%s", code, out)
	}
	w.want("end", w.completion("s02-2").End, exited0)
	w.want("certificates", w.certificates(), []string{"s02", "s01"})
	w.clean(true)
}

// A request that was meant for an earlier runner, and was left lying, stops
// nobody who came later.
func TestRace_lateCancel_successor(t *testing.T) {
	w := newKillWorld(t)
	w.must(1, w.step("half")...)
	w.must(0, "resume")
	w.write(".git/agent/r-1/cancel.json", `{"for":{"boot":"x","pid":1,"start":1},"by":"somebody"}`)
	w.must(0, w.step("done")...)
	w.want("end of the earlier", w.completion("s02-2").End, exited0)
	w.want("end of the successor", w.completion("s02-3").End, exited0)
	w.want("certificates", w.certificates(), []string{"s02", "s01"})
}

// Whoever looks while an attempt ends publishes nothing: not a byte in the
// private folder, and no ref, is another one after the look.
func TestRace_lateRefresh(t *testing.T) {
	w := newKillWorld(t)
	for _, point := range []string{"job-ended", "row10", "row11"} {
		w := w.copy(t)
		look := `h() { find .git/agent .git/refs -type f -exec sha256sum {} + | sort; }
			h > ../before
			for c in status "status --json" brief runs log "logs s02" "logs s02 --json" "stash list"; do git-agent $c > ../said 2>&1; done
			h > ../after; cmp ../before ../after`
		code, out := w.meanwhile(point, look, w.step("done")...)
		w.want("step", code, 0)
		if strings.Contains(out, "differ") {
			t.Errorf("at %s a reader changed something:\n%s", point, out)
		}
	}
}

// A cancel while the job still pours out: it is ended, all that it wrote until
// then is in the log, nothing is recorded, and a resume begins nothing.
func TestRace_cancelDuringDrain(t *testing.T) {
	w := newKillWorld(t)
	before := w.git("rev-parse", "refs/agent/r-1")
	job := w.job("s02", "half")
	job[2] += `; trap 'echo last; exit 1' TERM; while :; do echo 0123456789; echo 9876543210 >&2; done`
	go func() {
		w.poll(func() bool { return w.logged("s02-2") > 1<<20 })
		_ = w.quiet("cancel", "r-1")
	}()
	code, out := w.run("", append([]string{"step", "s02", "--"}, job...)...)
	if code != 3 || !strings.Contains(out, "cancelled") {
		t.Fatalf("exit %d\n%s", code, out[max(0, len(out)-500):])
	}
	c := w.completion("s02-2")
	w.want("end", c.Kind, journal.Cancelled)
	var b bytes.Buffer
	_, err := w.logReader("s02-2").Copy(&b, journal.View{Stream: journal.Stdout})
	w.check(err)
	w.want("all of it", int64(b.Len()), c.Stdout.Length)
	w.want("its last word", strings.HasSuffix(b.String(), "\nlast\n") || strings.HasSuffix(b.String(), "0last\n"), true)
	w.want("plan ref", w.git("rev-parse", "refs/agent/r-1"), before)
	w.must(3, "resume")
	w.want("certificates", w.certificates(), []string{"s01"})
}

// logged is how much of an attempt's log lies there.
func (w *killWorld) logged(attempt string) int64 {
	names, _ := filepath.Glob(filepath.Join(w.work, ".git/agent/r-1/logs", attempt+"-*", "job.log"))
	if len(names) != 1 {
		return 0
	}
	info, err := os.Stat(names[0])
	if err != nil {
		return 0
	}
	return info.Size()
}

func (w *killWorld) quiet(args ...string) error {
	cmd := exec.Command("git-agent", args...)
	cmd.Dir, cmd.Env = w.work, w.environ()
	return cmd.Run()
}

// While the runner ends an attempt, the attempt gets another owner, or is
// replaced by a later one: it records nothing, and the row stays as it is.
func TestRace_fenceAgainstOwnerChangeAndReplacement(t *testing.T) {
	start := newKillWorld(t)
	for _, c := range []struct{ name, point, edit string }{
		{"owner, job", "job-ended", `s/"start": [0-9]*/"start": 1/`}, {"owner, checks", "row6", `s/"start": [0-9]*/"start": 1/`},
		{"replaced, job", "job-ended", `s/"id": "....../"id": "ffffff/`}, {"replaced, checks", "row6", `s/"id": "....../"id": "ffffff/`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			row := ".git/agent/r-1/attempts/s02.json"
			// job-ended is asked under the fence, right after the look at the row.
			point := map[string]string{"job-ended": "job-begun"}[c.point]
			if point == "" {
				point = c.point
			}
			code, out := w.meanwhile(point, "sed -i '"+c.edit+"' "+row+"; cp "+row+" ../count/row", w.step("done")...)
			if code != 6 || !strings.Contains(out, "not this command's any more") {
				t.Fatalf("exit %d\n%s", code, out)
			}
			w.want("row", w.read(row), w.read("../count/row"))
			w.want("certificates", w.certificates(), []string{"s01"})
			if c.point == "job-ended" {
				w.want("completion", w.completion("s02-2"), (*journal.Completion)(nil))
			}
		})
	}
}

// The clean-up of an attempt that is over leaves the row of a later one alone.
func TestRace_oldCleanUpAgainstNewerAttempt(t *testing.T) {
	w := newKillWorld(t)
	row := ".git/agent/r-1/attempts/s02.json"
	code, out := w.meanwhile("row11", `sed -i 's/"id": "....../"id": "ffffff/' `+row+"; cp "+row+" ../count/row", w.step("done")...)
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	w.want("the newer one's row", w.read(row), w.read("../count/row"))
}
