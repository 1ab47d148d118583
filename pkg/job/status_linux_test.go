package job

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/journal"
)

func wantState(t *testing.T, a *Attempt, want State) Status {
	t.Helper()
	st, err := a.Status()
	must(t, err)
	if st.State != want {
		t.Fatalf("%s, want %s: %+v", st.State, want, st)
	}
	return st
}

func TestStatus_everyState(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	wantState(t, a, Waiting)
	kept := beginCommand(t, a, check.Command{Run: "sleep 60"})
	eventually(t, "it began", func() bool { return wantState(t, a, Running).Began })
	must(t, a.Supervisor.Stop())
	<-kept.Ended()
	if st := wantState(t, a, Over); *st.End != (journal.End{Kind: journal.Cancelled}) {
		t.Errorf("%+v", st.End)
	}
	drained(t, a, nil)
	wantState(t, a, Over)
	must(t, a.Clean())
	wantState(t, a, Done)
}

// Whoever sweeps up after a cancel may reach the job before its supervisor does.
func TestStatus_toldAndSignaled(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	kept := beginCommand(t, a, check.Command{Run: "kill -TERM $$"})
	<-kept.Ended()
	if st := wantState(t, a, Over); *st.End != (journal.End{Kind: journal.Signaled, Code: 15}) {
		t.Errorf("%+v", st.End)
	}
	must(t, a.Tell())
	if st := wantState(t, a, Over); *st.End != (journal.End{Kind: journal.Cancelled}) {
		t.Errorf("%+v", st.End)
	}
}

// The supervisor is killed as well: nobody saw how the job ended.
func TestStatus_lost(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	kept := beginCommand(t, a, check.Command{Run: "echo said; sleep 60"})
	eventually(t, "it spoke", func() bool {
		b, err := Local(a).Chunk(t.Context(), journal.Stdout, 0)
		return err == nil && string(b) == "said\n"
	})
	must(t, unix.Kill(kept.Supervisor.PID, unix.SIGKILL))
	<-kept.Ended()
	if st := wantState(t, a, Lost); *st.End != (journal.End{Kind: journal.Interrupted}) {
		t.Errorf("%+v", st.End)
	}
	if st := drained(t, a, nil); st.Lengths.Stdout != 5 {
		t.Errorf("%+v", st)
	}
	if !a.Dead(journal.State{}) == false {
		t.Error("its runner, this process, lives")
	}
}

// Whether the supervisor lives cannot be told: neither adopted nor closed.
func TestStatus_unclear(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	beginCommand(t, a, check.Command{Run: "sleep 60"})
	real := *a.Supervisor
	elsewhere := real
	elsewhere.PIDNS = "pid:[1]"
	a.Supervisor = &elsewhere
	must(t, a.save())
	wantState(t, a, Unclear)
	if err := a.Tell(); err == nil {
		t.Error("a process that cannot be told from a stranger was signalled")
	}
	if dead, provable := real.Dead(); dead || !provable {
		t.Error("it was ended")
	}
	must(t, a.Disown())
	wantState(t, a, Lost)
	must(t, real.Stop())
}

