package run

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const defaultCheckTimeout = 30 * time.Minute

// judged is what a step's checks came to on one tree.
type judged struct {
	outcome reconcile.Outcome
	checks  []trailers.Check // those that ran, in plan order
	tally   tally            // of all runs
	failed  *check.Result    // of the check that failed, nil if all passed
	command string           // of the check that failed
	reason  string           // of an environment outcome
	dirty   int              // untracked files beside HEAD's tree, where phase B ran it here
	tree    string           // that the checks of an attempt saw, "" where none ran
	leftOut []string         // of that tree: survey.rewritten
}

// place is where checks run.
type place struct {
	dir     string // top of a checkout
	step    string
	attempt *attempt // nil outside an attempt
	// logs is where the log of the check with this number (from 1) goes, nil
	// for nowhere.
	logs  *job.Attempt
	check int
}

// judge runs every check of a step in order and stops at the first failure:
// each passes at `confirm` passes in a row and fails at failure `retry`+1.
func (s *session) judge(ctx context.Context, step *plan.Step, at place) (judged, error) {
	defer s.forget()
	if why, err := s.prepare(ctx, at.dir); err != nil || why != "" {
		return judged{outcome: reconcile.Unsettled, reason: why}, err
	}
	ground, err := s.ground(ctx, at.dir)
	if err != nil {
		return judged{}, err
	}
	var j judged
	for i, c := range step.Check {
		at.check = i + 1
		result, ran, err := s.confirm(ctx, step, c, at, ground)
		if err != nil {
			return j, err
		}
		j.tally = j.tally.plus(ran)
		j.checks = append(j.checks, trailers.Check{Command: c.Run, Outcome: outcomeOf(result.Outcome), Secs: seconds(result.Duration)})
		s.Notify("%s: check %d/%d %s in %ss: %s", step.ID, i+1, len(step.Check), verdictWord(result), seconds(result.Duration), c.Run)
		switch {
		case result.Outcome.Passed():
			if err := ground.same(ctx, step); err != nil {
				return j, err
			}
			s.noteFlaky(step.ID, ran)
			continue
		case result.Environment:
			j.outcome, j.reason = reconcile.Unsettled, result.Reason
		default:
			j.outcome = reconcile.Failed
		}
		j.failed, j.command = &result, c.Run
		return j, nil
	}
	return j, nil
}

// tally counts the runs of a step's checks on one tree.
type tally struct{ runs, failed int }

func (t tally) plus(o tally) tally { return tally{t.runs + o.runs, t.failed + o.failed} }

// noteFlaky remembers a check that failed and then passed on one tree.
func (s *session) noteFlaky(step string, ran tally) {
	if ran.failed == 0 {
		return
	}
	if s.flaky == nil {
		s.flaky = map[string]tally{}
	}
	s.flaky[step] = s.flaky[step].plus(ran)
	s.Notify("%s: flaky: %d of %d runs of a check failed on one tree", step, ran.failed, ran.runs)
}

func (s *session) confirm(ctx context.Context, step *plan.Step, c plan.Check, at place, g *ground) (result check.Result, ran tally, err error) {
	before, err := g.look(ctx)
	if err != nil {
		return result, ran, err
	}
	passes := 0
	for passes < step.Confirm {
		if ran.runs > 0 {
			if err := g.restore(ctx, before); err != nil {
				return result, ran, err
			}
		}
		result, err = s.runCheck(ctx, c, at)
		ran.runs++
		switch {
		case err != nil:
			return result, ran, err
		case result.Outcome.Kind == check.Cancelled:
			return result, ran, interrupted(ctx)
		case result.Outcome.Passed():
			passes++
		case result.Environment:
			return result, ran, nil
		default:
			ran.failed++
			passes = 0
			if ran.failed > max(step.Retry, doubts(result)) {
				return result, ran, nil
			}
		}
	}
	return result, ran, nil
}

// doubts is how often a check runs again whatever its `retry`: once, where its
// shell says that SIGKILL hit what it ran. Nobody can tell whose that was, and of
// the shell itself it would say nothing about the tree (the design, section 7).
func doubts(r check.Result) int {
	if r.Outcome.SaysKilled() {
		return 1
	}
	return 0
}

// checkCommand is a check as it runs at a place.
func (s *session) checkCommand(ctx context.Context, c plan.Check, at place) (check.Command, error) {
	if err := s.needLeave(ctx); err != nil {
		return check.Command{}, err
	}
	timeout := c.Timeout
	if timeout == 0 {
		timeout = s.checkTimeout()
	}
	extra := s.agentEnv(at)
	extra["GIT_AGENT_CHECK"] = "1"
	for k, v := range c.Env {
		extra[k] = v
	}
	return s.inItsFolder(ctx, check.Command{Run: c.Run, Env: s.environ(extra), Timeout: timeout}, c.Dir, at)
}

func (s *session) runCheck(ctx context.Context, c plan.Check, at place) (check.Result, error) {
	command, err := s.checkCommand(ctx, c, at)
	if err != nil {
		return check.Result{}, err
	}
	run := s.runLogged
	if at.logs == nil || at.check == 0 {
		run = func(ctx context.Context, command check.Command, _ place) (check.Result, error) {
			return s.supervise(ctx, command, s.Live)
		}
	}
	result, err := run(ctx, command, at)
	return result, s.unseen(at.step, err)
}

// unseen is a check, a setup or a fingerprint of which nobody knows how it ended.
func (s *session) unseen(step string, err error) error {
	if err == nil {
		return nil
	}
	f := failf("UNKNOWN", ExitUnknown, "%v; nothing was certified", err) // as text: it may be a list, and is one answer
	if errors.Is(err, check.ErrNoEnd) {
		f.Err = fmt.Errorf("%w (killed by the command itself, or from outside)", f.Err)
	}
	if step != "" {
		f = f.hint("git agent check %s   # whether it always does", step)
	}
	return f.hint("git agent resume %s", s.run)
}

// runLogged keeps what a check of an attempt prints. A log that cannot be
// written is told, and changes nothing about the check.
func (s *session) runLogged(ctx context.Context, c check.Command, at place) (check.Result, error) {
	owner, err := check.Self()
	if err != nil {
		return check.Result{}, err
	}
	log, errLog := at.logs.LogCheck(at.check, owner, s.Now)
	if errLog == nil {
		c.Record = log.Record
	}
	result, err := s.supervise(ctx, c, s.Live)
	if errLog == nil {
		errLog = log.Finish(result, err)
	}
	if errLog != nil {
		s.Notify("%s: the log of check %d is not whole: %v", at.step, at.check, errLog)
	}
	return result, err
}

func outcomeOf(o check.Outcome) trailers.Outcome {
	return trailers.Outcome{Kind: trailers.OutcomeKind(o.Kind), Code: o.Code}
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
}

func verdictWord(r check.Result) string {
	if r.Outcome.Passed() {
		return "passed"
	}
	return "failed (" + r.Outcome.String() + ")"
}

// interrupted is the failure of a command that was told to stop; nil where
// nobody told it.
func interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return failf("INTERRUPTED", ExitInterrupted, "interrupted; what is certified is saved").hint("git agent resume")
}
