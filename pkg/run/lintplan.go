package run

import (
	"context"
	"errors"
	"slices"

	"github.com/git-agent/git-agent/pkg/plan"
)

// LintRequest judges a plan: that of a run or, where Text is given, a file.
type LintRequest struct {
	Run  string
	File string // the name that findings carry
	Text []byte // nil: the newest version of Run's plan
	// RunChecks runs each step's checks, in throw-away checkouts, on the tree
	// before its work: one that passes there proves nothing.
	RunChecks bool
	// Trace also records what they read, on the tree with the step's work.
	Trace bool
	Allow []string // codes that are not to be told
	Trust TrustRequest
	// Scratch is an empty folder outside the repository, the caller's to remove.
	Scratch string
}

// LintReport is what is likely wrong in a plan: fields are only added.
type LintReport struct {
	Format   int            `json:"format"`
	File     string         `json:"file"`
	Steps    int            `json:"steps"`
	Findings []plan.Finding `json:"findings"`
	// Unsettled are checks that could not be judged here, a line each.
	Unsettled []string `json:"unsettled,omitempty"`
}

// Lint says what in a valid plan is likely wrong. Without RunChecks it only
// reads.
func (e *Engine) Lint(ctx context.Context, req LintRequest) (*LintReport, error) {
	l, err := e.lintee(ctx, req)
	if err != nil {
		return nil, err
	}
	facts := plan.LintFacts{Tracked: []string{}}
	if l.tree == "" {
		facts.Tracked = nil
	} else if facts.Tracked, err = l.filesOf(ctx, l.tree); err != nil {
		return nil, err
	}
	r := &LintReport{Format: 1, File: req.File, Steps: len(l.plan.Steps), Findings: []plan.Finding{}}
	if req.RunChecks {
		if err := l.tryChecks(ctx, req, &facts, r); err != nil {
			return nil, err
		}
	}
	return LintText(r, l.text, facts, req.Allow)
}

// LintText judges a plan's text by what is known of its tree; it is all there is
// outside of a repository.
func LintText(r *LintReport, text []byte, facts plan.LintFacts, allow []string) (*LintReport, error) {
	for _, code := range allow {
		if !slices.Contains(plan.LintCodes(), code) {
			return nil, failf("USAGE", ExitUsage, "there is no finding %q; there are %v", code, plan.LintCodes()).hint("git agent help plan lint")
		}
	}
	found, err := plan.Lint(r.File, text, facts)
	if err != nil {
		return nil, fail("PLAN_INVALID", ExitUsage, err, "git agent plan schema")
	}
	for _, f := range found {
		if !slices.Contains(allow, f.Code) {
			r.Findings = append(r.Findings, f)
		}
	}
	return r, nil
}

// lintee is the plan that is judged, and a tree to judge it by.
type lintee struct {
	*session
	text []byte
	tree string // a commit: the run's tip, or where a new run would start; "" for none
}

func (e *Engine) lintee(ctx context.Context, req LintRequest) (*lintee, error) {
	if req.Text == nil {
		return e.lintRun(ctx, req)
	}
	p, err := plan.ParseNew(req.File, req.Text)
	if err != nil {
		return nil, fail("PLAN_INVALID", ExitUsage, err, "git agent plan schema")
	}
	s := &session{Engine: e, run: "lint", plan: p, version: 1, prepared: map[string]bool{}}
	l := &lintee{session: s, text: req.Text}
	rev := p.Base
	if rev == "" {
		rev = "HEAD"
	}
	if l.tree, err = e.Git.Resolve(ctx, rev); err != nil {
		l.tree = "" // the plan's text can still be judged
	}
	s.head.ID = l.tree
	return l, nil
}

func (e *Engine) lintRun(ctx context.Context, req LintRequest) (*lintee, error) {
	s, err := e.open(ctx, req.Run)
	if err != nil {
		return nil, err
	}
	text, _, err := e.PlanText(ctx, req.Run, 0)
	l := &lintee{session: s, text: text, tree: s.tip}
	if l.tree == "" {
		l.tree = s.base
	}
	return l, err
}

// tryChecks runs the checks of every step that changes something where its work
// is not there yet, and, traced, where it is.
func (l *lintee) tryChecks(ctx context.Context, req LintRequest, facts *plan.LintFacts, r *LintReport) error {
	if err := l.notInACheck("plan lint --run-checks", l.run); err != nil {
		return err
	}
	if err := l.lintTrust(ctx, req); err != nil {
		return err
	}
	if l.tree == "" {
		return failf("NO_BASE", ExitFatal, "there is no commit to run the checks on").hint("git branch --all")
	}
	done, err := l.announce(ctx, "plan lint")
	if err != nil {
		return err
	}
	defer done()
	quiet := *l.Engine
	quiet.Live = nil
	l.Engine = &quiet
	t := &trial{lintee: l, req: req, facts: facts, report: r, dirs: map[string]string{}}
	facts.Passing, facts.Seen = map[string][]int{}, map[string][]string{}
	for i := range l.plan.Steps {
		if err := t.step(ctx, &l.plan.Steps[i]); err != nil {
			return err
		}
	}
	return nil
}

// lintTrust: a run's plan as everywhere; a file's commands run when the person
// says so, and nothing is remembered of it.
func (l *lintee) lintTrust(ctx context.Context, req LintRequest) error {
	if req.Text == nil {
		return l.needTrust(ctx, req.Trust)
	}
	if req.Trust.Trust {
		l.cleared = l.digest()
		return nil
	}
	err := &UntrustedError{Err: errors.New("--run-checks would run the commands of this file"), Digest: l.digest(), Commands: plan.Commands(l.plan)}
	return fail("UNTRUSTED", ExitPerson, err, "git agent plan lint "+quoteArg(req.File)+" --run-checks --trust")
}
