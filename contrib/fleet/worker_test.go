package fleet

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestWorker: what it makes of the exit statuses of git-agent, one after the
// other. A script stands in for it here; internal/remotetest has the real one.
func TestWorker(t *testing.T) {
	for _, c := range []struct {
		name, ends string // of git-agent, the last one repeated
		want       int
		calls      int
	}{
		{"finished", "0", 0, 1},
		{"a person is needed", "3", 3, 1},
		{"the answer is no", "1", 1, 1},
		{"lost", "4", 4, 1},
		{"again", "75", 75, 1},
		{"git died of the signal", "143", 75, 1},
		{"killed", "137", 137, 1},
		{"not pushed, then pushed", "5 5 0", 0, 3},
		{"never pushed", "5", 5, 4},
		{"busy, then a person", "6 3", 3, 2},
		{"busy all the time", "6", 75, 4},
		{"no answer, then an interrupt", "7 75", 75, 2},
		{"never an answer", "7", 7, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorker(t, `n=$(wc -l < calls); set -- `+c.ends+`; while test $n -gt 1 && test $# -gt 1; do shift; n=$((n - 1)); done; exit $1`)
			code := w.run()
			if calls := w.calls(); code != c.want || len(calls) != c.calls || calls[0] != "run r-1 --agent some thing" {
				t.Errorf("exit %d, want %d; %d calls, want %d: %q\n%s", code, c.want, len(calls), c.calls, calls, &w.out)
			}
		})
	}
}

// TestWorker_signals: whoever is the first process of a container alone gets the
// signal: it is passed on, and the answer waited for.
func TestWorker_signals(t *testing.T) {
	for name, script := range map[string]string{
		"while git-agent works": `trap 'echo told >> calls; exit 75' TERM; : > ready; while :; do sleep 0.01; done`,
		"while it waits":        `: > ready; exit 6`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorker(t, script)
			w.cmd.Env = append(w.cmd.Env, "GIT_AGENT_WAIT=600")
			if err := w.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ready := filepath.Join(w.dir, "r-1", "ready")
			for end := time.Now().Add(30 * time.Second); ; runtime.Gosched() {
				if _, err := os.Stat(ready); err == nil {
					break
				}
				if time.Now().After(end) {
					t.Fatal("git-agent was never called")
				}
			}
			if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = w.cmd.Wait()
			if code := w.cmd.ProcessState.ExitCode(); code != 75 {
				t.Errorf("exit %d\n%s", code, &w.out)
			}
		})
	}
}

func TestWorker_clones(t *testing.T) {
	w := newWorker(t, "exit 0")
	if code := w.run(); code != 0 {
		t.Fatalf("exit %d\n%s", code, &w.out)
	}
	again := newWorker(t, "exit 0")
	again.cmd.Dir, again.cmd.Args[1] = w.dir, "file:///nowhere" // what is there already is used
	again.cmd.Env = w.cmd.Env
	if code := again.run(); code != 0 {
		t.Errorf("exit %d\n%s", code, &again.out)
	}
	none := newWorker(t, "exit 0")
	none.cmd.Args[1] = "file:///nowhere"
	if code := none.run(); code != 7 {
		t.Errorf("no repository: exit %d", code)
	}
}

type worker struct {
	t   *testing.T
	dir string
	cmd *exec.Cmd
	out bytes.Buffer
}

// newWorker is a worker, not started, whose git-agent is a script.
func newWorker(t *testing.T, agent string) *worker {
	t.Helper()
	need(t, "sh")
	r := gittest.NewWithFiles(t, map[string]string{"README": "hello\n"})
	w := &worker{t: t, dir: t.TempDir()}
	bin := filepath.Join(w.dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(bin, "git-agent"), "#!/bin/sh\necho \"$@\" >> calls\n"+agent+"\n", 0o755)
	path, err := filepath.Abs("worker")
	if err != nil {
		t.Fatal(err)
	}
	w.cmd = exec.Command(path, "file://"+r.Dir, "r-1", "--agent", "some thing")
	w.cmd.Dir = w.dir
	w.cmd.Env = gittest.Env(t, "PATH="+bin+":"+os.Getenv("PATH"), "GIT_AGENT_WAIT=0", "GIT_AGENT_RETRIES=3")
	w.cmd.Stdout, w.cmd.Stderr = &w.out, &w.out
	return w
}

func (w *worker) run() int {
	w.t.Helper()
	_ = w.cmd.Run()
	return w.cmd.ProcessState.ExitCode()
}

func (w *worker) calls() []string {
	data, _ := os.ReadFile(filepath.Join(w.dir, "r-1", "calls"))
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}
