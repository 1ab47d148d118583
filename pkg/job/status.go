package job

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/journal"
)

// State is where a job stands.
type State string

// The states of a job.
const (
	Waiting State = "waiting" // not begun; its runner lives, or could
	Running State = "running" // its supervisor lives
	Over    State = "over"    // ended, the supervisor saw how; the log may not have all of it
	Lost    State = "lost"    // provably ended, and nobody saw how
	Done    State = "done"    // ended, and the log is complete
	Unclear State = "unclear" // whether its supervisor lives cannot be told from here
)

// Status is what is known of an attempt's job. Over, Lost and Done are for
// good: nothing is written any more, and End and Lengths are final.
type Status struct {
	Format  int    `json:"format"`
	Name    string `json:"name"` // of the attempt's folder
	Run     string `json:"run"`
	Step    string `json:"step"`
	Attempt string `json:"attempt"`
	Number  int    `json:"number"`
	Version int    `json:"plan_version"`
	State   State  `json:"state"`
	// Began: the supervisor has a first status.
	Began   bool             `json:"began"`
	End     *journal.End     `json:"end,omitempty"`
	Lengths *journal.Offsets `json:"lengths,omitempty"`
}

// Final reports that nothing comes any more.
func (st Status) Final() bool { return st.End != nil && st.Lengths != nil }

// same reports whether a later look says the same end: what a log is completed
// with was true twice.
func (st Status) same(again Status) bool {
	return st.Final() && again.Final() && st.Attempt == again.Attempt && *st.End == *again.End && *st.Lengths == *again.Lengths
}

// Status looks at the folder, and changes nothing.
func (a *Attempt) Status() (Status, error) {
	if err := a.reload(); err != nil {
		return Status{}, err
	}
	root, err := a.root()
	if err != nil {
		return Status{}, err
	}
	defer func() { _ = root.Close() }()
	return a.look(root)
}

func (a *Attempt) look(root *os.Root) (Status, error) {
	st := Status{Format: 1, Name: a.name, Run: a.Run, Step: a.Step, Attempt: a.Attempt, Number: a.Number, Version: a.PlanVersion}
	// The native files go once the log is complete: only then is it read.
	if _, err := root.Lstat(stdoutFile); errors.Is(err, fs.ErrNotExist) {
		if c, err := completion(root); err != nil || c != nil {
			return completed(st, c), err
		}
	}
	p, err := a.saidLast(root)
	if err != nil {
		return st, err
	}
	st.Began = p.Began()
	if !p.Over() {
		// In this order: a supervisor that was dead has said its last word.
		gone, provable := a.gone()
		if p, err = a.saidLast(root); err != nil {
			return st, err
		}
		if !p.Over() {
			return a.underWay(root, st, gone, provable)
		}
	}
	end := a.byWhom(endOf(p.Outcome()), p.Unstored())
	stdout, stderr := p.Stored()
	st.State, st.Began, st.End, st.Lengths = Over, true, &end, &journal.Offsets{Stdout: stdout, Stderr: stderr}
	return st, nil
}

func completed(st Status, c *journal.Completion) Status {
	if c != nil {
		st.State, st.Began, st.End = Done, true, &c.End
		st.Lengths = &journal.Offsets{Stdout: c.Stdout.Length, Stderr: c.Stderr.Length}
	}
	return st
}

// gone reports whether whoever could still begin or end the job is dead: the
// supervisor once there is one, else the runner, without which none begins.
func (a *Attempt) gone() (dead, provable bool) {
	if a.Disowned {
		return true, true
	}
	if a.Supervisor != nil {
		return a.Supervisor.Dead()
	}
	return a.Owner.Dead()
}

// underWay is the state of a job without a last word.
func (a *Attempt) underWay(root *os.Root, st Status, gone, provable bool) (Status, error) {
	switch {
	case gone && provable:
		// What lies there is all there will be.
		lengths, err := nativeLengths(root)
		if err != nil {
			return st, err
		}
		end := a.byWhom(journal.End{Kind: journal.Interrupted}, 0)
		st.State, st.End, st.Lengths = Lost, &end, &lengths
	case !provable:
		st.State = Unclear
	case a.Supervisor == nil:
		st.State = Waiting
	default:
		st.State = Running
	}
	return st, nil
}

