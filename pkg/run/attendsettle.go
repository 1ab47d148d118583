package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
)

// settleAttempts looks after every open attempt whose runner is gone: what its
// checks left running is ended, its job is waited for, or was over, and its
// log completed. Nothing else may look at the tree before.
func (s *session) settleAttempts(ctx context.Context, how settling) error {
	open, err := s.attempts(s.run)
	if err != nil {
		return err
	}
	for _, a := range open {
		if err := s.settleAttempt(ctx, a, how); err != nil {
			return err
		}
	}
	if how == endAlive || s.head.Branch != s.branch {
		return nil
	}
	return s.leaveOthers()
}

func (s *session) settleAttempt(ctx context.Context, a *attempt, how settling) error {
	if err := s.needTree(ctx, a, how); err != nil {
		return err
	}
	at, err := s.fencedFolder(a)
	if err != nil {
		return err
	}
	if at == nil || !at.HasJob() {
		return s.leftBehind(ctx, a)
	}
	st, err := at.Status()
	if err != nil {
		return err
	}
	switch {
	case st.State == job.Done:
		return errors.Join(s.leftBehind(ctx, a), at.Clean())
	case st.State == job.Unclear && !s.takeover:
		return s.ownerUnclear(a, at)
	case st.Final() || st.State == job.Unclear || how == endAlive || at.Told:
		return s.closeJob(ctx, a, at, st)
	case s.inOtherTree(a):
		return s.atWorkElsewhere(a)
	case how == adoptAlive:
		return s.adopt(ctx, a, at)
	}
	return s.stillAtWork(a)
}

func (s *session) stillAtWork(a *attempt) error {
	return failf("RUN_BUSY", ExitBusy, "attempt %d of step %s still runs its job; nothing was done", a.Number, a.Step).
		hint("git agent resume %s   # waits for it", s.run).hint("git agent cancel %s   # ends it", s.run)
}

// fencedFolder is the attempt's folder, nil for none; nobody else has its fence then.
func (s *session) fencedFolder(a *attempt) (*job.Attempt, error) {
	at, err := s.folderOf(s.run, a)
	if err != nil || at == nil {
		return nil, err
	}
	return at, s.fence(a, at, func() error { return s.stillOurs(a) })
}

// leftBehind ends what the checks of an attempt whose job was over left.
func (s *session) leftBehind(ctx context.Context, a *attempt) error {
	if a.Ended {
		return nil
	}
	return s.killLeftovers(ctx, a)
}

func (s *session) ownerUnclear(a *attempt, at *job.Attempt) error {
	return failf("OWNER_UNCLEAR", ExitUnknown, "whether the job of attempt %d of step %s (begun on %s) still runs cannot be told from here; nothing was done",
		a.Number, a.Step, first(at.Host, "an unnamed host")).
		hint("git agent resume %s --takeover   # once nothing of it runs", s.run)
}

// takeOn makes this command the attempt's runner. It holds the fence.
func (s *session) takeOn(a *attempt, at *job.Attempt) error {
	owner, err := check.Self()
	if err != nil {
		return err
	}
	a.Owner = owner
	return errors.Join(s.saveAttempt(a), at.Adopt(owner, s.Host))
}

// closeJob completes the log of a job that is over, or that is told to end now.
func (s *session) closeJob(ctx context.Context, a *attempt, at *job.Attempt, st job.Status) error {
	if err := s.takeOn(a, at); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if !st.Final() {
		s.Notify("%s: ending the job of attempt %d", a.Step, a.Number)
		if err := s.endJob(ctx, a, at, st); err != nil {
			return err
		}
	}
	st, err := s.drain(ctx, a, at, nil, nil)
	if logLost(err) {
		// The job is over, and nothing but its log depends on its log.
		s.Notify("%s: the log of attempt %d stays as it is, without the rest of what the job printed: %v", a.Step, a.Number, err)
		return s.leftBehind(ctx, a)
	}
	if err != nil {
		return s.keepFailure(err, fmt.Sprintf("step %s: log of attempt %d", a.Step, a.Number))
	}
	s.Notify("%s: the job of attempt %d had ended: %s", a.Step, a.Number, endWord(st.End))
	return errors.Join(s.leftBehind(ctx, a), at.Clean())
}

// endJob ends a job; one of which nothing can be told counts as gone, by a
// person's order.
func (s *session) endJob(ctx context.Context, a *attempt, at *job.Attempt, st job.Status) error {
	tell := at.Tell
	if st.State == job.Unclear {
		tell = at.Disown
	}
	if err := tell(); err != nil {
		return err
	}
	return s.killLeftovers(ctx, a)
}

// endJobs ends every job of the run whose runner is gone.
func (s *session) endJobs(ctx context.Context) error { return s.settleAttempts(ctx, endAlive) }
