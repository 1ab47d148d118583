package run

import (
	"context"
	"fmt"
	"strconv"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// Report is what scripts read (the design, section 13): fields are only added.
type Report struct {
	Format      int          `json:"format"`
	Run         string       `json:"run"`
	Title       string       `json:"title"`
	PlanVersion int          `json:"plan_version"`
	Branch      string       `json:"branch"`
	Head        string       `json:"head"`
	Elsewhere   bool         `json:"elsewhere,omitempty"` // the branch is not in this clone: what was seen on the remote
	Base        string       `json:"base"`
	Pushed      bool         `json:"pushed"` // everything certified here, and the plan
	Sync        Sync         `json:"sync"`
	Next        *string      `json:"next"`
	Steps       []StepReport `json:"steps"`
	// Orphans are steps that have evidence and are in the plan no more.
	Orphans []string `json:"orphans,omitempty"`
	// Warnings are things a person should know that stop nothing.
	Warnings []string `json:"warnings,omitempty"`
	// Cancelled is the cancel that stands, absent where none does: next is then
	// nobody's until a person says so (resume --takeover).
	Cancelled *CancelledReport `json:"cancelled,omitempty"`
	// Held says who works on the run, where the remote was asked for that.
	Held *Holder `json:"held,omitempty"`
	// Landing is what the last preflight said about the run, where that is
	// anything else than that it is still to be done.
	Landing *LandedReport `json:"landing,omitempty"`
	// Dropped is partial work that this command let go, its step being certified.
	Dropped []DroppedReport `json:"dropped,omitempty"`
	// Brief is the context for the next step, where the command ends with it.
	Brief string `json:"-"`
}

// DroppedReport is a ref that is no more and the commit that it named, which is
// still there until git's own clean-up.
type DroppedReport struct {
	Step   string `json:"step"`
	Ref    string `json:"ref"`
	Commit string `json:"commit"`
}

// StepReport is one step of a Report.
type StepReport struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Status   string        `json:"status"`
	How      *string       `json:"how"`
	Flaky    bool          `json:"flaky"`
	Commit   string        `json:"commit"`
	Tree     string        `json:"tree"`
	Attempts int           `json:"attempts"`
	Stash    []string      `json:"stash"`
	Checks   []CheckReport `json:"checks"`
	Reason   string        `json:"reason"`
	Notes    []string      `json:"notes,omitempty"`
	Culprit  string        `json:"culprit,omitempty"`
	// FlakyRate is failed runs of all runs on one tree, as in "1/2".
	FlakyRate string `json:"flaky_rate,omitempty"`
	// Here are the attempts that were made in this clone, oldest first.
	Here []AttemptHere `json:"here,omitempty"`
}

// CheckReport is one check as it was last observed.
type CheckReport struct {
	Command string  `json:"command"`
	Outcome string  `json:"outcome"`
	Exit    *int    `json:"exit"`
	Secs    float64 `json:"secs"`
}

// Status reports what is true as far as it can be told without running
// anything: a step that would have to be checked again is uncertified, reason
// "recheck". It takes no lock and moves nothing.
func (e *Engine) Status(ctx context.Context, run string) (*Report, error) {
	s, err := e.open(ctx, run)
	if err != nil {
		return nil, err
	}
	return s.report()
}

// report puts together what this command found out.
func (s *session) report() (*Report, error) {
	ctx := context.Background() // what was done is reported, also after an interrupt
	facts, err := s.facts(ctx, "", true, false)
	if err != nil {
		return nil, err
	}
	r := &Report{Format: 1, Run: s.run, Title: s.plan.Title, PlanVersion: s.version, Branch: s.branch, Head: s.tip, Elsewhere: s.elsewhere, Base: s.base,
		Sync: s.sync(ctx), Steps: []StepReport{}}
	r.Pushed = r.Sync.Pushed()
	running := s.runningSteps()
	for _, f := range facts {
		one := s.stepReport(f, running[f.Step.ID])
		s.skipReport(&one)
		if r.Next == nil && one.Status != string(reconcile.Certified) && one.Status != string(reconcile.Skipped) {
			id := one.ID
			r.Next = &id
		}
		r.Steps = append(r.Steps, one)
	}
	r.Orphans, r.Warnings, r.Dropped = s.orphans(), s.warnings(), s.dropped
	r.Landing = s.landedReport()
	s.addAttempts(r)
	r.Cancelled, err = s.cancelReport(ctx)
	return r, err
}

