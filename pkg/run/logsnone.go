package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
	"github.com/git-agent/git-agent/pkg/lease"
)

// logFailure gives what a log ends in its place in the contract.
func (e *Engine) logFailure(run, step string, err error) error {
	var damaged *journal.DamagedError
	var missing *journal.CheckpointMissingError
	var unknown *journal.CompletionUnknownError
	switch {
	case errors.As(err, &damaged):
		return failf("LOG_DAMAGED", ExitUnknown, "%w; nothing was changed", err).hint("ls -l %s", quoteArg(e.State.Path(job.Root(run))))
	case errors.As(err, &missing):
		return failf("LOG_CHECKPOINT_MISSING", ExitUnknown, "%w; it can be read as a whole", err).hint("git agent logs %s --run %s", step, run)
	case errors.As(err, &unknown):
		return failf("LOG_COMPLETION_UNKNOWN", ExitUnknown, "the attempt was interrupted: %w", err).hint("git agent resume %s   # on the machine that made it", run)
	}
	return err
}

func (e *Engine) noSuchLog(a *job.Attempt, check int) error {
	checks, _ := a.Checks()
	f := failf("NO_LOG", ExitNo, "attempt %d of step %s had no job whose log would be here", a.Number, a.Step)
	if check > 0 {
		f = failf("NO_LOG", ExitNo, "attempt %d of step %s ran no check %d here", a.Number, a.Step, check)
	}
	if len(checks) > 0 {
		f = f.hint("git agent logs %s --run %s --attempt %d --check %d", a.Step, a.Run, a.Number, checks[len(checks)-1].Check)
	}
	return f.hint("git agent status %s", a.Run)
}

// madeElsewhere says what is known of attempts whose logs are not here: a log
// stays on the machine that made it.
func (e *Engine) madeElsewhere(ctx context.Context, req LogsRequest) error {
	s, err := e.open(ctx, req.Run)
	if err != nil {
		return err
	}
	what, known := "no attempt of run "+req.Run+" was made in this clone", ""
	if req.Attempt != 0 {
		what = fmt.Sprintf("no attempt %d of run %s was made in this clone", req.Attempt, req.Run)
	}
	if req.Step != "" {
		step, err := s.step(req.Step)
		if err != nil {
			return err
		}
		what = "no attempt at step " + step.ID + " was made in this clone"
		if req.Attempt != 0 {
			what = fmt.Sprintf("attempt %d at step %s was not made in this clone", req.Attempt, step.ID)
		}
		if r := s.ledger.Newest(step.ID); r != nil {
			known = fmt.Sprintf("; it was certified as %s", short(r.Commit.ID))
			if r.Evidence.Attempt > 0 {
				known += fmt.Sprintf(" by attempt %d", r.Evidence.Attempt)
			}
		} else if n := s.attemptsOf(step.ID); n > 0 {
			known = fmt.Sprintf("; %d failed elsewhere", n)
		}
	}
	host, atWork := s.lastHost(ctx)
	switch {
	case atWork:
		known += "; the run is being worked on at " + host
	case host != "":
		known += "; the run was last worked on at " + host
	}
	return failf("NO_LOG", ExitNo, "%s, so there is no log of it here%s", what, known).hint("git agent log %s", req.Run).hint("git agent runs")
}

// lastHost is where the run was worked on last, by the lease last seen.
func (s *session) lastHost(ctx context.Context) (host string, atWork bool) {
	l, _, err := s.leaseAt(ctx, s.remote.tracked[trackLease(s.remote.name, s.run)])
	if err != nil {
		return "", false
	}
	return l.Host, l.State == lease.Held
}
