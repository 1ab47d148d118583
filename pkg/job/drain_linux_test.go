package job

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/journal"
)

func TestDrain_live(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	st := drained(t, a, begin(t, a, "__bytes", "200us"))
	if st.State != Over || !st.Began {
		t.Errorf("%+v", st)
	}
	wantWhole(t, logsOf(t, a), LogName)
}

func TestDrain_overBeforeTheFirstLook(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	<-begin(t, a, "__bytes", "0s").Ended()
	drained(t, a, nil)
	wantWhole(t, logsOf(t, a), LogName)
	must(t, a.Clean())
	st, err := a.Status() // the native files are gone
	if err != nil || st.State != Done || *st.Lengths != (journal.Offsets{Stdout: outSize, Stderr: errSize}) {
		t.Errorf("%+v, %v", st, err)
	}
	drained(t, a, nil) // and again: nothing comes twice
	wantWhole(t, logsOf(t, a), LogName)
}

// Thousands of chunks leave nothing open.
func TestDrain_letsGo(t *testing.T) {
	p, dir := newPlace(t)
	a := newAttempt(t, p, 1)
	drained(t, a, begin(t, a, "__bytes", "0s"))
	open, err := filepath.Glob("/proc/self/fd/*")
	must(t, err)
	for _, fd := range open {
		if name, err := os.Readlink(fd); err == nil && strings.HasPrefix(name, dir+"/") {
			t.Errorf("still open: %s", name)
		}
	}
}

// A runner is killed and started again, over and over, at random moments of
// the job's life and after it.
func TestDrain_runnerKilledAnywhere(t *testing.T) {
	rounds := 10
	if full() {
		rounds = 200
	}
	kills := 0
	for round := range rounds {
		p, dir := newPlace(t)
		a := newAttempt(t, p, 1)
		begin(t, a, "__bytes", "300us")
		for {
			cmd := runnerProcess(dir, a)
			var says strings.Builder
			cmd.Stderr = &says
			must(t, cmd.Start())
			timer := time.AfterFunc(time.Duration(2+rand.IntN(30))*time.Millisecond, func() { _ = cmd.Process.Kill() })
			err := cmd.Wait()
			timer.Stop()
			if err == nil {
				break
			}
			if ws, _ := cmd.ProcessState.Sys().(syscall.WaitStatus); !ws.Signaled() {
				t.Fatalf("round %d: %v\n%s", round, err, says.String())
			}
			kills++
		}
		wantWhole(t, logsOf(t, a), LogName)
	}
	t.Logf("%d runners killed in %d rounds", kills, rounds)
	if kills < rounds/2 {
		t.Error("hardly a runner was killed: the test shows nothing")
	}
}

// A stream that ends while the other goes on, and one that never says a thing.
func TestDrain_unevenStreams(t *testing.T) {
	for name, c := range map[string]struct {
		run      string
		out, err string
	}{
		"nothing":          {":", "", ""},
		"stderr only":      {"printf late >&2", "", "late"},
		"stdout closed":    {"exec >&-; sleep 0.05; printf late >&2", "", "late"},
		"truncating names": {"echo one >/dev/stderr; echo two >/dev/stderr; echo three >/dev/stdout; echo four >/dev/stdout", "three\nfour\n", "one\ntwo\n"},
		"left behind":      {"(sleep 0.05; echo late) & echo early", "early\nlate\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := newPlace(t)
			a := newAttempt(t, p, 1)
			drained(t, a, beginCommand(t, a, check.Command{Run: c.run}))
			r, err := journal.OpenReader(logsOf(t, a), LogName)
			must(t, err)
			for s, want := range map[journal.Stream]string{journal.Stdout: c.out, journal.Stderr: c.err} {
				var got bytes.Buffer
				_, err := r.Copy(&got, journal.View{Stream: s})
				must(t, err)
				if got.String() != want && (name != "left behind" || got.String() != "early\n") { // it is ended, maybe before it spoke
					t.Errorf("%s: %q, want %q", s, got.String(), want)
				}
			}
		})
	}
}