// A runner that dies before it wrote down the supervisor leaves no job, ever.
func TestStart_noJobWithoutItsSupervisorOnRecord(t *testing.T) {
	p, dir := newPlace(t)
	a := newAttempt(t, p, 1)
	var files [3]*os.File
	for i, name := range []string{stdoutFile, stderrFile, statusFile} {
		f, err := os.OpenFile(filepath.Join(dir, a.dir(), name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		must(t, err)
		files[i] = f
	}
	kept, err := runner().Keep(check.Command{Run: "touch began", Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}}, check.Files{Stdout: files[0], Stderr: files[1], Status: files[2]})
	must(t, err)
	must(t, kept.Abandon()) // what the kernel does for a dead runner
	if _, err := os.Stat(filepath.Join(dir, "began")); err == nil {
		t.Error("the job began")
	}
	wantState(t, a, Waiting)
	gone := a.Owner
	gone.PID, gone.Start = 1<<22-1, 1
	a.Owner = gone
	must(t, a.save())
	if st := wantState(t, a, Lost); st.Began || *st.Lengths != (journal.Offsets{}) {
		t.Errorf("%+v", st)
	}
	a.Told = true // as a cancel leaves it
	must(t, a.save())
	if st := drained(t, a, nil); *st.End != (journal.End{Kind: journal.Cancelled}) {
		t.Errorf("one that never started is recorded as %+v", st.End)
	}
}

func TestList_oldestFirst(t *testing.T) {
	p, dir := newPlace(t)
	if all, err := List(p, "r-1"); err != nil || len(all) != 0 {
		t.Fatalf("%v %v", all, err)
	}
	var want []string
	for _, n := range []int{1, 2, 10} {
		want = append(want, newAttempt(t, p, n).Name())
	}
	must(t, os.Mkdir(filepath.Join(dir, "r-1/logs/s01-3-empty"), 0o700))
	all, err := List(p, "r-1")
	must(t, err)
	var got []string
	for _, a := range all {
		got = append(got, a.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAttempt_Checks_eachRunHasItsLog(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	for range 2 {
		w, err := a.LogCheck(3, a.Owner, time.Now)
		must(t, err)
		res, err := runner().Run(t.Context(), check.Command{Run: "echo out; echo err >&2; exit 4", Env: []string{"PATH=/usr/bin:/bin"}, Record: w.Record}, nil)
		must(t, err)
		must(t, w.Finish(res, nil))
	}
	logs, err := a.Checks()
	must(t, err)
	if want := []CheckLog{{3, 1, "check-3-1"}, {3, 2, "check-3-2"}}; !slices.Equal(logs, want) {
		t.Fatalf("%v", logs)
	}
	r, err := journal.OpenReader(logsOf(t, a), "check-3-2")
	must(t, err)
	st, err := r.State()
	must(t, err)
	if st.Completion == nil || st.Completion.End != (journal.End{Kind: journal.Exited, Code: 4}) || st.Offsets != (journal.Offsets{Stdout: 4, Stderr: 4}) {
		t.Errorf("%+v", st)
	}
	if DeadCheck(st) {
		t.Error("its runner lives")
	}
}

// A check that floods: the log has the beginning, a note and the end.
func TestCheckWriter_cap(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	w, err := a.LogCheck(1, a.Owner, time.Now)
	must(t, err)
	const size = CheckCap + 3<<20
	res, err := runner().Run(t.Context(), check.Command{Argv: []string{self(), "__flood", "11534336"}, Env: []string{"PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0"}, Record: w.Record}, nil)
	must(t, err)
	must(t, w.Finish(res, nil))
	r, err := journal.OpenReader(logsOf(t, a), "check-1-1")
	must(t, err)
	st, err := r.State()
	must(t, err)
	if note := st.Length - CheckCap - check.TailSize; res.Stdout.Total != size || note < 20 || note > 80 {
		t.Errorf("%d bytes in the log of %d", st.Length, res.Stdout.Total)
	}
}

// Its runner ended it because the log could not be written: nobody cancelled.
func TestStatus_unlogged(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	kept := beginCommand(t, a, check.Command{Run: "exec sleep 60"})
	eventually(t, "it began", func() bool { return wantState(t, a, Running).Began })
	must(t, a.TellUnlogged(fmt.Errorf("sync the log: %w", unix.ENOSPC)))
	<-kept.Ended()
	st := wantState(t, a, Over)
	if *st.End != (journal.End{Kind: journal.Interrupted, Code: int(unix.ENOSPC)}) || !errors.Is(st.End.Unstored(), unix.ENOSPC) {
		t.Errorf("%+v", st.End)
	}
}

// Somebody wrote to the supervisor's report: its life is what counts then, and
// nobody knows how the job ended.
func TestStatus_foreignReport(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	kept := beginCommand(t, a, check.Command{Run: "echo said; sleep 60"})
	eventually(t, "it began", func() bool { return wantState(t, a, Running).Began })
	root, err := a.root()
	must(t, err)
	defer func() { _ = root.Close() }()
	must(t, root.WriteFile(statusFile, []byte("x\n"), 0o600))
	wantState(t, a, Running)
	must(t, a.Supervisor.Stop())
	<-kept.Ended()
	if st := wantState(t, a, Lost); *st.End != (journal.End{Kind: journal.Interrupted}) {
		t.Errorf("%+v", st.End)
	}
	if _, err := a.Progress(); !errors.Is(err, ErrReport) {
		t.Errorf("its report: %v", err)
	}
	drained(t, a, nil)
	must(t, a.Clean())
	wantState(t, a, Done)
}
