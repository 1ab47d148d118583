package killtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/journal"
)

// orphan is run by a job or a check, with the pid of the supervisor. It kills
// the runner and the supervisor above it, so that neither can end anything,
// and goes on writing into the tree.
const orphan = `read -r _ _ _ runner _ < /proc/$1/stat
echo $$ >> "$COUNT/pids"
kill -STOP $1; kill -KILL $runner; kill -KILL $1
while grep -qs '^State:[[:space:]]*[^ZX]' /proc/$runner/status /proc/$1/status; do :; done # a signal takes effect when it is its turn
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

// TestResume_runnerAndSupervisorKilled: a check outside any attempt is found by
// the mark of the command that ran it, whatever comes next.
func TestResume_runnerAndSupervisorKilled(t *testing.T) {
	start := newKillWorld(t)
	for _, next := range []string{"resume", "step", "rollback"} {
		t.Run(next, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			t.Cleanup(w.endPids)
			w.write("../orphan", orphan)
			w.write("../count/orphan", `sh "$COUNT/../orphan" $PPID & wait`)
			if got, out := w.run("", "resume", "--recheck"); got != -int(syscall.SIGKILL) {
				t.Fatalf("the runner was to be killed: exit %d\n%s", got, out)
			}
			w.check(os.RemoveAll(filepath.Join(w.dir, "count", "orphan")))
			w.poll(func() bool { return strings.Contains(w.read("a/s02.txt"), "again\nagain\n") })
			switch next {
			case "step":
				w.must(3, append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...) // on what the orphan wrote
			case "rollback":
				w.must(0, "rollback", "s02")
			}
			if next != "resume" {
				w.gone()
			}
			w.must(0, "resume")
			w.gone()
			w.clean(false)
		})
	}
}

// TestAnyCommand_runnerAndSupervisorKilled: whatever a command runs that may not
// outlive it is found by whichever comes next, one that takes no lock and one
// that does not look at the tree included.
func TestAnyCommand_runnerAndSupervisorKilled(t *testing.T) {
	start := newKillWorld(t)
	judged := start.copy(t) // its second step has an open attempt that failed
	judged.must(1, append([]string{"step", "s02", "--"}, judged.job("s02", "early")...)...)
	for _, c := range []struct {
		from *killWorld
		dies string // in a check
		next string
		exit int
	}{
		{from: start, dies: "check s02", next: "resume"}, {from: start, dies: "check s02", next: "check s02", exit: 1},
		{from: start, dies: "audit", next: "resume"}, {from: start, dies: "audit", next: "audit"},
		{from: start, dies: "plan lint --run-checks", next: "step s02", exit: 1},
		{from: judged, dies: "step s02", next: "resume"}, {from: judged, dies: "resume", next: "step s02", exit: 1},
		{from: judged, dies: "step s02", next: "plan amend r-1 ../amended.yaml"}, {from: judged, dies: "resume", next: "land", exit: 1},
		{from: judged, dies: "step s02", next: "stash apply refs/agent-stash/r-1/s02/1"}, {from: judged, dies: "resume", next: "cancel"},
	} {
		t.Run(c.dies+", then "+c.next, func(t *testing.T) {
			t.Parallel()
			w := c.from.copy(t)
			t.Cleanup(w.endPids)
			text := w.read("../plan.yaml")
			w.write("../amended.yaml", strings.Replace(text, "title: killed", "title: amended", 1))
			w.write("../orphan", strings.ReplaceAll(orphan, "a/s02.txt", `"$COUNT/../wrote"`))
			w.write("../count/orphan", `sh "$COUNT/../orphan" $PPID & wait`)
			if got, out := w.run("", strings.Fields(c.dies)...); got != -int(syscall.SIGKILL) {
				t.Fatalf("the runner was to be killed: exit %d\n%s", got, out)
			}
			w.check(os.RemoveAll(filepath.Join(w.dir, "count", "orphan")))
			w.poll(func() bool { return w.exists("../wrote") })
			w.must(c.exit, strings.Fields(c.next)...)
			w.gone()
		})
	}
}

// TestCheck_livesBesideOthers: what a live command runs is nobody else's to end,
// though it takes no lock.
func TestCheck_livesBesideOthers(t *testing.T) {
	w := newKillWorld(t)
	t.Cleanup(w.endPids)
	w.write("../count/orphan", `echo $$ >> "$COUNT/pids"; while test ! -e "$COUNT/go"; do sleep 0.02; done`)
	cmd := exec.Command("git-agent", "check", "s02")
	cmd.Dir, cmd.Env = w.work, w.environ()
	w.check(cmd.Start())
	w.poll(func() bool { return len(w.pids()) == 1 })
	w.check(os.RemoveAll(filepath.Join(w.dir, "count", "orphan")))
	w.must(0, "resume")
	w.must(1, "check", "s02")
	w.want("it lives", w.lives(w.pids()[0]), true)
	w.write("../count/go", "")
	_ = cmd.Wait()
	w.want("its own answer", cmd.ProcessState.ExitCode(), 1)
}

// lone is run by a job: it kills the runner alone and goes on when it is let.
const lone = `read -r _ _ _ runner _ < /proc/$1/stat
echo $$ >> "$COUNT/pids"; kill -KILL $runner
echo "out of the job"; echo "err of the job" >&2
while test ! -e "$COUNT/go"; do sleep 0.02; done
. "$COUNT/finish"`

// TestStep_runnerKilledInMidJob: the job goes on by itself; everybody but
// resume is busy, resume waits for it, and the work is neither lost nor done twice.
func TestStep_runnerKilledInMidJob(t *testing.T) {
	start := newKillWorld(t)
	for _, c := range []struct{ name, rest string }{{"done", "done"}, {"half", "half"}, {"killed again and again", "done"}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.write("../count/finish", fmt.Sprintf(doStep, "s02", c.rest))
			w.orphaned(lone, "sh")
			w.must(6, "step", "s02")
			w.must(6, append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...)
			w.must(6, "rollback", "s02")
			w.want("next is running", strings.Contains(w.must(0, "status", "--json"), `"status":"running"`), true)
			if c.name == "killed again and again" {
				for range 3 {
					w.dies("job-adopted", "resume")
				}
			}
			w.interrupted("resume")
			w.write("../count/go", "")
			w.must(0, "resume")
			w.gone()
			w.want("jobs", w.counted("job-s02"), 1)
			if c.rest == "half" {
				w.preserved("refs/agent-stash/r-1/s02/2", "half")
			}
			w.clean(c.rest == "done")
			w.wantLog("out of the job\nerr of the job\n")
		})
	}
}

// TestStep_supervisorKilledInMidJob: nobody saw how the job ended; the runner
// ends what is left of it, says so, and checks nothing.
func TestStep_supervisorKilledInMidJob(t *testing.T) {
	w := newKillWorld(t)
	t.Cleanup(w.endPids)
	w.write("../orphan", `echo $$ >> "$COUNT/pids"; echo again >> a/s02.txt; kill -KILL $1; while :; do echo again >> a/s02.txt; done`)
	job := w.job("s02", "half")
	job[2] += `; setsid sh "$COUNT/../orphan" $PPID & wait`
	out := w.must(75, append([]string{"step", "s02", "--"}, job...)...)
	w.want("says", strings.Contains(out, "nobody saw how the job ended"), true)
	w.gone()
	w.want("end", w.completion("s02-2").Kind, journal.Interrupted)
	w.want("checks", w.counted("check-s02"), 0)
	w.must(0, "resume")
	w.want("kept change", w.git("show", "refs/agent-stash/r-1/s02/2:a/s02.txt")[:10], "half\nagain")
	w.clean(false)
}

// TestStep_killedAroundTheJobsStart: before there is a supervisor nothing ran;
// from its start on the job is done once, whoever is there to see its end.
func TestStep_killedAroundTheJobsStart(t *testing.T) {
	start := newKillWorld(t)
	for _, c := range []struct {
		point string
		jobs  int
	}{{"job-opened", 0}, {"job-begun", 1}, {"job-ended", 1}} {
		t.Run(c.point, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.dies(c.point, append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...)
			for range 2 {
				w.must(0, "resume") // the second has nothing to do
			}
			w.want("jobs", w.counted("job-s02"), c.jobs)
			w.want("checks", w.counted("check-s02"), c.jobs)
			w.clean(c.jobs == 1)
			w.finish("done")
		})
	}
}

// interrupted runs git agent, waits until it says that it waits, and interrupts
// it: 75, and the job goes on.
func (w *killWorld) interrupted(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git-agent", args...)
	cmd.Dir, cmd.Env = w.work, w.environ()
	stderr, err := cmd.StderrPipe()
	w.check(err)
	w.check(cmd.Start())
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "waiting for it") {
			w.check(cmd.Process.Signal(syscall.SIGINT))
		}
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 75 || !strings.Contains(said.String(), "goes on by itself") {
		w.t.Fatalf("interrupted: exit %d\n%s", got, said.String())
	}
	for _, pid := range w.pids() {
		w.want("the job lives", w.lives(pid), true)
	}
}

// wantLog: the newest attempt's log has exactly this, in either order of the
// two lines.
func (w *killWorld) wantLog(want string) {
	w.t.Helper()
	names, err := filepath.Glob(filepath.Join(w.work, ".git/agent/r-1/logs/s02-2-*/job.log"))
	w.check(err)
	if len(names) != 1 {
		w.t.Fatalf("logs: %v", names)
	}
	got, err := os.ReadFile(names[0])
	w.check(err)
	lines := strings.SplitAfter(string(got), "\n")
	slices.Sort(lines)
	wanted := strings.SplitAfter(want, "\n")
	slices.Sort(wanted)
	w.want("the job's log", lines, wanted)
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