func (s *session) stepReport(f reconcile.Facts, running bool) StepReport {
	v := reconcile.Peek(f)
	o, judged := s.outcomes[f.Step.ID]
	stale := judged && f.Record != nil && (o.record == nil || o.record.Commit.ID != f.Record.Commit.ID) // certified since
	if judged && (v.Status != reconcile.Certified || o.Status == reconcile.Certified || !stale) {
		v = o.Verdict
	}
	if running {
		v = reconcile.Verdict{Status: reconcile.Running}
	}
	one := StepReport{ID: f.Step.ID, Title: f.Step.Title, Status: string(v.Status), Reason: v.Reason,
		Attempts: s.attemptsOf(f.Step.ID), Stash: s.stashRefs(f.Step.ID), Checks: []CheckReport{}, Culprit: o.culprit}
	if ran, flaky := s.flaky[f.Step.ID]; flaky {
		one.Flaky, one.FlakyRate = true, fmt.Sprintf("%d/%d", ran.failed, ran.runs)
	}
	if one.Stash == nil {
		one.Stash = []string{}
	}
	if v.How != "" {
		how := string(v.How)
		one.How = &how
	}
	if f.Record != nil {
		one.Commit, one.Tree, one.Notes = f.Record.Commit.ID, f.Record.Commit.Tree, f.Record.Evidence.Notes
		one.Checks = checkReports(f.Record.Evidence.Checks)
	}
	if judged && len(o.judged.checks) > 0 {
		one.Checks = checkReports(o.judged.checks)
	}
	return one
}

func checkReports(checks []trailers.Check) []CheckReport {
	out := make([]CheckReport, 0, len(checks))
	for _, c := range checks {
		r := CheckReport{Command: c.Command, Outcome: c.Outcome.String()}
		r.Secs, _ = strconv.ParseFloat(c.Secs, 64)
		if c.Outcome.Kind == trailers.Exit {
			code := c.Outcome.Code
			r.Exit = &code
		}
		out = append(out, r)
	}
	return out
}

// runningSteps are those whose open attempt belongs to a process that lives.
func (s *session) runningSteps() map[string]bool {
	running := map[string]bool{}
	open, err := s.attempts(s.run)
	if err != nil {
		return running
	}
	for _, a := range open {
		dead, provable := a.Owner.Dead()
		lives := !dead && provable && !own(a)
		jobLives, err := s.jobRuns(s.run, a)
		if !a.Ended && (lives || err == nil && jobLives) {
			running[a.Step] = true
		}
	}
	return running
}

// peekNext is the first step neither certified nor skipped by this command, and
// whether it only has to be checked again.
func (s *session) peekNext() (step *plan.Step, recheck bool, err error) {
	return s.peek(func(id string) bool {
		_, skipped := s.skips[id]
		return skipped
	})
}

// peekLeft is peekNext as a status shows it: without what the last preflight
// left out. Who acts asks again.
func (s *session) peekLeft() (step *plan.Step, recheck bool, err error) {
	return s.peek(func(id string) bool {
		_, skipped := s.skipOf(id)
		return skipped
	})
}

func (s *session) peek(skipped func(id string) bool) (step *plan.Step, recheck bool, err error) {
	facts, err := s.facts(context.Background(), s.local.Fingerprint, true, false)
	if err != nil {
		return nil, false, err
	}
	for _, f := range facts {
		if skipped(f.Step.ID) {
			continue
		}
		if v := reconcile.Peek(f); v.Status != reconcile.Certified && v.Status != reconcile.Skipped {
			return f.Step, v.Reason == "recheck" && f.Record != nil, nil
		}
	}
	return nil, false, nil
}
