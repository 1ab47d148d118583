package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-agent/git-agent/pkg/job"
)

// SayRequest follows an attempt up.
type SayRequest struct {
	Run  string
	Step string // "": that of the newest attempt with a job here
	// Text is for whoever does the step: it is part of the brief of this attempt.
	Text     string
	Stray    string
	NoPush   bool
	Takeover bool
}

// sayMost is how long a text may be, in bytes: a brief is 8,000 at most.
const sayMost = 3000

// Say starts a follow-up attempt at the step of an earlier one, by the same
// command, with a text in its brief. It builds on nothing that the earlier one
// left; as long as that one is not retired, somebody may still be at it.
func (e *Engine) Say(ctx context.Context, req SayRequest) (*Report, error) {
	if err := validSaying(req.Text); err != nil {
		return nil, err
	}
	if err := e.Outside(); err != nil {
		return nil, err
	}
	earlier, err := e.newestJob(req.Run, req.Step)
	if err != nil {
		return nil, err
	}
	if err := e.mayFollow(earlier); err != nil {
		return nil, err
	}
	return e.Step(ctx, StepRequest{Run: req.Run, Step: earlier.Step, Command: earlier.Argv, line: earlier.Line,
		Stray: req.Stray, NoPush: req.NoPush, Takeover: req.Takeover, said: strings.TrimSpace(req.Text), after: earlier})
}

func validSaying(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return fail("USAGE", ExitUsage, errors.New("say: there is no text"), "git agent help say")
	case len(text) > sayMost || !utf8.ValidString(text):
		return fail("USAGE", ExitUsage, fmt.Errorf("say: a text is UTF-8 and at most %d bytes", sayMost), "git agent help say")
	}
	return nil
}

// newestJob is the newest attempt here that had a job.
func (e *Engine) newestJob(run, step string) (*job.Attempt, error) {
	all, err := job.List(e.State, run)
	for _, a := range slices.Backward(all) {
		if a.HasJob() && (step == "" || a.Step == step) {
			return a, nil
		}
	}
	if err != nil {
		return nil, err
	}
	what := "run " + run
	if step != "" {
		what = fmt.Sprintf("step %q", step)
	}
	return nil, failf("NO_ATTEMPT", ExitNo, "no attempt of %s was made here by a command; there is nothing to follow up", what).
		hint("git agent status %s", run)
}

// mayFollow: the earlier attempt is retired or was judged, and nobody followed
// it up meanwhile. It is asked before and after the locks are taken.
func (e *Engine) mayFollow(earlier *job.Attempt) error {
	open, err := e.attempts(earlier.Run)
	if err != nil {
		return err
	}
	for _, a := range open {
		if a.Step == earlier.Step && a.Job && !a.Ended {
			f := failf("RUN_BUSY", ExitBusy, "attempt %d of step %s is not retired yet; nothing was begun", a.Number, a.Step).
				hint("git agent resume %s   # waits for it, or takes back what it left", earlier.Run)
			if e.alive(earlier.Run, a) {
				f = f.hint("git agent cancel %s --run %s", a.Step, earlier.Run)
			}
			return f
		}
	}
	newest, err := e.newestJob(earlier.Run, earlier.Step)
	if err == nil && newest.Attempt != earlier.Attempt {
		err = failf("RUN_BUSY", ExitBusy, "attempt %d of step %s was followed up meanwhile; nothing was begun", earlier.Number, earlier.Step).
			hint("git agent status %s", earlier.Run)
	}
	return err
}

// follows is mayFollow under the run's locks, for a step that has no
// certificate yet.
func (s *session) follows(req StepRequest) error {
	if req.after == nil {
		return nil
	}
	if r := s.standing(req.Step); r != nil {
		return failf("CERTIFIED", ExitPerson, "step %s is certified by %s; nothing was begun", req.Step, short(r.Commit.ID)).
			hint("git agent rollback %s --yes   # then say it again", req.Step)
	}
	return s.mayFollow(req.after)
}

// saidTo is what somebody said to the one doing this attempt.
func saidTo(a *attempt) string {
	if a == nil || a.Said == "" {
		return ""
	}
	return "## What was said after the attempt before\n\n" + indent(a.Said) + "\n"
}
