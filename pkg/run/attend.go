package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
)

// errDetached is the answer of a command that leaves its job running.
var errDetached = errors.New("the job goes on by itself")

// runHere runs a job that has our terminal: it dies with us.
func (s *session) runHere(ctx context.Context, _ *attempt, c check.Command, _ bool) (check.Result, error) {
	return s.supervise(ctx, c, s.Live)
}

// runKept runs a job that outlives us, to its end unless it is to be left.
func (s *session) runKept(ctx context.Context, a *attempt, c check.Command, detach bool) (check.Result, error) {
	at, err := s.folderOf(s.run, a)
	if err != nil || at == nil {
		return check.Result{}, errors.Join(errors.New("the attempt's folder is gone"), err)
	}
	defer s.succeed(a)()
	began := s.Now()
	kept, err := s.startJob(at, c)
	if err != nil {
		return check.Result{}, err
	}
	if detach {
		s.detached = true
		s.Notify("%s: the job goes on by itself (pid %d); git agent resume waits for it and certifies", a.Step, kept.Supervisor.PID)
		return check.Result{}, errDetached
	}
	if _, err := s.drain(ctx, a, at, kept.Ended(), at.Tell); err != nil {
		return check.Result{}, errors.Join(err, s.endLogless(a, at, kept))
	}
	result, err := s.outcomeOf(ctx, at)
	result.Duration = max(0, s.Now().Sub(began))
	return result, errors.Join(err, at.Clean())
}

// endLogless ends a job whose folder was deleted: nobody could find it again.
func (s *session) endLogless(a *attempt, at *job.Attempt, kept *check.Kept) error {
	if _, err := at.Status(); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := kept.Supervisor.Stop(); err != nil {
		return err
	}
	<-kept.Ended()
	return s.killLeftovers(context.Background(), a)
}

// isEnvironment: the job never ran, or could not go on for no fault of its own.
func isEnvironment(r check.Result) bool {
	return r.Outcome.Kind == check.NotFound || r.Environment && r.Outcome.Kind == check.Cancelled
}

// startJob starts the attempt's job under a supervisor that outlives us.
func (s *session) startJob(at *job.Attempt, c check.Command) (*check.Kept, error) {
	log, err := at.OpenLog(s.Now) // its header is durable before there is a job
	if err != nil {
		return nil, err
	}
	if err := log.Close(); err != nil {
		return nil, err
	}
	s.Fault("job-opened")
	kept, err := at.Start(s.Runner, c)
	if err != nil {
		return nil, err
	}
	s.Fault("job-begun")
	return kept, nil
}

// drainTries is how often a log that could not be written is opened again.
const drainTries = 5

// drain follows a job to its end, into its log. stop is asked when ctx is done.
func (s *session) drain(ctx context.Context, a *attempt, at *job.Attempt, ended <-chan struct{}, stop func() error) (job.Status, error) {
	for try := 0; ; try++ {
		log, err := at.OpenLog(s.Now)
		if logLost(err) {
			return s.outlast(ctx, a, at, ended, stop, err)
		}
		if err != nil {
			return job.Status{}, err
		}
		d := job.Drain{From: job.Local(at), Log: log, Live: s.Live, Ended: ended, Stop: stop,
			Final: func(st job.Status) error { return s.beforeEnd(ctx, a, st) }}
		st, err := d.Run(ctx)
		err = errors.Join(err, log.Close())
		if logLost(err) {
			return s.outlast(ctx, a, at, ended, stop, err)
		}
		var broken *journal.BrokenError
		if !errors.As(err, &broken) {
			return st, err
		}
		if broken.Op == journal.OpSync { // the log can never be called durable again
			return st, errors.Join(err, at.TellUnlogged(err))
		}
		if try == drainTries-1 {
			return st, err
		}
		s.Notify("%s: the log cannot be written, trying again: %v", a.Step, err)
		if errWait := backOff(context.WithoutCancel(ctx), try); errWait != nil {
			return st, err
		}
	}
}

// outlast waits for the job of a log that is never written again: it lives, and
// nobody else would. lost is the answer then.
func (s *session) outlast(ctx context.Context, a *attempt, at *job.Attempt, ended <-chan struct{}, stop func() error, lost error) (job.Status, error) {
	patient, told := ctx, false
	for {
		st, err := at.Status()
		if err != nil || st.Final() || stop == nil {
			return st, errors.Join(lost, err)
		}
		if !told {
			s.Notify("%s: the log of attempt %d cannot go on (%v); its job does, and is waited for", a.Step, a.Number, lost)
			told = true
		}
		if ctx.Err() != nil && patient == ctx {
			if err := stop(); err != nil {
				return st, err
			}
			patient = context.WithoutCancel(ctx)
		}
		look := time.NewTimer(loglessPause)
		select {
		case <-look.C:
		case <-patient.Done():
		case <-ended:
			ended = nil // it wakes us once
		}
		look.Stop()
	}
}

// loglessPause lies between two looks at a job that is only waited for.
const loglessPause = 100 * time.Millisecond

// beforeEnd is asked before a log is completed.
func (s *session) beforeEnd(ctx context.Context, a *attempt, st job.Status) error {
	if err := s.stillOurs(a); err != nil {
		return err
	}
	s.Fault("job-ended")
	if st.State != job.Lost {
		return nil
	}
	return s.killLeftovers(context.WithoutCancel(ctx), a)
}

func (s *session) killLeftovers(ctx context.Context, a *attempt) error {
	if err := check.KillLeftovers(ctx, a.ID, s.Runner.Grace); err != nil {
		return fail("JOB_ALIVE", ExitBusy, fmt.Errorf("step %s: its job still runs: %w", a.Step, err), "git agent resume "+s.run)
	}
	return nil
}

// settle says what is done about a job that lives although its runner is dead.
type settling int

const (
	leaveAlive settling = iota // the command is busy
	adoptAlive                 // it waits for the job
	endAlive                   // the job is told to end
)

// logLost reports whether a log holds what no writer of ours left in it. It is
// never written again.
func logLost(err error) bool {
	var damaged *journal.DamagedError
	var missing *journal.CheckpointMissingError
	var offset *journal.OffsetError
	return errors.As(err, &damaged) || errors.As(err, &missing) || errors.As(err, &offset)
}

func endWord(end *journal.End) string {
	switch end.Kind {
	case journal.Exited:
		return fmt.Sprintf("exit=%d", end.Code)
	case journal.Signaled:
		return fmt.Sprintf("signal=%d", end.Code)
	}
	if err := end.Unstored(); err != nil {
		return fmt.Sprintf("what it printed could not be stored: %v", err)
	}
	return string(end.Kind)
}
