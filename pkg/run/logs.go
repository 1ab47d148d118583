package run

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
)

// LogsRequest names one log of this clone.
type LogsRequest struct {
	Run  string
	Step string // "": that of the newest attempt here
	// Attempt is its number, 0 for the newest.
	Attempt int
	// Name is the attempt's folder, "" for any.
	Name string
	// Check is a check's, from 1 in plan order; 0 is the job's log.
	Check int
	// Wait waits for the log of an attempt that is under way.
	Wait bool
}

// AttemptLog is a log of an attempt of this clone, open for reading. It is
// strictly read-only: no lock, no repair, and no byte that is not committed
// while a runner drains the job.
type AttemptLog struct {
	*journal.Reader
	Facts job.Facts
	Check int // 0: the job's
	Rerun int // which run of the check, from 1

	engine  *Engine
	attempt *job.Attempt
}

// OpenLog opens a log.
func (e *Engine) OpenLog(ctx context.Context, req LogsRequest) (*AttemptLog, error) {
	a, err := e.findAttempt(ctx, req)
	if err != nil {
		return nil, err
	}
	return e.openLogOf(ctx, a, req)
}

// openLogOf opens a log of one attempt, and waits for it where that is wanted
// and it may still come.
func (e *Engine) openLogOf(ctx context.Context, a *job.Attempt, req LogsRequest) (*AttemptLog, error) {
	for {
		over := e.isOver(a)
		l, err := e.tryLog(a, req.Check)
		if err == nil {
			return l, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, e.logFailure(req.Run, a.Step, err)
		}
		if over || !req.Wait {
			return nil, e.noSuchLog(a, req.Check)
		}
		if err := nap(ctx); err != nil {
			return nil, err
		}
	}
}

// nap lies between two looks of somebody who waits for a log.
func nap(ctx context.Context) error {
	timer := time.NewTimer(100 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (e *Engine) tryLog(a *job.Attempt, check int) (*AttemptLog, error) {
	l := &AttemptLog{Facts: a.Facts, Check: check, engine: e, attempt: a}
	name := job.LogName
	var err error
	if check > 0 {
		if name, l.Rerun, err = checkLog(a, check); err != nil {
			return nil, err
		}
	}
	l.Reader, err = a.OpenReader(name)
	return l, err
}

// checkLog is the newest run of a check.
func checkLog(a *job.Attempt, check int) (name string, rerun int, err error) {
	logs, err := a.Checks()
	for _, l := range slices.Backward(logs) {
		if l.Check == check {
			return l.Name, l.Run, err
		}
	}
	if err == nil {
		err = fs.ErrNotExist
	}
	return "", 0, err
}

// findAttempt is the newest attempt here that a request fits.
func (e *Engine) findAttempt(ctx context.Context, req LogsRequest) (*job.Attempt, error) {
	all, err := job.List(e.State, req.Run)
	for _, a := range slices.Backward(all) {
		if (req.Step == "" || a.Step == req.Step) && (req.Attempt == 0 || a.Number == req.Attempt) && (req.Name == "" || a.Name() == req.Name) {
			return a, nil
		}
	}
	if err != nil {
		return nil, err // one that cannot be read may be the one
	}
	return nil, e.madeElsewhere(ctx, req)
}

// isOver reports whether nothing is written for an attempt any more: it is
// retired, or whoever worked on it is gone.
func (e *Engine) isOver(a *job.Attempt) bool {
	open, err := e.attempts(a.Run)
	if err != nil {
		return false
	}
	for _, row := range open {
		if row.ID == a.Attempt {
			return row.Ended || a.Dead(journal.State{})
		}
	}
	return true
}

// Follow hands out what is committed and what comes, until the log is complete.
// What ended it is the answer; nil with an error where that cannot be told.
func (l *AttemptLog) Follow(ctx context.Context, w io.Writer, view journal.View) (*journal.Completion, int64, error) {
	dead := func(journal.State) bool { return l.attempt.RunnerGone() } // then [AttemptLog.beyond] has the rest
	if l.Check > 0 {
		dead = job.DeadCheck
	}
	done, next, err := l.Reader.Follow(ctx, w, journal.Follow{View: view, Dead: dead})
	if isUnknownEnd(err) {
		done, next, err = l.followBeyond(ctx, w, view, next, err)
	}
	return done, next, l.failure(err)
}

// Copy hands out what is there now.
func (l *AttemptLog) Copy(ctx context.Context, w io.Writer, view journal.View) (int64, error) {
	next, err := l.Reader.Copy(w, view)
	if err == nil && l.attempt.RunnerGone() {
		if u, ok := l.beyond(w, view, next); ok {
			err, next = u.now(ctx), u.next
		}
	}
	return next, l.failure(err)
}

// Tail is where the last n lines begin.
func (l *AttemptLog) Tail(s journal.Stream, n int) (int64, error) {
	at, err := l.Reader.Tail(s, n)
	return at, l.failure(err)
}

// State is what the log proves.
func (l *AttemptLog) State() (journal.State, error) {
	st, err := l.Reader.State()
	return st, l.failure(err)
}

func (l *AttemptLog) failure(err error) error {
	if err == nil {
		return nil
	}
	return l.engine.logFailure(l.Facts.Run, l.Facts.Step, err)
}

// Next waits for the attempt that comes after this one at its step, and opens
// its log. nil: none comes, because the step is certified or the run cancelled.
func (l *AttemptLog) Next(ctx context.Context) (*AttemptLog, error) {
	for {
		decided, err := l.decided(ctx)
		if err != nil {
			return nil, err
		}
		all, err := job.List(l.engine.State, l.Facts.Run)
		if err != nil {
			return nil, err
		}
		for _, a := range all {
			if a.Step == l.Facts.Step && a.Opened.After(l.Facts.Opened) {
				return l.engine.openLogOf(ctx, a, LogsRequest{Run: l.Facts.Run, Check: l.Check, Wait: true})
			}
		}
		if decided {
			return nil, nil
		}
		for range 5 {
			if err := nap(ctx); err != nil {
				return nil, err
			}
		}
	}
}

// decided reports whether no other attempt at the step is to be expected.
func (l *AttemptLog) decided(ctx context.Context) (bool, error) {
	s, err := l.engine.open(ctx, l.Facts.Run)
	if err != nil {
		return false, err
	}
	if s.standing(l.Facts.Step) != nil {
		return true, nil
	}
	stands, err := s.cancelStands(ctx)
	return stands != nil, err
}
