package rollback_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/stash"
)

// childVar tells a re-executed test binary to carry out one Move or PutBack
// and to die at a point: "<verb> <point> <n> <stash> <target> <folder>".
const childVar = "ROLLBACK_TEST_CHILD"

func TestMain(m *testing.M) {
	if spec := os.Getenv(childVar); spec != "" {
		child(spec)
		return
	}
	os.Exit(gittest.InMemory(m).Run())
}

func child(spec string) {
	f := strings.SplitN(spec, " ", 6)
	n, _ := strconv.Atoi(f[2])
	w := open(&testing.T{}, &gittest.Repo{T: &testing.T{}, Dir: f[5], Env: os.Environ()})
	w.base = f[4]
	w.roller.Fault = func(point string) {
		if point == f[1] {
			if n--; n == 0 {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}
	}
	paths, err := w.roller.Paths(ctx, f[3], f[4])
	if err == nil && f[0] == "move" {
		_, err = w.roller.Move(ctx, w.request(f[3], paths...))
	} else if err == nil {
		_, err = w.roller.PutBack(ctx, w.request(f[3], paths...))
	}
	fmt.Println("survived:", err)
}

// dies runs the child and demands that SIGKILL ended it.
func dies(t *testing.T, w *work, verb, point string, n int, commit string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(w.Env, childVar+"="+strings.Join([]string{verb, point, strconv.Itoa(n), commit, w.base, w.Dir}, " "))
	out, err := cmd.CombinedOutput()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if err == nil || !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the child was to be killed at %s %d: %v\n%s", point, n, err, out)
	}
}

func TestRoller_Move_killedAnywhereGoesOn(t *testing.T) {
	t.Parallel()
	for _, at := range []struct {
		point string
		n     int
	}{{"unlink", 4}, {"write", 5}, {"verify", 1}} {
		t.Run(fmt.Sprintf("%s %d", at.point, at.n), func(t *testing.T) {
			t.Parallel()
			w, paths := newEverything(t)
			before := w.photo()
			commit := w.preserve(paths...)
			dies(t, w, "move", at.point, at.n, commit)
			if found, err := w.store.Value(ctx, stash.PendingRef(run, step)); err != nil || found != commit {
				t.Fatalf("pending = %q, %v", found, err)
			}
			found, err := w.roller.Paths(ctx, commit, w.base)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.roller.Move(ctx, w.request(commit, found...)); err != nil {
				t.Fatal(err)
			}
			if got := w.Git("status", "--porcelain", "-uall"); got != "" {
				t.Errorf("status: %q", got)
			}
			dies(t, w, "back", at.point, 1, commit)
			if _, err := w.roller.PutBack(ctx, w.request(commit, found...)); err != nil {
				t.Fatal(err)
			}
			same(t, "after all", w.photo(), before)
			if got := w.Git("for-each-ref", "--format=%(refname)", stash.Root); got != stash.PendingRef(run, step) {
				t.Errorf("a kill alone made further refs: %q", got)
			}
		})
	}
}

func TestRoller_Move_cancelledGoesOn(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"unlink", "index"} {
		w, paths := newEverything(t)
		commit := w.preserve(paths...)
		cut, cancel := context.WithCancel(ctx)
		w.roller.Fault = func(p string) {
			if p == point {
				cancel()
			}
		}
		if _, err := w.roller.Move(cut, w.request(commit, paths...)); err == nil {
			t.Errorf("%s: no error after the context was cancelled", point)
		}
		w.roller.Fault = nil
		if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
			t.Errorf("%s: %v", point, err)
		}
		if got := w.Git("status", "--porcelain", "-uall"); got != "" {
			t.Errorf("%s: status %q", point, got)
		}
	}
}

// A full disk: no file may grow beyond 512 bytes, so the blob cannot be written.
func TestCase158_fullDisk(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	random := make([]byte, 4096) // does not compress
	_, _ = rand.NewChaCha8([32]byte{}).Read(random)
	w.Write("a", string(random))
	before := w.photo()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `ulimit -f 1; trap "" XFSZ; exec "$0" -test.run=TestPreserveOnly`, exe)
	cmd.Env = append(w.Env, "ROLLBACK_TEST_DIR="+w.Dir)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "update-index") {
		t.Fatalf("%v: %s", err, out)
	}
	same(t, "after the failure", w.photo(), before)
	if got := w.Git("for-each-ref", stash.Root); got != "" {
		t.Errorf("refs: %q", got)
	}
}

// TestPreserveOnly is the child of TestCase158_fullDisk.
func TestPreserveOnly(t *testing.T) {
	dir := os.Getenv("ROLLBACK_TEST_DIR")
	if dir == "" {
		return
	}
	w := open(t, &gittest.Repo{T: t, Dir: dir, Env: os.Environ()})
	w.preserve("a")
}
