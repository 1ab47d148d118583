package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// jobLine is what an attempt runs.
type jobLine struct {
	argv []string // given after `--`
	line string   // the plan's `do`
	tty  bool

	detach bool // it is left alone once it runs
}

// job is the command given, else the plan's `do`, nil for neither.
func (s *session) job(step *plan.Step, req StepRequest) *jobLine {
	switch {
	case req.Judge:
		return nil
	case len(req.Command) > 0:
		return &jobLine{argv: req.Command, tty: req.TTY, detach: req.Detach}
	case req.line != "":
		return &jobLine{line: req.line}
	case step.Do != "":
		return &jobLine{line: step.Do, tty: req.TTY, detach: req.Detach}
	}
	return nil
}

// clearGround retires an earlier attempt that ended without a certificate, so
// that the job does not build on a half: phase A decides what it was.
func (s *session) clearGround(ctx context.Context, step *plan.Step, open *attempt, req StepRequest) (certified bool, err error) {
	if !open.Job {
		return false, nil
	}
	w, err := s.work(ctx, step, open, req.Stray, "step "+step.ID)
	if err != nil {
		return false, err
	}
	return s.phaseA(ctx, w)
}

// beginAttempt is row 2. Without a job an attempt that is open already goes
// on: its boundary and its untracked files are the ones that count.
func (s *session) beginAttempt(ctx context.Context, step *plan.Step, open *attempt, withJob bool, req StepRequest) (*attempt, error) {
	if open != nil && !withJob {
		if open.ask(req) {
			return open, s.saveAttempt(open)
		}
		return open, nil
	}
	if withJob {
		if err := s.needCleanGround(ctx, step, req); err != nil {
			return nil, err
		}
	}
	a := attempt{Step: step.ID, Number: s.openNumber(step.ID), Counts: s.nextAttempt(step.ID), Job: withJob, Tip: s.boundary(), Said: req.said}
	a.ask(req)
	if req.after != nil {
		a.After = req.after.Attempt
	}
	if withJob {
		a.Tip = s.head.ID
	}
	kept, err := s.attemptOf(step.ID)
	if err != nil {
		return nil, err
	}
	if step.Fixpoint && kept != nil && kept.Job {
		a.Tip, a.Untracked = kept.Tip, kept.Untracked // what the earlier attempt made is still the step's
		return s.openAttempt(a)
	}
	status, err := s.status(ctx)
	if err != nil {
		return nil, err
	}
	a.Untracked = untracked(status)
	opened, err := s.openAttempt(a)
	if err != nil {
		return nil, err
	}
	return opened, s.goOnFrom(ctx, step, opened)
}

// needCleanGround: what lies changed before the job would be taken for its
// work. A fixpoint step may build on what its own earlier attempt left.
func (s *session) needCleanGround(ctx context.Context, step *plan.Step, req StepRequest) error {
	touches, err := plan.CompilePaths(step.Touches)
	if err != nil {
		return err
	}
	l, err := s.lookClosely(ctx, touches)
	if err != nil {
		return err
	}
	kept, err := s.attemptOf(step.ID)
	if err != nil {
		return err
	}
	builds := step.Fixpoint && kept != nil
	hidden := slices.DeleteFunc(l.hidden, func(e object.IndexEntry) bool { return builds || !touches.Match(e.Path) })
	if err := s.hiddenBefore(step, hidden); err != nil {
		return err
	}
	if err := unmerged(l.status); err != nil {
		return err
	}
	inside, elsewhere := inTheJobsWay(l.status, touches, builds)
	switch {
	case len(inside) > 0:
		known := byPath(l.status)
		if f := s.modulesUnder(known, inside, step); f != nil {
			return f
		}
		return failf("DIRTY_TREE", ExitPerson, "step %s: %s changed before the job ran; nothing was moved", step.ID, listPaths(inside)).
			hint("%s   # certify what is there", s.certifies(step, inside, newToGit(known, inside))).hint("git agent rollback %s", step.ID)
	case len(elsewhere) > 0:
		f := failf("DIRTY_TREE", ExitPerson, "%s changed outside step %s before the job ran; nothing was moved", listPaths(elsewhere), step.ID)
		return s.putAway(f.hint("git status"), l.status, elsewhere)
	}
	return nil
}

