//go:build !windows

package durable

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// The test binary is its own second process: DURABLE_TEST_ROLE names what it
// plays, DURABLE_TEST_DIR the folder it works in.
func TestMain(m *testing.M) {
	role, dir := os.Getenv("DURABLE_TEST_ROLE"), os.Getenv("DURABLE_TEST_DIR")
	if role == "" {
		os.Exit(m.Run())
	}
	if err := play(role, dir); err != nil {
		_, _ = io.WriteString(os.Stderr, role+": "+err.Error()+"\n")
		os.Exit(1)
	}
}

func play(role, dir string) error {
	if role == "idle" {
		return idle()
	}
	d, err := OpenDir(dir)
	if err != nil {
		return err
	}
	if at, ok := strings.CutPrefix(role, "die-at-"); ok {
		d.at = func(p point) {
			if string(p) == at {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
		return d.Write("run/state", []byte("new"))
	}
	l, err := d.Lock("run/lock", map[string]string{"step": "s1"})
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(l) // a collected Lock closes its file
	if role == "hold-with-child" {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "DURABLE_TEST_ROLE=idle")
		cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
		if err := cmd.Start(); err != nil {
			return err
		}
		return cmd.Wait()
	}
	return idle()
}

// idle says that it is there and lives until its stdin ends.
func idle() error {
	if _, err := io.WriteString(os.Stdout, "ready\n"); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// second is a second process that is ready in its role.
type second struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *os.File
}

func start(t *testing.T, d *Dir, role string) *second {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DURABLE_TEST_ROLE="+role, "DURABLE_TEST_DIR="+d.path)
	cmd.Stdout, cmd.Stderr = w, os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	s := &second{cmd, stdin, r}
	t.Cleanup(func() { _ = stdin.Close(); s.kill(); _ = r.Close() })
	if line, err := bufio.NewReader(r).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("second process: %q, %v", line, err)
	}
	return s
}

func (s *second) kill() {
	_ = s.cmd.Process.Kill()
	_, _ = s.cmd.Process.Wait()
}

func TestDir_Write_killedAtEveryPoint(t *testing.T) {
	for _, p := range []point{pointCreated, pointWritten, pointSynced, pointRenamed} {
		t.Run(string(p), func(t *testing.T) {
			d := openTemp(t)
			mustWrite(t, d, "run/state", "old")
			mustWrite(t, d, "run/state.other", "other")
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "DURABLE_TEST_ROLE=die-at-"+string(p), "DURABLE_TEST_DIR="+d.path)
			var exit *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
				t.Fatalf("second process was not killed: %v", err)
			}
			want, temps := "old", 1
			if p == pointRenamed {
				want, temps = "new", 0
			}
			mustHave(t, d, "run/state", want)
			mustHaveTemps(t, d, temps)
			mustWrite(t, d, "run/state.other", "other") // another name's are left alone
			mustHaveTemps(t, d, temps)
			mustWrite(t, d, "run/state", "next")
			mustHave(t, d, "run/state", "next")
			mustHaveTemps(t, d, 0)
		})
	}
}

func mustHaveTemps(t *testing.T, d *Dir, want int) {
	t.Helper()
	names, err := readNames(d.root, "run")
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for _, name := range names {
		if isTemp(name) {
			got++
		}
	}
	if got != want {
		t.Fatalf("%d temporary files in %q, want %d", got, names, want)
	}
}

func TestDir_Write_leavesTheTempOfALiveWriter(t *testing.T) {
	d, other := openTemp(t), new(Dir)
	*other = *d
	other.at = func(p point) {
		if p != pointSynced {
			return
		}
		mustWrite(t, d, "run/state", "first")
		mustHaveTemps(t, d, 1)
	}
	mustWrite(t, other, "run/state", "second")
	mustHave(t, d, "run/state", "second")
	mustHaveTemps(t, d, 0)
}

func TestDir_Write_manyWriters(t *testing.T) {
	d := openTemp(t)
	done := make(chan error)
	for i := range 8 {
		go func() {
			content := strings.Repeat(string(rune('a'+i)), 4096)
			var err error
			for range 5 {
				err = errors.Join(err, d.Write("run/state", []byte(content)))
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	got, err := d.Read("run/state")
	if err != nil || len(got) != 4096 || strings.Trim(string(got), string(got[:1])) != "" {
		t.Errorf("mixed content, %d bytes, %v", len(got), err)
	}
	mustHaveTemps(t, d, 0)
}