// Whoever watched goes away; the log and the job do not notice.
type closedPipe struct{ wrote int }

func (c *closedPipe) Write(p []byte) (int, error) {
	c.wrote++
	return 0, syscall.EPIPE
}

func TestDrain_liveFails(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	begin(t, a, "__bytes", "100us")
	log, err := a.OpenLog(time.Now)
	must(t, err)
	live := &closedPipe{}
	_, err = Drain{From: Local(a), Log: log, Live: live}.Run(t.Context())
	must(t, errors.Join(err, log.Close()))
	wantWhole(t, logsOf(t, a), LogName)
	if live.wrote != 1 {
		t.Errorf("written to %d times", live.wrote)
	}
}

// An interrupt ends the job, and what it wrote until then is in the log; or it
// leaves the job alone, and the next one has all of it.
func TestDrain_interrupted(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	begin(t, a, "__bytes", "1ms")
	log, err := a.OpenLog(time.Now)
	must(t, err)
	gone := errors.New("left alone")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	_, err = Drain{From: Local(a), Log: log, Stop: func() error { return gone }}.Run(ctx)
	if !errors.Is(err, gone) {
		t.Fatal(err)
	}
	must(t, log.Close())
	st, err := a.Status()
	if err != nil || st.State != Running {
		t.Fatalf("%+v, %v", st, err)
	}
	drained(t, a, nil)
	wantWhole(t, logsOf(t, a), LogName)
}

func TestDrain_cancelled(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	kept := beginCommand(t, a, check.Command{Run: "trap 'echo bye; exit 3' TERM; echo hello; while :; do sleep 0.01; done"})
	log, err := a.OpenLog(time.Now)
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	live := writerFunc(func(b []byte) { cancel() })
	st, err := Drain{From: Local(a), Log: log, Live: live, Ended: kept.Ended(), Stop: a.Tell}.Run(ctx)
	must(t, errors.Join(err, log.Close()))
	if st.End.Kind != journal.Cancelled {
		t.Errorf("%+v", st.End)
	}
	var got bytes.Buffer
	r, err := journal.OpenReader(logsOf(t, a), LogName)
	must(t, err)
	_, err = r.Copy(&got, journal.View{Stream: journal.Stdout})
	if must(t, err); got.String() != "hello\nbye\n" {
		t.Errorf("%q", got.String())
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) { f(b); return len(b), nil }

// Neither the runner's nor the supervisor's memory grows with what a job writes.
func TestDrain_floodInLittleMemory(t *testing.T) {
	size := int64(48 << 20)
	if full() {
		size = 2 << 30
	}
	p, dir := newPlace(t)
	a := newAttempt(t, p, 1)
	kept := begin(t, a, "__flood", fmt.Sprint(size))
	cmd := runnerProcess(dir, a)
	var out bytes.Buffer
	cmd.Stdout = &out
	must(t, cmd.Start())
	supervisor := 0
	for over := false; !over; {
		select {
		case <-kept.Ended():
			over = true
		case <-time.After(5 * time.Millisecond):
			supervisor = max(supervisor, peak(kept.Supervisor.PID))
		}
	}
	must(t, cmd.Wait())
	var mine int
	_, err := fmt.Sscan(out.String(), &mine)
	must(t, err)
	t.Logf("%d bytes: runner %d KiB, supervisor %d KiB", size, mine, supervisor)
	if limit := 64 << 10; mine == 0 || mine >= limit || supervisor == 0 || supervisor >= limit {
		t.Errorf("runner %d KiB, supervisor %d KiB, want less than %d", mine, supervisor, limit)
	}
	st, err := a.Status()
	if err != nil || st.State != Done || st.Lengths.Stdout != size {
		t.Errorf("%+v, %v", st, err)
	}
}
