package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/journal"
)

// CheckLog is the log of one run of one check.
type CheckLog struct {
	Check int    // from 1, in plan order
	Run   int    // from 1, within the attempt
	Name  string // of the journal in the attempt's folder
}

// Checks lists the logs of an attempt's checks, in the order of checks and runs.
func (a *Attempt) Checks() ([]CheckLog, error) {
	names, err := a.folder.List(a.dir())
	var all []CheckLog
	for _, name := range names {
		base, isIndex := strings.CutSuffix(name, ".index")
		var c CheckLog
		if n, _ := fmt.Sscanf(base, "check-%d-%d", &c.Check, &c.Run); !isIndex || n != 2 || base != checkName(c.Check, c.Run) {
			continue
		}
		c.Name = base
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b CheckLog) int {
		if a.Check != b.Check {
			return a.Check - b.Check
		}
		return a.Run - b.Run
	})
	return all, ignore(err, fs.ErrNotExist)
}

func checkName(check, run int) string { return fmt.Sprintf("check-%d-%d", check, run) }

// CheckCap is how much of each stream of a check its log keeps from the start,
// in bytes. Of what comes after, a note tells how much, and the end is kept:
// [check.TailSize].
const CheckCap = 8 << 20

// CheckWriter keeps the log of one run of a check, while it runs. Checks die
// with their runner, so there are no native files: a log without completion
// is of a check that nobody saw end.
type CheckWriter struct {
	mu      sync.Mutex
	log     *journal.Writer
	err     error
	due     *time.Timer
	dropped [2]int64
}

// LogCheck begins the log of the next run of a check (from 1). owner is the
// runner.
func (a *Attempt) LogCheck(number int, owner check.Owner, now func() time.Time) (*CheckWriter, error) {
	logs, err := a.Checks()
	if err != nil {
		return nil, err
	}
	run := 1
	for _, l := range logs {
		if l.Check == number {
			run = l.Run + 1
		}
	}
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	text, err := json.Marshal(owner)
	if err != nil {
		return nil, err
	}
	log, err := journal.Open(journal.OpenRequest{Folder: journal.RootFolder(root, "."), Name: checkName(number, run), Identity: a.Identity(), Owner: text, Now: now})
	if err != nil {
		return nil, err
	}
	return &CheckWriter{log: log, err: log.Accepted()}, nil
}

func streamOf(stderr bool) journal.Stream {
	if stderr {
		return journal.Stderr
	}
	return journal.Stdout
}

// Record takes what the check wrote; it is what [check.Command] asks for.
func (w *CheckWriter) Record(stderr bool, p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := streamOf(stderr)
	room := max(0, CheckCap-w.log.Next(s))
	kept := p[:min(int64(len(p)), room)]
	w.dropped[s-1] += int64(len(p) - len(kept))
	w.append(s, kept)
	if w.due == nil && len(kept) > 0 {
		w.due = time.AfterFunc(journal.GroupTime, w.flush)
	}
}

func (w *CheckWriter) append(s journal.Stream, p []byte) {
	if w.err == nil && len(p) > 0 {
		w.err = w.log.Append(s, w.log.Next(s), p)
	}
}

// flush shows a follower what the check said before it fell silent.
func (w *CheckWriter) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.due = nil
	if w.err == nil {
		w.err = ignore(w.log.Flush(), journal.ErrFinished)
	}
}

// Finish completes the log with what became of the check. The error is the
// first that writing the log met; it says nothing about the check.
func (w *CheckWriter) Finish(res check.Result, ran error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.due != nil {
		w.due.Stop()
	}
	for i, tail := range []check.Tail{res.Stdout, res.Stderr} {
		if dropped := w.dropped[i]; dropped > 0 {
			end := tail.Bytes[max(0, int64(len(tail.Bytes))-dropped):]
			note := fmt.Sprintf("\n[git agent: %d bytes are left out here]\n", dropped-int64(len(end)))
			w.append(journal.Stream(i+1), append([]byte(note), end...))
		}
	}
	if w.err == nil {
		w.err = w.log.Finish(endOfCheck(res, ran), journal.Offsets{Stdout: w.log.Next(journal.Stdout), Stderr: w.log.Next(journal.Stderr)})
	}
	return errors.Join(w.err, w.log.Close())
}

func endOfCheck(res check.Result, ran error) journal.End {
	if ran != nil {
		return journal.End{Kind: journal.Interrupted}
	}
	return endOf(res.Outcome)
}

// DeadCheck reports that whoever wrote a check's log is provably gone, for a
// follower, see [journal.Follow].
func DeadCheck(st journal.State) bool {
	var o check.Owner
	if len(st.Header.Owner) == 0 || json.Unmarshal(st.Header.Owner, &o) != nil {
		return false
	}
	return o.Gone()
}
