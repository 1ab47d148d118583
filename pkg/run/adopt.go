package run

import (
	"context"
	"errors"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
)

// adopt goes on where the dead runner of a live job stopped: it waits for the
// job, under the run's lease, and drains it. An interrupt leaves the job alone;
// a cancel, and a run that moved on elsewhere, end it.
func (s *session) adopt(ctx context.Context, a *attempt, at *job.Attempt) error {
	if ended, err := s.endOvertaken(ctx, a, at); err != nil || ended {
		return err
	}
	if err := s.needNotCancelled(ctx, openAgain); err != nil {
		return err
	}
	if err := s.claim(ctx, a.Step, a.Tip, at.Claim); err != nil {
		return err
	}
	s.Fault("job-claimed")
	if err := s.takeOn(a, at); err != nil {
		return err
	}
	defer s.succeed(a)()
	s.Notify("%s: attempt %d still runs its job; waiting for it (Ctrl-C leaves it running, git agent cancel ends it)", a.Step, a.Number)
	s.Fault("job-adopted")
	kept, stop := s.keep(ctx)
	_, err := s.drain(kept, a, at, nil, func() error { return s.stopOrLeave(kept, at) })
	fenced, cancelled := errors.Is(context.Cause(kept), errFenced), wasCancelled(kept)
	stop()
	switch {
	case errors.Is(err, errDetached):
		s.detached = true
		return failf("INTERRUPTED", ExitInterrupted, "interrupted; the job of step %s goes on by itself", a.Step).
			hint("git agent resume %s", s.run).hint("git agent cancel %s   # ends it", s.run)
	case logLost(err): // told
		err = s.stillOurs(a)
	}
	if err != nil {
		return s.noEnd(ctx, a, err)
	}
	return s.adopted(ctx, a, at, fenced, cancelled)
}

// endOvertaken ends the job of a run that moved on elsewhere. Whatever else the remote
// lacks or does not answer is for a person, and the job goes on.
func (s *session) endOvertaken(ctx context.Context, a *attempt, at *job.Attempt) (ended bool, err error) {
	behind, err := false, s.needBranchThere(ctx)
	if err == nil && s.tip != "" { // a branch that is gone here comes from there, later
		behind, err = s.behind(ctx)
	}
	switch {
	case err != nil:
		s.Notify("%s: attempt %d still runs its job, which goes on (git agent cancel ends it)", a.Step, a.Number)
		return false, err
	case behind:
		s.Notify("%v", s.lost(map[string]string{s.branch: s.remote.branch}))
		return true, s.closeJob(ctx, a, at, job.Status{})
	}
	return false, nil
}

// stopOrLeave is what becomes of a job whose waiting resume has to end.
func (s *session) stopOrLeave(ctx context.Context, at *job.Attempt) error {
	if wasCancelled(ctx) || errors.Is(context.Cause(ctx), errFenced) {
		return at.Tell()
	}
	return errDetached
}

// adopted is the end of a job that was waited for: everything is looked at
// anew, because it took as long as it took.
func (s *session) adopted(ctx context.Context, a *attempt, at *job.Attempt, fenced, cancelled bool) error {
	step := s.stepOf(a)
	if (fenced || cancelled) && step != nil {
		w, err := s.work(ctx, step, a, "", "resume "+s.run)
		switch {
		case err != nil:
			return err
		case cancelled:
			return s.stopped(ctx, w)
		}
		return s.fenced(ctx, w)
	}
	result, err := s.outcomeOf(ctx, at)
	if err != nil {
		return s.noEnd(ctx, a, err)
	}
	if isEnvironment(result) {
		return s.environment(a.Step, judged{reason: result.Reason})
	}
	s.Notify("%s: the job ended with %s", a.Step, result.Outcome)
	if step != nil {
		if err := s.keptBranch(ctx, step, a); err != nil {
			return err
		}
	}
	return errors.Join(at.Clean(), s.again(ctx))
}

// noEnd: nobody saw how the job ended. What is told of the run then believes no
// commit of the job's either.
func (s *session) noEnd(ctx context.Context, a *attempt, err error) error {
	step := s.stepOf(a)
	if step == nil || !errors.Is(err, check.ErrNoEnd) {
		return s.jobFailed(a.Step, err)
	}
	if left := s.keptBranch(ctx, step, a); left != nil {
		return left
	}
	if err := s.reload(ctx); err != nil {
		return err
	}
	if left := s.ownWords(ctx, a); left != nil { // of before this command began to wait
		return left
	}
	return s.jobFailed(a.Step, err)
}

// outcomeOf judges a job that is over as one that this command had run.
func (s *session) outcomeOf(ctx context.Context, at *job.Attempt) (check.Result, error) {
	p, err := at.Progress()
	if err != nil {
		return check.Result{}, err
	}
	c := check.Command{Argv: at.Argv, Run: at.Line, Dir: string(at.Dir), Env: s.environ(nil)}
	return s.Runner.Judge(ctx, c, p)
}

// again reads everything about the run anew, and keeps what the command holds.
func (s *session) again(ctx context.Context) error {
	now, err := s.openSynced(ctx, s.run)
	if err != nil {
		return err
	}
	now.hold, now.takeover, now.fences, now.detached = s.hold, s.takeover, s.fences, s.detached
	if err := now.goOnAs(ctx, s); err != nil {
		return err
	}
	now.local.NoPush, now.sharing, now.limit, now.strays = s.local.NoPush, s.sharing, s.limit, s.strays
	*s = *now
	return nil
}
