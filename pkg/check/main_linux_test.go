package check

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary is its own supervisor, and its own runner that can be killed.
const (
	superviseWord = "__supervise"
	runnerWord    = "__runner"
	leftoversWord = "__leftovers"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case superviseWord:
			os.Exit(Supervise(os.Args[2:], os.Environ(), os.Stderr))
		case runnerWord:
			os.Exit(runnerMain(os.Args[2]))
		case leftoversWord:
			fmt.Println(leftovers(os.Args[2]))
			return
		}
	}
	os.Exit(m.Run())
}

// runnerMain runs one command, its output to stdout, and prints the outcome as
// the last line.
func runnerMain(raw string) int {
	var c Command
	if err := json.Unmarshal([]byte(raw), &c); err != nil {
		fmt.Println(err)
		return 1
	}
	res, err := testRunner().Run(context.Background(), c, os.Stdout)
	fmt.Printf("outcome %v error %v\n", res.Outcome, err)
	return 0
}

const testGrace = 200 * time.Millisecond

func testRunner() Runner {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Runner{Supervisor: []string{self, superviseWord}, Grace: testGrace, Now: time.Now}
}

// newMark is an environment entry that only the processes of one test carry.
func newMark(t *testing.T) string {
	t.Helper()
	mark := "CHECK_TEST_MARK=" + rand.Text()
	t.Cleanup(func() { _ = endMarked(context.Background(), mark, 0) })
	return mark
}

func testEnv(extra ...string) []string {
	// GORACE: built with -race, every supervisor would sleep a second at its end.
	return append([]string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C", "GORACE=atexit_sleep_ms=0"}, extra...)
}

// line is a shell command with a mark, in a folder of its own.
func line(t *testing.T, run string) (Command, string) {
	t.Helper()
	mark := newMark(t)
	return Command{Run: run, Dir: t.TempDir(), Env: testEnv(mark)}, mark
}

func mustRun(t *testing.T, c Command) Result {
	t.Helper()
	res, err := testRunner().Run(t.Context(), c, nil)
	if err != nil {
		t.Fatalf("run %q: %v\n%s", c.name(), err, res.Merged.Bytes)
	}
	return res
}

// eventually polls: real processes end when they end.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	over := time.After(10 * time.Second)
	for !cond() {
		select {
		case <-over:
			t.Fatalf("not in 10 s: %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func mustMarked(t *testing.T, mark string) []int {
	t.Helper()
	found, err := marked(mark)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func wantNoneLeft(t *testing.T, mark string) {
	t.Helper()
	for _, pid := range mustMarked(t, mark) {
		cmdline, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		t.Errorf("process %d is left: %q", pid, cmdline)
	}
}

// supervisorOf finds the supervisor among the marked processes.
func supervisorOf(t *testing.T, mark string) int {
	t.Helper()
	for _, pid := range mustMarked(t, mark) {
		cmdline, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if words := strings.Split(string(cmdline), "\x00"); len(words) > 1 && words[1] == superviseWord {
			return pid
		}
	}
	t.Fatal("no supervisor is running")
	return 0
}

// watcher is a live writer that closes seen when the wanted text came.
type watcher struct {
	mu   sync.Mutex
	want string
	got  bytes.Buffer
	seen chan struct{}
	once sync.Once
}

func watchFor(want string) *watcher { return &watcher{want: want, seen: make(chan struct{})} }

func (w *watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got.Write(p)
	if strings.Contains(w.got.String(), w.want) {
		w.once.Do(func() { close(w.seen) })
	}
	return len(p), nil
}

func (w *watcher) wait(t *testing.T) {
	t.Helper()
	select {
	case <-w.seen:
	case <-time.After(10 * time.Second):
		t.Fatalf("the command did not print %q", w.want)
	}
}

func (w *watcher) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.got.String()
}

// startRunner starts a runner process of its own for c.
func startRunner(t *testing.T, c Command, out *watcher) *exec.Cmd {
	t.Helper()
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, runnerWord, string(raw))
	cmd.Env = testEnv()
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}
