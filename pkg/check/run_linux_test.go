package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestRunner_Run_outcomes(t *testing.T) {
	for _, tc := range []struct {
		run  string
		want Outcome
		env  bool
	}{
		{"true", Outcome{Exit, 0}, false},
		{"false", Outcome{Exit, 1}, false},
		{"exit 300", Outcome{Exit, 44}, false},
		{"exit 126", Outcome{Exit, 126}, false},
		{"kill -TERM $$", Outcome{Signal, 15}, false},
		{"kill -SEGV $$", Outcome{Signal, 11}, false},
		{"kill -KILL $$", Outcome{Signal, 9}, true},
		{"sh -c 'kill -9 $$'; exit $?", Outcome{Exit, 137}, false},
		{"no-such-command-here", Outcome{Kind: NotFound}, true},
		{"A=1 B='x y' no-such-command-here -v", Outcome{Kind: NotFound}, true},
		{"sh -c 'no-such-command-here'", Outcome{Exit, 127}, false},
		{"true && no-such-command-here", Outcome{Exit, 127}, false},
		{"./no-such-script", Outcome{Exit, 127}, false},
		{"exit 127", Outcome{Exit, 127}, false},
	} {
		t.Run(tc.run, func(t *testing.T) {
			c, mark := line(t, tc.run)
			res := mustRun(t, c)
			if res.Outcome != tc.want || res.Environment != tc.env {
				t.Errorf("outcome %v, environment %t (%s); want %v, %t", res.Outcome, res.Environment, res.Reason, tc.want, tc.env)
			}
			if res.Environment == (res.Reason == "") {
				t.Errorf("environment %t with reason %q", res.Environment, res.Reason)
			}
			wantNoneLeft(t, mark)
		})
	}
}

func TestRunner_Run_argumentList(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tc := range []struct {
		name string
		argv []string
		want Outcome
		out  string
	}{
		{"no shell", []string{"printf", "%s|", "a b", "$HOME", ";"}, Outcome{Exit, 0}, "a b|$HOME|;|"},
		{"plain name missing", []string{"no-such-command-here"}, Outcome{Kind: NotFound}, ""},
		{"path missing", []string{"./missing"}, Outcome{Exit, 127}, ""},
		{"not executable", []string{write("plain", "x", 0o600)}, Outcome{Exit, 126}, ""},
		{"no interpreter line", []string{write("bare", "echo \"bare $1\"\n", 0o700), "one"}, Outcome{Exit, 0}, "bare one\n"},
		{"interpreter missing", []string{write("gone", "#!/no/such/interpreter\n", 0o700)}, Outcome{Exit, 127}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res := mustRun(t, Command{Argv: tc.argv, Dir: dir, Env: testEnv()})
			if res.Outcome != tc.want || string(res.Stdout.Bytes) != tc.out {
				t.Errorf("%v %q, want %v %q", res.Outcome, res.Stdout.Bytes, tc.want, tc.out)
			}
			if res.Environment != (tc.want.Kind == NotFound) {
				t.Errorf("environment %t", res.Environment)
			}
		})
	}
}

func TestRunner_Run_refusesBeforeStart(t *testing.T) {
	r, ok := testRunner(), Command{Run: "true", Env: testEnv()}
	for name, run := range map[string]func() (Result, error){
		"empty command": func() (Result, error) { return r.Run(t.Context(), Command{}, nil) },
		"blank line":    func() (Result, error) { return r.Run(t.Context(), Command{Run: " \n"}, nil) },
		"both forms":    func() (Result, error) { return r.Run(t.Context(), Command{Run: "a", Argv: []string{"b"}}, nil) },
		"no supervisor": func() (Result, error) { return Runner{Now: time.Now}.Run(t.Context(), ok, nil) },
		"no clock":      func() (Result, error) { return Runner{Supervisor: r.Supervisor}.Run(t.Context(), ok, nil) },
		"no folder":     func() (Result, error) { return r.Run(t.Context(), Command{Run: "true", Dir: "/no/such"}, nil) },
		"no input":      func() (Result, error) { return r.Run(t.Context(), Command{Run: "true", Stdin: "/no/such"}, nil) },
		"too long":      func() (Result, error) { return r.Run(t.Context(), Command{Run: strings.Repeat("x", 200<<10)}, nil) },
		"not a supervisor": func() (Result, error) {
			return Runner{Supervisor: []string{"/bin/true"}, Now: time.Now}.Run(t.Context(), ok, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if res, err := run(); err == nil || res.Outcome.Passed() {
				t.Errorf("outcome %v, error %v", res.Outcome, err)
			}
		})
	}
}

