package job

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/journal"
)

// The test binary is its own supervisor, its own runner that can be killed,
// the job, and the ssh that can be cut.
func TestMain(m *testing.M) {
	words := map[string]func([]string) int{
		"__supervise": func(args []string) int { return check.Supervise(args, os.Environ(), os.Stderr) },
		"__runner":    runnerMain,
		"__bytes":     bytesMain,
		"__flood":     floodMain,
		"__far":       farMain,
	}
	if len(os.Args) > 1 {
		if run, ok := words[os.Args[1]]; ok {
			os.Exit(run(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

// full asks for the whole measure: GIT_AGENT_JOBS=full.
func full() bool { return os.Getenv("GIT_AGENT_JOBS") == "full" }

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

func runner() check.Runner {
	return check.Runner{Supervisor: []string{self(), "__supervise"}, Grace: 300 * time.Millisecond, Now: time.Now}
}

// The issue's own numbers: neither stream is UTF-8, and each ends inside a chunk.
const (
	outSize, errSize = 150_011, 91_017
	outByte, errByte = 0xf1, 0xfe
)

// bytesMain is the job: both streams at once, in pieces of odd sizes, with a
// pause now and then that the first word names.
func bytesMain(args []string) int {
	pause, err := time.ParseDuration(args[0])
	if err != nil {
		return 2
	}
	done := make(chan struct{})
	write := func(w io.Writer, b byte, size, piece int) {
		defer func() { done <- struct{}{} }()
		for size > 0 {
			n := min(size, piece)
			if _, err := w.Write(bytes.Repeat([]byte{b}, n)); err != nil {
				panic(err)
			}
			size -= n
			time.Sleep(pause)
		}
	}
	go write(os.Stdout, outByte, outSize, 7919)
	go write(os.Stderr, errByte, errSize, 4099)
	<-done
	<-done
	return 7
}

// floodMain writes as many bytes as the first word says.
func floodMain(args []string) int {
	var size int64
	if _, err := fmt.Sscan(args[0], &size); err != nil {
		return 2
	}
	line := bytes.Repeat([]byte("0123456789abcde\n"), 4<<10)
	for ; size > 0; size -= int64(len(line)) {
		if _, err := os.Stdout.Write(line[:min(size, int64(len(line)))]); err != nil {
			return 1
		}
	}
	return 0
}

// place is a private folder as the engine has it.
type place struct{ root *os.Root }

func openPlace(dir string) place {
	root, err := os.OpenRoot(dir)
	if err != nil {
		panic(err)
	}
	return place{root}
}

func newPlace(t *testing.T) (place, string) {
	t.Helper()
	dir := t.TempDir()
	p := openPlace(dir)
	t.Cleanup(func() { _ = p.root.Close() })
	return p, dir
}

func (p place) Read(name string) ([]byte, error) { return p.root.ReadFile(name) }

func (p place) Write(name string, data []byte) error {
	if err := p.root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	temp := name + "." + rand.Text()
	if err := p.root.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	return p.root.Rename(temp, name)
}

func (p place) List(name string) ([]string, error) {
	f, err := p.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.Readdirnames(-1)
}

func (p place) OpenRoot(name string) (*os.Root, error) { return p.root.OpenRoot(name) }

type flock struct{ f *os.File }

func (l flock) Unlock() error { return l.f.Close() }
func (l flock) Leave() error  { return l.f.Close() }

func (p place) Lock(name string, _ func([]byte) any) (Lock, error) {
	f, err := p.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(&BusyError{Path: name}, f.Close())
	}
	return flock{f}, nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newAttempt is attempt number n of step s01, its runner this process.
func newAttempt(t *testing.T, p place, number int) *Attempt {
	t.Helper()
	owner, err := check.Self()
	must(t, err)
	id := strings.ToLower(rand.Text())
	a, err := Create(p, Facts{Run: "r-1", Step: "s01", Attempt: id, Number: number, PlanVersion: 1, Owner: owner, Opened: time.Unix(int64(number), 0)})
	must(t, err)
	t.Cleanup(func() { _ = check.KillLeftovers(context.Background(), id, 0) })
	return a
}

// begin starts the job of an attempt; words are of this binary.
func begin(t *testing.T, a *Attempt, words ...string) *check.Kept {
	t.Helper()
	return beginCommand(t, a, check.Command{Argv: append([]string{self()}, words...)})
}

func beginCommand(t *testing.T, a *Attempt, c check.Command) *check.Kept {
	t.Helper()
	c.Dir = t.TempDir()
	c.Env = append(c.Env, "PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0", check.AttemptVariable+"="+a.Attempt)
	kept, err := a.Start(runner(), c)
	must(t, err)
	return kept
}

// drained follows the job to the end of its log, in this process.
func drained(t *testing.T, a *Attempt, kept *check.Kept) Status {
	t.Helper()
	log, err := a.OpenLog(time.Now)
	must(t, err)
	d := Drain{From: Local(a), Log: log}
	if kept != nil {
		d.Ended = kept.Ended()
	}
	st, err := d.Run(t.Context())
	must(t, errors.Join(err, log.Close()))
	return st
}

// wantWhole: the log has both streams whole and in order, and says so.
func wantWhole(t *testing.T, folder journal.Folder, name string) {
	t.Helper()
	r, err := journal.OpenReader(folder, name)
	must(t, err)
	defer func() { _ = r.Close() }()
	st, err := r.State()
	must(t, err)
	if st.Completion == nil || st.Completion.End != (journal.End{Kind: journal.Exited, Code: 7}) {
		t.Fatalf("completion %+v", st.Completion)
	}
	for _, s := range []struct {
		stream journal.Stream
		want   []byte
		extent journal.Extent
	}{
		{journal.Stdout, bytes.Repeat([]byte{outByte}, outSize), st.Completion.Stdout},
		{journal.Stderr, bytes.Repeat([]byte{errByte}, errSize), st.Completion.Stderr},
	} {
		var got bytes.Buffer
		_, err := r.Copy(&got, journal.View{Stream: s.stream})
		must(t, err)
		sum := sha256.Sum256(s.want)
		if !bytes.Equal(got.Bytes(), s.want) || s.extent != (journal.Extent{Length: int64(len(s.want)), SHA256: hex.EncodeToString(sum[:])}) {
			t.Fatalf("%s: %d bytes of %d, extent %+v", s.stream, got.Len(), len(s.want), s.extent)
		}
	}
	if want := int64(outSize + errSize); st.Length != want {
		t.Fatalf("the log has %d bytes, want %d", st.Length, want)
	}
}

func logsOf(t *testing.T, a *Attempt) journal.Folder {
	t.Helper()
	root, err := a.root()
	must(t, err)
	t.Cleanup(func() { _ = root.Close() })
	return journal.RootFolder(root, ".")
}

// runnerMain adopts the attempt that its words name, and drains it to the end.
func runnerMain(args []string) int {
	if err := adoptAndDrain(args[0], args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(peak(os.Getpid()))
	return 0
}

func adoptAndDrain(dir, name string) error {
	a, err := Open(openPlace(dir), "r-1", name)
	if err != nil {
		return err
	}
	owner, err := check.Self()
	if err != nil {
		return err
	}
	fence, err := a.TryFence(Holder{Owner: owner}, func() error { return nil })
	if err != nil {
		return err
	}
	if err := a.Adopt(owner, ""); err != nil {
		return err
	}
	log, err := a.OpenLog(time.Now)
	if err != nil {
		return err
	}
	_, err = Drain{From: Local(a), Log: log}.Run(context.Background())
	return errors.Join(err, log.Close(), a.Clean(), fence.Unlock())
}

// peak is the most memory that a process had resident, in KiB (proc(5), VmHWM).
func peak(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		var kib int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			return kib
		}
	}
	return 0
}

// eventually polls: real processes end when they end.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	over := time.After(20 * time.Second)
	for !cond() {
		select {
		case <-over:
			t.Fatalf("not in 20 s: %s", what)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// runnerProcess is a runner of its own for an attempt.
func runnerProcess(dir string, a *Attempt) *exec.Cmd {
	cmd := exec.Command(self(), "__runner", dir, a.Name())
	cmd.Env = []string{"PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0"}
	return cmd
}
