package run

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/plan"
)

// CheckRequest runs the checks of a step to judge the checks.
type CheckRequest struct {
	Run, Step string // no step: the next one
	Repeat    int    // how often; 0 is once
	Trace     bool   // also record what they read
	Trust     TrustRequest
	// Scratch is an empty folder outside the repository, the caller's to remove.
	Scratch string
}

// CheckExamination is what running a step's checks showed: fields are only added.
type CheckExamination struct {
	Format      int    `json:"format"`
	Run         string `json:"run"`
	Step        string `json:"step"`
	Title       string `json:"title"`
	PlanVersion int    `json:"plan_version"`
	Head        string `json:"head"`
	// Where is "working tree", or "scratch checkout" for a step with isolate.
	Where string `json:"where"`
	// Outcome is passed, failed, flaky (both, on one tree) or environment.
	Outcome string  `json:"outcome"`
	Runs    int     `json:"runs"` // of all checks, one after the other
	Passes  int     `json:"passes"`
	Rate    float64 `json:"rate"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Flaky   bool    `json:"flaky"`
	Reason  string  `json:"reason"`
	// Checks in plan order; one that was never reached is not among them.
	Checks []CheckTally `json:"checks"`
	Trace  *TraceReport `json:"trace,omitempty"`
}

// Check runs the checks of a step, as the plan has them today, on what is in the
// working tree, and says how far they can be relied on. It records nothing, takes
// no lock, moves nothing, and verifies that the checks moved nothing either.
func (e *Engine) Check(ctx context.Context, req CheckRequest) (*CheckExamination, error) {
	if err := e.notInACheck("check", req.Run); err != nil {
		return nil, err
	}
	s, err := e.open(ctx, req.Run)
	if err != nil {
		return nil, err
	}
	step, err := s.stepOrNext(req.Step)
	if err != nil {
		return nil, err
	}
	if err := e.needWorkTree(); err != nil {
		return nil, err
	}
	if err := s.needTrust(ctx, req.Trust); err != nil {
		return nil, err
	}
	done, err := s.announce(ctx, "check")
	if err != nil {
		return nil, err
	}
	defer done()
	before, err := s.see(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.examine(ctx, step, req)
	after, errSee := s.see(context.WithoutCancel(ctx))
	if err = errors.Join(err, errSee); err != nil {
		return nil, err
	}
	if moved := before.differs(after); len(moved) > 0 {
		return r, failf("CHECK_CHANGED", ExitNo, "step %s: the check changed %s; a step that is certified by it would be refused", step.ID, listPaths(moved)).
			hint("git status").hint("git agent check %s   # again: does it change it each time?", step.ID)
	}
	return r, s.examined(r)
}

// notInACheck refuses what would run checks out of a check, for ever.
func (e *Engine) notInACheck(verb, run string) error {
	if lookup(e.Env, "GIT_AGENT_CHECK") == "" {
		return nil
	}
	return failf("RUN_BUSY", ExitBusy, "a check cannot call git agent %s; nothing was done", verb).hint("git agent status %s", run)
}

func (s *session) stepOrNext(id string) (*plan.Step, error) {
	if id != "" {
		return s.step(id)
	}
	next, _, err := s.peekNext()
	if err == nil && next == nil {
		err = failf("NO_STEP", ExitNo, "every step of run %s is certified: name the one whose checks are meant", s.run).hint("git agent plan show %s", s.run)
	}
	return next, err
}

// examine runs the checks as often as asked, in order, each time up to the
// first that does not pass.
func (s *session) examine(ctx context.Context, step *plan.Step, req CheckRequest) (*CheckExamination, error) {
	r := &CheckExamination{Format: 1, Run: s.run, Step: step.ID, Title: step.Title, PlanVersion: s.version, Head: s.head.ID, Where: "working tree", Checks: []CheckTally{}}
	x := &examination{session: s, step: step, report: r, at: place{dir: s.Place.Top, step: step.ID}, scratch: req.Scratch}
	if step.Isolate {
		r.Where, x.at.dir = "scratch checkout", filepath.Join(req.Scratch, "tree")
		if err := s.Git.Scratch(ctx, x.at.dir, s.head.ID); err != nil {
			return nil, err
		}
	} else if err := s.sayWhatLies(ctx, step); err != nil {
		return nil, err
	}
	if why, err := x.setUp(ctx); err != nil || why != "" {
		r.Outcome, r.Reason = "environment", why
		return r, err
	}
	if req.Repeat > 1 || !req.Trace {
		if err := x.repeat(ctx, max(1, req.Repeat), x.plain); err != nil {
			return r, err
		}
	}
	if req.Trace && r.Outcome != "environment" {
		return r, x.trace(ctx, req.Repeat <= 1)
	}
	return r, nil
}

// sayWhatLies tells why the working tree may not be what a person takes it for.
func (s *session) sayWhatLies(ctx context.Context, step *plan.Step) error {
	if s.head.Branch != s.branch {
		s.Notify("HEAD is not on %s: what lies here is checked all the same", ShortBranch(s.branch))
	}
	paths, err := seenBy(step)
	if err != nil {
		return err
	}
	if lacks, err := s.leftOut(ctx, paths); err != nil || len(lacks) == 0 {
		return err
	}
	s.Notify("%s: the sparse checkout lacks some of its paths; with isolate: true the whole tree is checked", step.ID)
	return nil
}

// examination is one call of Check under way.
type examination struct {
	*session
	step    *plan.Step
	at      place
	report  *CheckExamination
	scratch string
	seen    *recorded
}

// setUp runs the plan's setup where it never ran, and does not remember it:
// the next step is to find everything as if nobody had looked.
func (x *examination) setUp(ctx context.Context) (why string, err error) {
	if x.at.dir == x.Place.Top && len(x.plan.Setup) > 0 {
		if _, err := x.Tree.Read(x.setupMarker()); err == nil {
			return "", nil
		}
	}
	return x.setUpIn(ctx, x.at.dir)
}

// runner runs check k once.
type runner func(ctx context.Context, k int) (check.Result, error)

func (x *examination) plain(ctx context.Context, k int) (check.Result, error) {
	return x.runCheck(ctx, x.step.Check[k], x.at)
}

func (x *examination) repeat(ctx context.Context, times int, run runner) error {
	if times > 1 { // what is printed ten times is read by nobody
		quiet := *x.Engine
		quiet.Live = nil
		x.Engine = &quiet
	}
	for n := 1; n <= times && x.report.Outcome != "environment"; n++ {
		if err := x.once(ctx, n, times, run); err != nil {
			return err
		}
	}
	return nil
}

func (x *examination) once(ctx context.Context, n, times int, run runner) error {
	r, passed := x.report, true
	for k := range x.step.Check {
		result, err := run(ctx, k)
		switch {
		case err != nil:
			return err
		case result.Outcome.Kind == check.Cancelled:
			return interrupted(ctx)
		}
		if k == len(r.Checks) {
			r.Checks = append(r.Checks, CheckTally{Command: x.step.Check[k].Run})
		}
		r.Checks[k].add(result)
		x.Notify("%s: run %d/%d: check %d/%d %s in %ss: %s", x.step.ID, n, times, k+1, len(x.step.Check), verdictWord(result), seconds(result.Duration), x.step.Check[k].Run)
		if result.Environment {
			r.Outcome, r.Reason = "environment", result.Reason
			return nil
		}
		if passed = result.Outcome.Passed(); !passed {
			break
		}
	}
	r.Runs++
	if passed {
		r.Passes++
	}
	r.Rate, r.Low, r.High = rate(r.Passes, r.Runs)
	r.Flaky = r.Passes > 0 && r.Passes < r.Runs
	switch {
	case r.Flaky:
		r.Outcome = "flaky"
	case passed:
		r.Outcome = "passed"
	default:
		r.Outcome = "failed"
	}
	return nil
}

// examined is the answer as a command ends with it.
func (s *session) examined(r *CheckExamination) error {
	switch r.Outcome {
	case "environment":
		return failf("ENVIRONMENT", ExitPerson, "step %s: %s; nothing was moved", r.Step, r.Reason).hint("git agent check %s   # once that is mended", r.Step)
	case "flaky":
		return failf("FLAKY", ExitNo, "step %s: its checks pass %d times of %d on one tree", r.Step, r.Passes, r.Runs).
			hint("git agent check %s --trace   # what they depend on", r.Step)
	case "failed":
		return failf("CHECK_FAILED", ExitNo, "step %s: its checks do not pass on what is in the working tree", r.Step).
			hint("git agent brief %s", s.run)
	}
	return nil
}