func TestRunner_Run_input(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brief")
	if err := os.WriteFile(path, []byte("the brief\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	res := mustRun(t, Command{Run: "cat; readlink /proc/self/fd/0", Env: testEnv(), Stdin: path})
	if got, want := string(res.Stdout.Bytes), "the brief\n"+path+"\n"; got != want {
		t.Errorf("with a file: %q, want %q", got, want)
	}
	res = mustRun(t, Command{Run: "cat; readlink /proc/self/fd/0; : </dev/tty", Env: testEnv()})
	if got := string(res.Stdout.Bytes); got != "/dev/null\n" {
		t.Errorf("without a file: %q", got)
	}
	if res.Outcome.Passed() {
		t.Error("the command could open a terminal")
	}
}

func TestRunner_Run_streams(t *testing.T) {
	live := watchFor("")
	c, _ := line(t, `printf 'o\377\000'; sleep 0.05; printf e >&2; sleep 0.05; printf p`)
	res, err := testRunner().Run(t.Context(), c, live)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][2]string{
		"stdout": {string(res.Stdout.Bytes), "o\xff\x00p"},
		"stderr": {string(res.Stderr.Bytes), "e"},
		"merged": {string(res.Merged.Bytes), "o\xff\x00ep"},
		"live":   {live.String(), "o\xff\x00ep"},
	} {
		if got[0] != got[1] {
			t.Errorf("%s %q, want %q", name, got[0], got[1])
		}
	}
	if res.Duration < 100*time.Millisecond || res.Secs() > 5 {
		t.Errorf("duration %v", res.Duration)
	}
}

// The command sees ordinary descriptors 0, 1, 2 and nothing else, even when
// the runner itself leaks one.
func TestRunner_Run_descriptors(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	// Not close-on-exec, as one that the runner's parent left open.
	if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, w.Fd(), syscall.F_SETFD, 0); errno != 0 {
		t.Fatal(errno)
	}
	c, _ := line(t, "ls /proc/$$/fd; grep flags /proc/$$/fdinfo/1")
	fields := strings.Fields(string(mustRun(t, c).Stdout.Bytes))
	if len(fields) < 5 || strings.Join(fields[:3], " ") != "0 1 2" || fields[3] != "flags:" {
		t.Fatalf("the command has descriptors %q", fields)
	}
	if fields[4] != "01" {
		t.Errorf("stdout has flags %s, want 01: blocking, write only", fields[4])
	}
}

type brokenWriter struct{ calls int }

func (b *brokenWriter) Write([]byte) (int, error) {
	b.calls++
	return 0, errors.New("broken pipe")
}

func TestRunner_Run_liveFails(t *testing.T) {
	c, _ := line(t, "head -c 1000000 /dev/zero && echo end")
	broken := &brokenWriter{}
	res, err := testRunner().Run(t.Context(), c, broken)
	if err != nil || !res.Outcome.Passed() || res.Stdout.Total != 1000004 {
		t.Errorf("outcome %v, %d bytes, error %v", res.Outcome, res.Stdout.Total, err)
	}
	if broken.calls != 1 {
		t.Errorf("a broken writer was used %d times", broken.calls)
	}
}

