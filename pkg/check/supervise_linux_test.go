package check

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// stubborn ignores TERM and INT, and its sleeps inherit that: in the
// background, double-forked, in sessions of their own, in the foreground.
const stubborn = `trap '' TERM INT
sleep 60 &
(sleep 60 &)
setsid sleep 60 &
setsid -f sleep 60
echo ready
sleep 60`

// stubbornCount is what of it carries the mark: five sleeps, the shell, the supervisor.
const stubbornCount = 7

func waitStubborn(t *testing.T, live *watcher, mark string) {
	t.Helper()
	live.wait(t)
	eventually(t, "everything has started", func() bool { return len(mustMarked(t, mark)) == stubbornCount })
}

func TestSupervise_timeout(t *testing.T) {
	c, mark := line(t, stubborn)
	c.Timeout = 500 * time.Millisecond
	began := time.Now()
	res := mustRun(t, c)
	wantNoneLeft(t, mark)
	if res.Outcome != (Outcome{Kind: Timeout}) || res.Environment {
		t.Errorf("%v, environment %t", res.Outcome, res.Environment)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("took %v", took)
	}
	if string(res.Stdout.Bytes) != "ready\n" {
		t.Errorf("output %q", res.Stdout.Bytes)
	}
}

func TestSupervise_cancel(t *testing.T) {
	c, mark := line(t, stubborn)
	ctx, cancel := context.WithCancel(t.Context())
	live := watchFor("ready")
	go func() {
		<-live.seen
		cancel()
	}()
	res, err := testRunner().Run(ctx, c, live)
	if err != nil || res.Outcome != (Outcome{Kind: Cancelled}) {
		t.Errorf("%v %v", res.Outcome, err)
	}
	wantNoneLeft(t, mark)
}

func TestSupervise_runnerKilled(t *testing.T) {
	c, mark := line(t, stubborn)
	live := watchFor("ready")
	cmd := startRunner(t, c, live)
	waitStubborn(t, live, mark)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "nothing is left", func() bool { return len(mustMarked(t, mark)) == 0 })
}