// byWhom is a job's end with who ended it. Told to end, it may have been reached
// by whoever sweeps up before its supervisor got to it; and nobody cancelled one
// whose output could not be kept.
func (a *Attempt) byWhom(end journal.End, unstored syscall.Errno) journal.End {
	if a.Told && (end.Kind == journal.Signaled || end.Kind == journal.Interrupted) {
		end = journal.End{Kind: journal.Cancelled}
	}
	if errno := cmp.Or(unstored, a.Unlogged); errno != 0 && end.Kind == journal.Cancelled {
		end = journal.End{Kind: journal.Interrupted, Code: int(errno)}
	}
	return end
}

// ErrReport is a supervisor's report that somebody else wrote to: nothing is
// known of what it said.
var ErrReport = errors.New("unreadable report")

// saidLast is progress where one that cannot be read counts as none: whether
// anything still runs is told by whether its supervisor lives.
func (a *Attempt) saidLast(root *os.Root) (check.Progress, error) {
	p, err := a.progress(root)
	return p, ignore(err, ErrReport)
}

// progress reads the supervisor's report, empty before there is one.
func (a *Attempt) progress(root *os.Root) (check.Progress, error) {
	if a.Supervisor == nil {
		return check.Progress{}, nil
	}
	text, err := readSmall(root, statusFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return check.Progress{}, err
	}
	p, err := check.ReadProgress(a.Nonce, text)
	if err != nil {
		return check.Progress{}, fmt.Errorf("%w of attempt %q: %w", ErrReport, a.name, err)
	}
	return p, nil
}

// Progress is the supervisor's report, for [check.Runner.Judge].
func (a *Attempt) Progress() (check.Progress, error) {
	root, err := a.root()
	if err != nil {
		return check.Progress{}, err
	}
	defer func() { _ = root.Close() }()
	return a.progress(root)
}

// completion is the log's, nil while it has none.
func completion(root *os.Root) (*journal.Completion, error) {
	if _, err := root.Lstat(LogName + ".index"); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r, err := journal.OpenReader(journal.RootFolder(root, "."), LogName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	state, err := r.State()
	return state.Completion, err
}

func nativeLengths(root *os.Root) (journal.Offsets, error) {
	var o journal.Offsets
	for name, into := range map[string]*int64{stdoutFile: &o.Stdout, stderrFile: &o.Stderr} {
		info, err := root.Lstat(name)
		if err == nil {
			*into = info.Size()
		} else if !errors.Is(err, fs.ErrNotExist) {
			return o, err
		}
	}
	return o, nil
}

// endOf puts an outcome into the log's words.
func endOf(o check.Outcome) journal.End {
	switch o.Kind {
	case check.Exit:
		return journal.End{Kind: journal.Exited, Code: o.Code}
	case check.Signal:
		return journal.End{Kind: journal.Signaled, Code: o.Code}
	case check.Timeout:
		return journal.End{Kind: journal.Timeout}
	case check.Cancelled:
		return journal.End{Kind: journal.Cancelled}
	case check.NotFound:
		return journal.End{Kind: journal.Exited, Code: 127} // as a shell says it
	}
	return journal.End{Kind: journal.Interrupted}
}

// Dead reports that whoever could still complete the job's log is provably
// gone: the runner that wrote it last, and the supervisor. It is what a
// follower asks, see [journal.Follow].
func (a *Attempt) Dead(journal.State) bool {
	return a.RunnerGone() && (a.Supervisor == nil || a.Supervisor.Gone())
}

// RunnerGone reports that the runner that wrote the job's log last is provably
// gone; its supervisor may live.
func (a *Attempt) RunnerGone() bool { return a.reload() == nil && a.Owner.Gone() }