// 256 MiB pass through a runner whose memory stays small.
func TestRunner_Run_flood(t *testing.T) {
	c, _ := line(t, "head -c 268435456 /dev/zero >&2; printf last")
	sum := &counter{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := testRunner().Run(t.Context(), c, sum)
	runtime.ReadMemStats(&after)
	if err != nil || !res.Outcome.Passed() {
		t.Fatalf("outcome %v, error %v", res.Outcome, err)
	}
	if res.Stderr.Total != 256<<20 || sum.n != 256<<20+4 || len(res.Stderr.Bytes) != TailSize || !res.Stderr.Cut() {
		t.Errorf("stderr %d bytes, tail %d, live %d", res.Stderr.Total, len(res.Stderr.Bytes), sum.n)
	}
	if string(res.Stdout.Bytes) != "last" || res.Stdout.Cut() {
		t.Errorf("stdout %q", res.Stdout.Bytes)
	}
	// All that was ever allocated, so a bound for what was held.
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("%d KiB allocated", used>>10)
	}
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

func TestRunner_Run_twoAtOnce(t *testing.T) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			c := Command{Run: fmt.Sprintf("echo %d; sleep 0.1; exit %d", i, i), Env: testEnv()}
			res, err := testRunner().Run(t.Context(), c, nil)
			if err != nil || res.Outcome != (Outcome{Exit, i}) || string(res.Merged.Bytes) != fmt.Sprintln(i) {
				t.Errorf("run %d: %v %q %v", i, res.Outcome, res.Merged.Bytes, err)
			}
		})
	}
	all.Wait()
}