// A supervisor that is killed takes the outcome along, and leaves nothing.
func TestSupervise_supervisorKilled(t *testing.T) {
	c, mark := line(t, stubborn)
	live := watchFor("ready")
	type answer struct {
		res Result
		err error
	}
	done := make(chan answer)
	go func() {
		res, err := testRunner().Run(context.Background(), c, live)
		done <- answer{res, err}
	}()
	waitStubborn(t, live, mark)
	if err := unix.Kill(supervisorOf(t, mark), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	got := <-done
	if got.err == nil || !strings.Contains(got.err.Error(), "unknown") || got.res.Outcome != (Outcome{}) {
		t.Errorf("%v, error %v", got.res.Outcome, got.err)
	}
	wantNoneLeft(t, mark)
}

// Killed together with its runner, the supervisor takes at least the command
// along; the next session finds the rest by its attempt.
func TestSupervise_bothKilled(t *testing.T) {
	c, mark := line(t, "sleep 60 & echo ready; sleep 61; :")
	attempt := strings.TrimPrefix(mark, "CHECK_TEST_MARK=")
	c.Env = append(c.Env, AttemptVariable+"="+attempt)
	live := watchFor("ready")
	cmd := startRunner(t, c, live)
	live.wait(t)
	eventually(t, "everything has started", func() bool { return len(mustMarked(t, mark)) == 4 })
	supervisor := supervisorOf(t, mark)
	_ = unix.Kill(cmd.Process.Pid, unix.SIGSTOP) // it must not act in between
	_ = unix.Kill(supervisor, unix.SIGKILL)
	_ = unix.Kill(cmd.Process.Pid, unix.SIGKILL)
	eventually(t, "the shell is gone", func() bool { return len(mustMarked(t, mark)) == 2 })
	if err := KillLeftovers(t.Context(), attempt, testGrace); err != nil {
		t.Fatal(err)
	}
	wantNoneLeft(t, mark)
}

func TestSupervise_successLeavesNothing(t *testing.T) {
	c, mark := line(t, strings.TrimSuffix(stubborn, "sleep 60")+"exit 0")
	res := mustRun(t, c)
	wantNoneLeft(t, mark)
	if !res.Outcome.Passed() || string(res.Stdout.Bytes) != "ready\n" {
		t.Errorf("%v %q", res.Outcome, res.Stdout.Bytes)
	}
}

// A grandchild that keeps the pipe open does not delay the result.
func TestCase148_grandchildHoldsThePipe(t *testing.T) {
	for _, run := range []string{"sleep 30 & echo x; true", "setsid sleep 30 & echo x; true", "echo x; sleep 30"} {
		t.Run(run, func(t *testing.T) {
			c, mark := line(t, run)
			c.Timeout = 2 * time.Second
			began := time.Now()
			res := mustRun(t, c)
			if took := time.Since(began); took > 4*time.Second {
				t.Errorf("took %v", took)
			}
			if string(res.Merged.Bytes) != "x\n" {
				t.Errorf("log %q", res.Merged.Bytes)
			}
			if res.Outcome.Passed() == strings.HasSuffix(run, "sleep 30") {
				t.Errorf("outcome %v", res.Outcome)
			}
			wantNoneLeft(t, mark)
		})
	}
}

// TERM alone does nothing to a stopped process.
func TestSupervise_stoppedCommandIsEnded(t *testing.T) {
	c, mark := line(t, `trap 'echo cleaned; exit 0' TERM; echo up; kill -STOP $$; sleep 60`)
	c.Timeout = 300 * time.Millisecond
	r := testRunner()
	r.Grace = 20 * time.Second // so that it is CONT that helps, not KILL
	began := time.Now()
	res, err := r.Run(t.Context(), c, nil)
	if err != nil || res.Outcome != (Outcome{Kind: Timeout}) {
		t.Errorf("%v %v", res.Outcome, err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if got := string(res.Stdout.Bytes); got != "up\ncleaned\n" {
		t.Errorf("output %q", got)
	}
	wantNoneLeft(t, mark)
}

// A trap gets one TERM, and the time to clean up. The shell is busy, so that it
// acts on the first at once and cannot mistake a second for it.
func TestSupervise_termIsDeliveredOnce(t *testing.T) {
	c, mark := line(t, `trap 'echo term; n=1' TERM; echo up; while [ -z "$n" ]; do :; done; sleep 0.2; echo done`)
	c.Timeout = 150 * time.Millisecond
	r := testRunner()
	r.Grace = 20 * time.Second
	res, err := r.Run(t.Context(), c, nil)
	if err != nil || res.Outcome != (Outcome{Kind: Timeout}) {
		t.Errorf("%v %v", res.Outcome, err)
	}
	if got := string(bytes.ReplaceAll(res.Stdout.Bytes, []byte("\n"), []byte(" "))); got != "up term done " {
		t.Errorf("output %q", got)
	}
	wantNoneLeft(t, mark)
}

func TestSupervise_termEndsTheCommand(t *testing.T) {
	c, mark := line(t, "echo ready; sleep 60")
	live := watchFor("ready")
	go func() {
		<-live.seen
		supervisor := supervisorOf(t, mark)
		_ = unix.Kill(supervisor, unix.SIGHUP) // no business of the supervisor
		_ = unix.Kill(supervisor, unix.SIGTERM)
	}()
	res, err := testRunner().Run(t.Context(), c, live)
	if err != nil || res.Outcome != (Outcome{Kind: Cancelled}) {
		t.Errorf("%v %v", res.Outcome, err)
	}
	wantNoneLeft(t, mark)
}

func TestSupervise_refusesToBeStartedByHand(t *testing.T) {
	self := testRunner().Supervisor
	for _, args := range [][]string{
		{"--on-orphan=kill", "--", "true"},
		{"--on-orphan=keep", "--", "true"},
		{"--on-orphan=kill", "--"},
		{"--no-such-option"},
	} {
		cmd := exec.Command(self[0], append([]string{self[1]}, args...)...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitUsage || !bytes.HasPrefix(out, []byte("git-agent: error: supervise: ")) {
			t.Errorf("%v: %v %q", args, err, out)
		}
	}
}

// Orphans that come and go while the command runs do not pile up as zombies.
func TestSupervise_reapsOrphans(t *testing.T) {
	c, mark := line(t, `i=0; while [ $i -lt 20 ]; do (true &); i=$((i+1)); done; echo ready; read x <fifo`)
	if err := unix.Mkfifo(c.Dir+"/fifo", 0o600); err != nil {
		t.Fatal(err)
	}
	live := watchFor("ready")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		<-live.seen
		pid := supervisorOf(t, mark)
		eventually(t, "only the shell is a child", func() bool { return len(descendants(pid)) == 1 })
	}()
	if _, err := testRunner().Run(ctx, c, live); err != nil {
		t.Error(err)
	}
}
