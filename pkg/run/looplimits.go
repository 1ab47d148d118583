package run

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const (
	defaultAttempts = 5
	defaultStall    = 3
)

// lasting is how long what was certified may take to be saved after an
// interrupt: a container gets 30 seconds between SIGTERM and SIGKILL.
const lasting = 20 * time.Second

// outlasting is a context that ends a moment after another one, so that what
// was just certified still reaches the remote.
func outlasting(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(lasting, cancel)
		context.AfterFunc(longer, func() { timer.Stop() })
	})
	return longer, func() { stop(); cancel() }
}

// within ends the loop's context when its budget of time is spent.
func (l *loop) within(ctx context.Context) (context.Context, context.CancelFunc) {
	timed, cancel := context.WithCancelCause(ctx)
	if l.req.Budget <= 0 {
		return timed, func() { cancel(nil) }
	}
	timer := time.AfterFunc(l.req.Budget, func() { cancel(errBudget) })
	return timed, func() { timer.Stop(); cancel(nil) }
}

// timeOver says that it was the budget, and not a person, that stopped the loop.
func (l *loop) timeOver(ctx context.Context, err error) error {
	if err == nil || context.Cause(ctx) != errBudget { //nolint:errorlint // our own value, as it is
		return err
	}
	if exit := ExitOf(err); exit != ExitUnknown && exit != ExitInterrupted {
		return err // it would have ended so anyway
	}
	return failf("BUDGET_SPENT", ExitInterrupted, "the %s of --budget-time are over; what is certified is saved", l.req.Budget).
		hint("%s   # goes on", l.again(0))
}

// limit is how many failed attempts a step may have.
func (l *loop) limit() int {
	if l.req.MaxAttempts > 0 {
		return l.req.MaxAttempts
	}
	return l.configured("agent.maxattempts", defaultAttempts)
}

func (l *loop) configured(key string, otherwise int) int {
	value, _ := l.Config.Config(key)
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return n
	}
	return otherwise
}

// mayTry refuses another attempt at a step that failed too often, or in the
// same way again and again.
func (l *loop) mayTry(step *plan.Step) error {
	s := l.last
	failed := s.failedAttempts(step)
	if n := max(len(failed), l.tried[step.ID]); n >= s.limit {
		f := failf("ATTEMPTS_SPENT", ExitPerson, "step %s: %d of %d attempts failed; %s", step.ID, n, s.limit, leftBy(step))
		return s.handOver(step, f).hint("%s", l.again(2*n))
	}
	// Who starts the loop again wants another attempt: one is made.
	if n := l.configured("agent.stall", defaultStall); l.tried[step.ID] > 0 && stalled(failed, n) {
		f := failf("STALLED", ExitPerson, "step %s: the last %d attempts left the same tree and failed in the same way, so another one would too; %s", step.ID, n, leftBy(step))
		return s.handOver(step, f).hint("%s   # tries once more", l.again(0))
	}
	return nil
}

// leftBy says where failed attempts' work is: what this clone's made was settled
// before, what others' made is theirs.
func leftBy(step *plan.Step) string {
	if step.Fixpoint {
		return "what they left stays where they left it (fixpoint)"
	}
	return "what they left here, if anything, was rolled back"
}

// handOver tells a person what the last attempt died of, and what to do.
func (s *session) handOver(step *plan.Step, f *Failure) *Failure {
	tail, ok := s.local.Failures[step.ID]
	if ok {
		f.Err = fmt.Errorf("%w\n--- `%s` ended with %s:\n%s", f.Err, tail.Check, tail.Outcome, lastBytes([]byte(tail.Tail), 2<<10))
	}
	if len(tail.LeftOut) > 0 {
		f = f.hint("git stash push --include-untracked -- %s   # it lay there before the job wrote it, so it was left out; the next one makes it anew", pathspecs(tail.LeftOut))
	}
	if kept := s.stashRefs(step.ID); len(kept) > 0 {
		f = f.hint("git agent stash show %s", kept[len(kept)-1])
	}
	return f.hint("git agent brief %s   # do it by hand, then: %s", s.run, s.afterwards(step)).
		hint("%s", s.editPlan("say it better: a changed step counts from the beginning"))
}

