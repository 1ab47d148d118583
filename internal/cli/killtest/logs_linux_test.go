package killtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// logWorld is a run whose first step's job prints, waits for a word and prints
// again; what it printed is known.
type logWorld struct{ *killWorld }

const logJob = `echo x >> "$COUNT/job"; echo one; echo two >&2; : > "$COUNT/up"; for i in $(seq 400); do test -e "$COUNT/go" && break; sleep 0.05; done; echo three; ` + doStep

func newLogWorld(t *testing.T) *logWorld {
	t.Helper()
	w := &logWorld{emptyKillWorld(t)}
	w.must(0, "start", "../plan.yaml", "--run", "r-1")
	return w
}

// begins starts the step and answers once its job has printed.
func (w *logWorld) begins() *exec.Cmd {
	w.t.Helper()
	c := w.starts("step", "s01", "--", "sh", "-c", fmt.Sprintf(logJob, "s01", "done"))
	w.await("the job to print", func() bool { return w.counted("job") > 0 && w.there("up") })
	return c
}

// heard is what a process said so far.
type heard struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}

func (w *logWorld) there(name string) bool {
	_, err := os.Lstat(filepath.Join(w.dir, "count", name))
	return err == nil
}

func (w *logWorld) goOn() { w.write("../count/go", "") }

// starts runs git agent in the background; its end is the test's business.
func (w *logWorld) starts(args ...string) *exec.Cmd {
	w.t.Helper()
	c := exec.Command("git-agent", args...)
	c.Dir, c.Env = w.work, w.environ()
	c.Stdout, c.Stderr = &heard{}, &heard{}
	w.check(c.Start())
	w.t.Cleanup(func() { _ = c.Process.Kill() })
	return c
}

// ends waits for a command, at most the given time, and answers its exit status.
func (w *logWorld) ends(c *exec.Cmd, within time.Duration) int {
	w.t.Helper()
	done := make(chan struct{})
	go func() {
		_ = c.Wait() // its exit status says it
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(within):
		w.t.Fatalf("%q did not end within %s\n%s%s", c.Args, within, c.Stdout, c.Stderr)
	}
	return c.ProcessState.ExitCode()
}

func (w *logWorld) await(what string, is func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("waited for %s in vain", what)
		}
	}
}

// saw requires that a follower of one stream has exactly this.
func saw(t *testing.T, c *exec.Cmd, want string) {
	t.Helper()
	if got := fmt.Sprint(c.Stdout); got != want {
		t.Errorf("%q saw %q, want %q (and said %s)", c.Args, got, want, c.Stderr)
	}
}

// followerEnds is how long a follower may take once the log is complete. A second is
// the promise; the rest is for a machine that is busy with other tests.
const followerEnds = 3 * time.Second

// TestCase138_followersEndWithTheJob: followers begun before the end, in its
// middle and after it see all of it, and end within a second of completion. One
// that begins with the last lines prints none of them twice (case 143).
func TestCase138_followersEndWithTheJob(t *testing.T) {
	t.Parallel()
	w := newLogWorld(t)
	step := w.begins()
	whole, tail := w.starts("logs", "s01", "-f", "--stdout"), w.starts("logs", "-f", "-n", "5", "--stdout")
	errs := w.starts("logs", "-F", "--stderr")
	onward := w.starts("logs", "-F", "--stdout", "s01")
	w.await("the followers to look", func() bool { return fmt.Sprint(whole.Stdout) == "one\n" && fmt.Sprint(onward.Stdout) == "one\n" })
	w.goOn()
	if code := w.ends(step, 20*time.Second); code != 0 {
		t.Fatalf("step: exit %d\n%s", code, step.Stderr)
	}
	for _, c := range []*exec.Cmd{whole, tail, errs, onward} {
		if code := w.ends(c, followerEnds); code != 0 {
			t.Errorf("%q: exit %d\n%s", c.Args, code, c.Stderr)
		}
	}
	saw(t, whole, "one\nthree\n")
	saw(t, onward, "one\nthree\n")
	saw(t, errs, "two\n")
	saw(t, tail, "one\nthree\n")
	after := w.starts("logs", "s01", "-f", "--stdout")
	if code := w.ends(after, followerEnds); code != 0 || !strings.Contains(fmt.Sprint(after.Stderr), "the job ended with exit=0") {
		t.Errorf("after the end: exit %d, %s", code, after.Stderr)
	}
	saw(t, after, "one\nthree\n")
}

// TestCase139_followerOfAKilledOwnerEnds: a follower of an attempt whose runner and supervisor
// were killed ends, and says that it was interrupted; once resume has closed
// the attempt its log is complete, and has all that the job wrote.
func TestCase139_followerOfAKilledOwnerEnds(t *testing.T) {
	t.Parallel()
	w := newLogWorld(t)
	step := w.begins()
	follower := w.starts("logs", "-f", "--stdout")
	w.await("the follower to look", func() bool { return fmt.Sprint(follower.Stdout) == "one\n" })
	supervisor := w.supervisor()
	w.check(step.Process.Kill())
	_ = step.Wait()
	w.check(syscall.Kill(supervisor, syscall.SIGKILL))
	if code := w.ends(follower, followerEnds); code != 7 {
		t.Errorf("exit %d", code)
	}
	saw(t, follower, "one\n")
	for _, word := range []string{"interrupted", "hint: git agent resume r-1"} {
		if !strings.Contains(fmt.Sprint(follower.Stderr), word) {
			t.Errorf("it does not say %q:\n%s", word, follower.Stderr)
		}
	}
	late := w.starts("logs", "-f", "--json")
	if code := w.ends(late, followerEnds); code != 7 || !strings.Contains(fmt.Sprint(late.Stderr), `"code":"LOG_COMPLETION_UNKNOWN"`) {
		t.Errorf("begun after the kill: exit %d\n%s", code, late.Stderr)
	}
	w.must(0, "resume")
	closed := w.starts("logs", "s01", "--attempt", "1", "-f", "--stdout")
	if code := w.ends(closed, followerEnds); code != 0 || !strings.Contains(fmt.Sprint(closed.Stderr), "was interrupted") {
		t.Errorf("closed: exit %d\n%s", code, closed.Stderr)
	}
	saw(t, closed, "one\n")
}

