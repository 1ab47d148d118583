package cli

import (
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/run"
)

type planLintCmd struct {
	trustFlags
	Plan      string   `arg:"" optional:"" help:"The plan, a file; - for standard input; else the plan of the run."`
	RunChecks bool     `help:"Run the checks in a throw-away checkout of the tree before each step's work: one that passes there proves nothing."`
	Trace     bool     `help:"With --run-checks: also find out what the checks read, through strace."`
	Allow     []string `help:"Do not tell this kind of finding; may be repeated." placeholder:"CODE"`
	JSON      bool     `name:"json" help:"Print one JSON object."`
}

// Help is what the grammar cannot say: that a valid plan is meant.
func (c *planLintCmd) Help() string {
	return `Says what in a valid plan is likely wrong, each with its place, a code and the repair: a check that proves nothing, that reads what the step does not declare, that depends on the network or the clock, that hides an exit status in a pipe, that has no timeout; all tests on an early step; two steps that touch one path.`
}

func (c *planLintCmd) Run(a *app) error {
	a.json = c.JSON
	if c.Trace && !c.RunChecks {
		return usageFor("plan lint", "--trace needs --run-checks: it watches the checks run")
	}
	r, err := c.lint(a)
	if err == nil && len(r.Findings) > 0 {
		err = &run.Failure{Code: "LINT", Exit: run.ExitNo, Err: fmt.Errorf("%s in %s", plural(len(r.Findings), "finding", "findings"), r.File),
			Hints: []string{c.again(a, r.Findings[0].Code)}}
	}
	return a.shown(r != nil, r, err, func() error { return a.showLint(r) })
}

// again is the command that leaves out a kind of finding.
func (c *planLintCmd) again(a *app, code string) string {
	command := "git agent plan lint"
	switch {
	case c.Plan == "-":
	case c.Plan != "":
		command += " " + run.Quote(c.Plan)
	case a.grammar.Run != "":
		command += " --run " + a.grammar.Run
	}
	return command + " --allow " + code + "   # where that is meant"
}

func (c *planLintCmd) lint(a *app) (*run.LintReport, error) {
	req := run.LintRequest{File: c.Plan, RunChecks: c.RunChecks, Trace: c.Trace, Allow: c.Allow, Trust: c.request()}
	if c.Plan != "" {
		text, err := a.readFile(c.Plan)
		if err != nil {
			return nil, err
		}
		req.Text = text
	}
	e, err := a.engine(c.RunChecks)
	if errors.Is(err, git.ErrNotARepository) && req.Text != nil && !c.RunChecks {
		if _, err := plan.ParseNew(c.Plan, req.Text); err != nil {
			return nil, &run.Failure{Code: "PLAN_INVALID", Exit: run.ExitUsage, Err: err, Hints: []string{"git agent plan schema"}}
		}
		return run.LintText(&run.LintReport{Format: 1, File: c.Plan, Findings: []plan.Finding{}}, req.Text, plan.LintFacts{}, c.Allow)
	}
	if err != nil {
		return nil, err
	}
	if req.Text == nil {
		if req.Run, err = e.WhichRun(a.ctx, a.grammar.Run); err != nil {
			return nil, err
		}
		req.File = "plan.yaml"
	}
	scratch, drop, err := a.scratch()
	if err != nil {
		return nil, err
	}
	defer drop()
	req.Scratch = scratch
	return e.Lint(a.ctx, req)
}

func (a *app) showLint(r *run.LintReport) error {
	for _, f := range r.Findings {
		if err := a.print(ui.Escape(f.String()) + "\n    " + ui.Escape(f.Repair) + "\n"); err != nil {
			return err
		}
	}
	for _, line := range r.Unsettled {
		a.streams.Warn("%s", line)
	}
	if len(r.Findings) > 0 {
		return nil
	}
	return a.print(ui.Escape(r.File) + ": nothing found\n")
}