// inTheJobsWay lists what would be taken for the job's work: under the step's
// touches, where it may not build on what is there, and elsewhere.
func inTheJobsWay(status []object.FileStatus, touches plan.Paths, builds bool) (inside, elsewhere []string) {
	for _, f := range status {
		switch match := touches.Match(f.Path); {
		case match && builds:
		case match && (!f.Untracked() || touches.Exact(f.Path)):
			inside = append(inside, f.Path)
		case !match && f.Tracked():
			elsewhere = append(elsewhere, f.Path)
		}
	}
	return inside, elsewhere
}

// runJob is row 3. Whatever its exit status or signal, the checks decide; a
// job that was cancelled is not checked.
func (s *session) runJob(ctx context.Context, step *plan.Step, a *attempt, j jobLine) error {
	brief, err := s.briefFile(step, a)
	if err != nil {
		return err
	}
	if why, err := s.prepare(ctx, s.Place.Top); err != nil || why != "" {
		return errors.Join(err, s.setupFailed(step.ID, why))
	}
	defer s.forget()
	env := s.agentEnv(place{step: step.ID, attempt: a})
	env["GIT_AGENT_BRIEF"] = brief
	stdin := brief
	if j.tty {
		stdin = ""
		defer s.HoldTerminal()()
	}
	s.Notify("%s: attempt %d: %s", step.ID, a.Number, j)
	c := check.Command{Run: j.line, Argv: j.argv, Dir: s.Place.Top, Env: s.environ(env), Stdin: stdin, TTY: j.tty}
	run := s.runKept
	if j.tty {
		run = s.runHere
	}
	result, err := run(ctx, a, c, j.detach)
	switch {
	case errors.Is(err, errDetached):
		return err
	case err != nil:
		return s.jobFailed(step.ID, err)
	case isEnvironment(result):
		return s.environment(step.ID, judged{reason: result.Reason})
	case result.Outcome.Kind == check.Cancelled:
		return interrupted(ctx)
	}
	s.Notify("%s: the job ended with %s after %ss", step.ID, result.Outcome, seconds(result.Duration))
	return s.keptBranch(ctx, step, a)
}

// jobFailed is why a job could not be followed to its end, and what goes on.
func (s *session) jobFailed(step string, err error) error {
	switch {
	case errors.Is(err, check.ErrNoEnd):
		return failf("INTERRUPTED", ExitInterrupted, "step %s: the job's supervisor was killed and nobody saw how the job ended; its work is still here", step).
			hint("git agent resume %s", s.run)
	case errors.Is(err, job.ErrReport):
		return fail("UNKNOWN", ExitUnknown, fmt.Errorf("step %s: nobody knows how its job ended, and its work is still here: %w", step, err), "git agent resume "+s.run)
	case logLost(err):
		return fail("LOG_DAMAGED", ExitUnknown, fmt.Errorf("step %s: the job's log: %w", step, err), "git agent resume "+s.run)
	}
	return s.keepFailure(err, "step "+step+": job")
}

// keepFailure gives a way on to an error that has none.
func (s *session) keepFailure(err error, what string) error {
	var f *Failure
	if errors.As(err, &f) {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fail("UNKNOWN", ExitUnknown, fmt.Errorf("%s: %w; what is in the working tree was left alone", what, err), "git agent resume "+s.run)
}

func (s *session) setupFailed(step, why string) error {
	if why == "" {
		return nil
	}
	return s.environment(step, judged{reason: why})
}

func (j jobLine) String() string {
	if len(j.argv) > 0 {
		return quoteArgs(j.argv)
	}
	return j.line
}

// briefFile writes the step's brief where the job can read it.
func (s *session) briefFile(step *plan.Step, a *attempt) (string, error) {
	name := s.run + "/brief-" + step.ID + ".md"
	text, err := s.brief(step, a)
	if err != nil {
		return "", err
	}
	return filepath.FromSlash(s.State.Path(name)), s.State.Write(name, []byte(text))
}