// A process that is none of the command's keeps its pipe open: the result does
// not wait for it, and loses nothing that was written before.
func TestRunner_Run_pipeHeldByAStranger(t *testing.T) {
	c, mark := line(t, "echo $$; read x <fifo; head -c 60000 /dev/zero")
	fifo := filepath.Join(c.Dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	live := &stranger{t: t, mark: mark, fifo: fifo}
	res, err := testRunner().Run(t.Context(), c, live)
	defer live.held.Close()
	if err != nil || !res.Outcome.Passed() || res.Stdout.Total < 60000 {
		t.Errorf("%v, %d bytes, %v", res.Outcome, res.Stdout.Total, err)
	}
}

// stranger is a live writer that opens the command's stdout, lets the command
// go on, and holds its first write up until even the supervisor has ended.
type stranger struct {
	t          *testing.T
	mark, fifo string
	held       *os.File
}

func (s *stranger) Write(p []byte) (int, error) {
	if s.held != nil {
		return len(p), nil
	}
	var err error
	if s.held, err = os.OpenFile("/proc/"+strings.TrimSpace(string(p))+"/fd/1", os.O_WRONLY, 0); err != nil {
		s.t.Error(err)
	}
	if err := os.WriteFile(s.fifo, []byte("go\n"), 0o600); err != nil {
		s.t.Error(err)
	}
	eventually(s.t, "the supervisor is gone", func() bool { return len(mustMarked(s.t, s.mark)) == 0 })
	return len(p), nil
}

func TestRunner_Run_leaksNothing(t *testing.T) {
	c, _ := line(t, "echo x")
	mustRun(t, c) // starts what the Go runtime keeps
	files, routines := openFiles(t), runtime.NumGoroutine()
	for range 5 {
		mustRun(t, c)
		_, _ = testRunner().Run(t.Context(), Command{Run: "true", Dir: "/no/such"}, nil)
	}
	if now := openFiles(t); now != files {
		t.Errorf("%d open files, before %d", now, files)
	}
	eventually(t, "as few goroutines as before", func() bool { return runtime.NumGoroutine() <= routines })
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// What the command prints, or writes into the status pipe, is never its result.
func TestRunner_Run_cannotBeFaked(t *testing.T) {
	c, _ := line(t, `echo "ended 0 self"; echo "swept"; echo "outcome exit=0" >&2; exit 3`)
	if res := mustRun(t, c); res.Outcome != (Outcome{Exit, 3}) {
		t.Errorf("printed: %v", res.Outcome)
	}
	for _, forged := range []string{"ended 0 self", "x ended 0 self", "no end of line: "} {
		c, mark := line(t, `printf '`+forged+`\n' >/proc/$PPID/fd/3; exit 3`)
		if strings.HasSuffix(forged, " ") {
			c.Run = `printf '` + forged + `' >/proc/$PPID/fd/3; exit 3`
		}
		res, err := testRunner().Run(t.Context(), c, nil)
		if err == nil || res.Outcome != (Outcome{}) {
			t.Errorf("forged %q: outcome %v, error %v", forged, res.Outcome, err)
		}
		wantNoneLeft(t, mark)
	}
}

// The log of a session that did not run the tests contains the word "pytest";
// a gate that looks at words opens. Only the exit status counts.
func TestCase072_wordsInTheOutputCertifyNothing(t *testing.T) {
	c, _ := line(t, `echo "pytest: 214 passed in 3.1s"; echo "exit=0 secs=3.1"; exit 1`)
	if res := mustRun(t, c); res.Outcome != (Outcome{Exit, 1}) || res.Outcome.Passed() {
		t.Errorf("outcome %v", res.Outcome)
	}
}

// The file that the step declares is there, half done; the command says 1.
func TestCase028_declaredFileOfAFailedCommandIsNoPass(t *testing.T) {
	c, _ := line(t, "echo half >out; exit 1")
	if res := mustRun(t, c); res.Outcome.Passed() {
		t.Error("passed")
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "out")); err != nil {
		t.Error(err)
	}
}

// Missing binary, killed by a signal and timed out are three outcomes.
func TestCase168_neverStartedKilledAndTimedOutDiffer(t *testing.T) {
	seen := map[Outcome]bool{}
	for _, run := range []string{"no-such-binary --all", "kill -TERM $$", "sleep 60"} {
		c, _ := line(t, run)
		c.Timeout = 300 * time.Millisecond
		res := mustRun(t, c)
		if res.Outcome.Passed() || seen[res.Outcome] {
			t.Errorf("%s: %v", run, res.Outcome)
		}
		seen[res.Outcome] = true
	}
}

func TestRunner_Run_cancelledBeforeStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, _ := line(t, "echo ran >ran")
	res, err := testRunner().Run(ctx, c, nil)
	if err != nil || res.Outcome != (Outcome{Kind: Cancelled}) {
		t.Errorf("%v %v", res.Outcome, err)
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "ran")); err == nil {
		t.Error("the command ran")
	}
}

func TestTail_merged_isBounded(t *testing.T) {
	c, _ := line(t, "head -c 300000 /dev/zero | tr '\\0' a; printf END")
	res := mustRun(t, c)
	if res.Merged.Total != 300003 || !bytes.HasSuffix(res.Merged.Bytes, []byte("aaEND")) || len(res.Merged.Bytes) != TailSize {
		t.Errorf("merged %d, kept %d", res.Merged.Total, len(res.Merged.Bytes))
	}
}

// What is given on a pipe arrives whole, larger than a pipe, and a command
// that reads nothing of it holds nobody up.
func TestRunner_Run_pipe(t *testing.T) {
	text := bytes.Repeat([]byte("line of input\n"), 20_000)
	res := mustRun(t, Command{Run: "wc -c; readlink /proc/self/fd/0", Env: testEnv(), Input: text})
	if got := string(res.Stdout.Bytes); !strings.HasPrefix(got, strconv.Itoa(len(text))+"\npipe:") {
		t.Errorf("it read %q", got)
	}
	if res := mustRun(t, Command{Run: "true", Env: testEnv(), Input: text}); !res.Outcome.Passed() {
		t.Errorf("unread: %v", res.Outcome)
	}
}