// supervisor is the pid of the attempt's.
func (w *logWorld) supervisor() int {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.work, ".git", "agent", "r-1", "logs", "*", "attempt.json"))
	if err != nil || len(files) != 1 {
		w.t.Fatalf("%d attempts, %v", len(files), err)
	}
	var facts struct {
		Supervisor struct {
			PID int `json:"pid"`
		} `json:"supervisor"`
	}
	data, err := os.ReadFile(files[0])
	w.check(err)
	w.check(json.Unmarshal(data, &facts))
	if facts.Supervisor.PID <= 1 {
		w.t.Fatalf("no supervisor in %s", data)
	}
	return facts.Supervisor.PID
}

// TestLogs_runnerKilled_jobGoesOn: the job outlives its runner; whoever follows
// waits, and sees the rest once a resume drains it.
func TestLogs_runnerKilled_jobGoesOn(t *testing.T) {
	t.Parallel()
	w := newLogWorld(t)
	step := w.begins()
	follower := w.starts("logs", "-f", "--stdout")
	w.await("the follower to look", func() bool { return fmt.Sprint(follower.Stdout) == "one\n" })
	w.check(step.Process.Kill())
	_ = step.Wait()
	resume := w.starts("resume")
	w.await("the resume to adopt the job", func() bool { return strings.Contains(fmt.Sprint(resume.Stderr), "waiting for it") })
	w.goOn()
	if code := w.ends(resume, 20*time.Second); code != 0 {
		t.Errorf("resume: exit %d\n%s", code, resume.Stderr)
	}
	if code := w.ends(follower, followerEnds); code != 0 {
		t.Errorf("exit %d\n%s", code, follower.Stderr)
	}
	saw(t, follower, "one\nthree\n")
	if got := w.counted("job"); got != 1 {
		t.Errorf("the job ran %d times", got)
	}
}

// TestLogs_stopsFollowing: Ctrl-C ends the follower and nothing else, and so
// does a reader that goes away.
func TestLogs_stopsFollowing(t *testing.T) {
	t.Parallel()
	w := newLogWorld(t)
	step := w.begins()
	follower := w.starts("logs", "-f")
	w.await("the follower to look", func() bool { return fmt.Sprint(follower.Stdout) != "" })
	w.check(follower.Process.Signal(os.Interrupt))
	if code := w.ends(follower, followerEnds); code != 75 || !strings.Contains(fmt.Sprint(follower.Stderr), "the job goes on") {
		t.Errorf("exit %d\n%s", code, follower.Stderr)
	}
	head := exec.Command("sh", "-c", "git-agent logs -f --stdout | head -n 1")
	head.Dir, head.Env, head.Stdout = w.work, w.environ(), &heard{}
	w.check(head.Start())
	w.await("the first line", func() bool { return fmt.Sprint(head.Stdout) == "one\n" })
	w.goOn()
	if code := w.ends(head, followerEnds); code != 0 {
		t.Errorf("exit %d", code)
	}
	if code := w.ends(step, 20*time.Second); code != 0 {
		t.Errorf("step: exit %d\n%s", code, step.Stderr)
	}
}

// TestLogs_damage: every kind of damage is named by file and offset, a log
// without index can be read as a whole, and nothing is changed.
func TestLogs_damage(t *testing.T) {
	t.Parallel()
	w := newLogWorld(t)
	w.goOn()
	w.must(0, "step", "s01", "--", "sh", "-c", fmt.Sprintf(logJob, "s01", "done"))
	files, err := filepath.Glob(filepath.Join(w.work, ".git", "agent", "r-1", "logs", "*", "job.index"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d logs, %v", len(files), err)
	}
	index := files[0]
	whole, err := os.ReadFile(index)
	w.check(err)
	bad := append([]byte(nil), whole...)
	bad[40] ^= 1
	w.check(os.WriteFile(index, bad, 0o600))
	if out := w.must(7, "logs", "s01", "--json"); !strings.Contains(out, `"code":"LOG_DAMAGED"`) || !strings.Contains(out, `offset 0`) || !strings.Contains(out, "job.index") {
		t.Errorf("damaged: %s", out)
	}
	if now, err := os.ReadFile(index); err != nil || !bytes.Equal(now, bad) {
		t.Error("a reader changed the index")
	}
	w.check(os.Remove(index))
	if out := w.must(0, "logs", "s01"); !strings.Contains(out, "one\n") || !strings.Contains(out, "three\n") {
		t.Errorf("without index: %q", out)
	}
	if out := w.must(7, "logs", "s01", "--stderr", "--json"); !strings.Contains(out, `"code":"LOG_CHECKPOINT_MISSING"`) {
		t.Errorf("one stream without index: %s", out)
	}
	if out := w.must(7, "logs", "s01", "-f", "--json"); !strings.Contains(out, `"code":"LOG_COMPLETION_UNKNOWN"`) {
		t.Errorf("followed without index: %s", out)
	}
}