// failedAttempts are the failure records that count against a step: since its
// last certificate, and for the step as the plan has it today.
func (s *session) failedAttempts(step *plan.Step) []plan.Failure {
	certified := 0
	if r := s.ledger.Newest(step.ID); r != nil {
		certified = r.Evidence.Attempt
	}
	var failed []plan.Failure
	for _, f := range s.chain.Failures {
		if f.Step == step.ID && f.Refutes == "" && f.Attempt > certified && s.sameStep(step, f.PlanVersion) {
			failed = append(failed, f)
		}
	}
	return failed
}

func (s *session) sameStep(step *plan.Step, version int) bool {
	p := s.plans[version]
	if p == nil {
		return true // forgetting a failure would be the unsafe reading
	}
	was, _ := p.Step(step.ID)
	return was != nil && reflect.DeepEqual(was, step)
}

// stalled reports whether the last n attempts came to the same.
func stalled(failed []plan.Failure, n int) bool {
	if len(failed) < n {
		return false
	}
	last := failed[len(failed)-n:]
	return !slices.ContainsFunc(last, func(f plan.Failure) bool {
		return f.Tree != last[0].Tree || !slices.EqualFunc(f.Checks, last[0].Checks, sameOutcome)
	})
}

func sameOutcome(a, b trailers.Check) bool { return a.Command == b.Command && a.Outcome == b.Outcome }

// settleFailed ends a failed attempt that nobody is there to mend: preserved,
// rolled back, counted. Where the newest certificate fails too, the machine is
// to blame and everything stays.
func (s *session) settleFailed(ctx context.Context, w *work, j judged) error {
	ctx, stop := outlasting(ctx)
	defer stop()
	view, err := s.survey(ctx, w)
	if err != nil {
		return err
	}
	if len(view.paths())+len(view.above) > 0 {
		err = s.takeBack(ctx, w, j)
	} else {
		err = s.idle(ctx, w, j)
	}
	if err != nil {
		return err
	}
	s.Notify("%s: attempt %d failed", w.step.ID, w.attempt.Number)
	return failf("CHECK_FAILED", ExitNo, "step %s: `%s` ended with %s; attempt %d failed", w.step.ID, j.command, j.failed.Outcome, w.attempt.Number).
		hint("git agent resume %s", s.run)
}

// idle counts an attempt that failed and left nothing to roll back.
func (s *session) idle(ctx context.Context, w *work, j judged) error {
	sound, why, newest, err := s.boundarySound(ctx)
	if err == nil {
		err = s.headKept(ctx, w.step.ID)
	}
	if err != nil {
		return err
	}
	if !sound {
		return failf("ENVIRONMENT", ExitPerson, "step %s failed with nothing changed, and so does the newest certificate (%s): this machine, not the work, is at fault; nothing was moved%s",
			w.step.ID, newest, reasonOf(why)).hint("git agent resume %s   # once that is mended", s.run)
	}
	if err := s.record(ctx, failure{step: w.step.ID, attempt: w.attempt.Number, id: w.attempt.ID, tree: j.tree, checks: j.checks}); err != nil {
		return err
	}
	return s.retire(w.attempt)
}

// ofLimit tells the one who does a step how many attempts are left.
func (s *session) ofLimit(step *plan.Step) string {
	failed := len(s.failedAttempts(step))
	if s.limit == 0 || failed == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d may fail, %d did)", s.limit, failed)
}

// recordedFailure is what the plan ref knows of the last failed attempt, where
// another machine made it: its output stayed there.
func (s *session) recordedFailure(step *plan.Step) string {
	failed := s.failedAttempts(step)
	if len(failed) == 0 {
		return ""
	}
	last := failed[len(failed)-1]
	for _, c := range last.Checks {
		if !c.Outcome.Passed() {
			return fmt.Sprintf("Attempt %d failed elsewhere: `%s` ended with %s. Its output is not in this clone.\n\n", last.Attempt, clip(oneLine(c.Command), 200), c.Outcome)
		}
	}
	return ""
}
