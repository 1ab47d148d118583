package run

import (
	"context"
	"fmt"

	"github.com/git-agent/git-agent/pkg/reconcile"
)

// conclusion turns what the checks said into the answer of `step`.
func (s *session) conclusion(ctx context.Context, w *work, j judged) (done bool, err error) {
	switch j.outcome {
	case reconcile.Passed:
		return true, nil
	case reconcile.Unsettled:
		return false, s.environment(w.step.ID, j)
	}
	s.keepTail(w.step.ID, j)
	if w.unattended {
		return false, s.settleFailed(ctx, w, j)
	}
	if w.job() {
		if err := s.recordFailed(ctx, w, j); err != nil {
			return false, err
		}
	}
	f := failf("CHECK_FAILED", ExitNo, "step %s: `%s` ended with %s; nothing was certified and the work is still here",
		w.step.ID, j.command, j.failed.Outcome)
	return false, w.takeIn(f, j.leftOut).hint("git agent step %s   # after mending it", w.step.ID).hint("git agent resume %s   # to roll it back", s.run)
}

// takeIn says how files that were left out become the step's: what git knows is
// nobody's private file.
func (w *work) takeIn(f *Failure, leftOut []string) *Failure {
	if len(leftOut) == 0 {
		return f
	}
	return f.hint("git add -- %s && git agent step %s   # if what lay there before the job is the step's", pathspecs(leftOut), w.step.ID)
}

// recordFailed marks the attempt as judged and counts it where it survives.
func (s *session) recordFailed(ctx context.Context, w *work, j judged) error {
	a := w.attempt
	if err := s.stillOurs(a); err != nil {
		return err
	}
	a.Ended = true
	if !a.Recorded {
		if err := s.record(ctx, failure{step: w.step.ID, attempt: a.Number, id: a.ID, tree: j.tree, checks: j.checks}); err != nil {
			return err
		}
		a.Recorded = true
	}
	return s.saveAttempt(a)
}

func (s *session) environment(step string, j judged) error {
	what := j.reason
	if j.failed != nil {
		what = fmt.Sprintf("`%s`: %s", j.command, j.reason)
	}
	if step != "" {
		what = "step " + step + ": " + what
	}
	return failf("ENVIRONMENT", ExitPerson, "this machine cannot tell: %s; nothing was moved", what).
		hint("git agent resume %s   # once that is mended", s.run)
}

func (s *session) keepTail(step string, j judged) {
	if j.failed == nil {
		return
	}
	s.local.Failures[step] = failureTail{Check: j.command, Outcome: j.failed.Outcome.String(), Tail: string(lastBytes(j.failed.Merged.Bytes, 4<<10)), LeftOut: j.leftOut}
	_ = s.saveLocal() // it only makes a brief better
}

func lastBytes(b []byte, n int) []byte {
	if len(b) > n {
		return b[len(b)-n:]
	}
	return b
}
