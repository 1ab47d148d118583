package cli

import (
	"fmt"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/plan/markdown"
	"github.com/git-agent/git-agent/pkg/run"
)

type planCmd struct {
	New      planNewCmd      `cmd:"" help:"Print a plan to begin with."`
	Show     planShowCmd     `cmd:"" help:"Print the plan of a run, as it is stored."`
	Validate planValidateCmd `cmd:"" help:"Report every fault of a plan at once."`
	Amend    planAmendCmd    `cmd:"" help:"Give a run a new version of its plan."`
	Diff     planDiffCmd     `cmd:"" help:"Show what differs between two plans of a run."`
	Schema   planSchemaCmd   `cmd:"" help:"Print the JSON Schema of plans, for editors."`
	Lint     planLintCmd     `cmd:"" help:"Say what in a valid plan is likely wrong."`
	Import   planImportCmd   `cmd:"" help:"Print a plan made of a Markdown text."`
}

type planNewCmd struct {
	Title     string `arg:"" optional:"" help:"What the run is for."`
	FromIssue string `help:"Make it of an issue: its Markdown, or what gh issue view --json number,title,body prints; - for standard input." placeholder:"FILE"`
	Item      string `help:"With --from-issue: the issue's number or key, where the text does not say it." placeholder:"KEY"`
}

func (c *planNewCmd) Run(a *app) error {
	if c.FromIssue == "" && c.Item != "" {
		return usageFor("plan new", "--item is of --from-issue: name the issue's file too")
	}
	if c.FromIssue == "" {
		return a.print(string(plan.Template(c.Title, a.targetHere())))
	}
	text, err := a.readFile(c.FromIssue)
	if err != nil {
		return err
	}
	draft, err := markdown.Issue(sourceName(c.FromIssue), text, c.Item)
	if err != nil {
		return usageFor("plan new", "%w", err)
	}
	if c.Title != "" {
		draft.Title = c.Title
	}
	return a.drafted(draft)
}

// targetHere is the branch that a new plan is to land on, "" outside a
// repository: a plan can be begun anywhere.
func (a *app) targetHere() string {
	e, err := a.engine(false)
	if err != nil {
		return ""
	}
	return e.TargetHere(a.ctx)
}

type planSchemaCmd struct{}

func (planSchemaCmd) Run(a *app) error { return a.print(string(plan.Schema())) }

type planValidateCmd struct {
	Plan string `arg:"" help:"The plan, a file; - for standard input." type:"path"`
}

func (c *planValidateCmd) Run(a *app) error {
	text, err := a.readFile(c.Plan)
	if err != nil {
		return err
	}
	p, err := plan.ParseNew(c.Plan, text)
	if err != nil {
		return &run.Failure{Code: "PLAN_INVALID", Exit: run.ExitUsage, Err: err, Hints: []string{"git agent plan schema"}}
	}
	return a.print(fmt.Sprintf("%s: valid, %s\n", ui.Escape(c.Plan), plural(len(p.Steps), "step", "steps")))
}

type planShowCmd struct {
	ID      string  `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	Version fromOne `name:"plan-version" help:"This version, not the newest." placeholder:"N"`
}

func (c *planShowCmd) Run(a *app) error {
	e, id, err := a.onRun(false, c.ID)
	if err != nil {
		return err
	}
	text, _, err := e.PlanText(a.ctx, id, int(c.Version))
	if err != nil {
		return err
	}
	return a.print(string(text))
}

type planAmendCmd struct {
	remoteFlag
	ID     string `arg:"" name:"run" help:"The run."`
	Plan   string `arg:"" help:"The new plan, a file; - for standard input." type:"path"`
	NoPush bool   `help:"Do not push the new version; the next command does, unless the clone was told not to push."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

func (c *planAmendCmd) Run(a *app) error {
	a.remote = c.Remote
	a.json = c.JSON
	text, err := a.readFile(c.Plan)
	if err != nil {
		return err
	}
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	r, diff, err := e.Amend(a.ctx, run.AmendRequest{Run: c.ID, File: c.Plan, Text: text, NoPush: c.NoPush})
	return a.reported(r, err, func() error {
		if len(diff) == 0 {
			return a.print("nothing differs\n")
		}
		if err := a.showDiff(diff); err != nil {
			return err
		}
		return a.print(fmt.Sprintf("\nplan version %d\n", r.PlanVersion))
	})
}

type planDiffCmd struct {
	ID   string `arg:"" name:"run" help:"The run."`
	From string `arg:"" optional:"" help:"A version, or a file; else the version before the newest."`
	To   string `arg:"" optional:"" help:"A version, or a file; else the newest version."`
}

func (c *planDiffCmd) Run(a *app) error {
	e, err := a.engine(false)
	if err != nil {
		return err
	}
	newest, version, err := e.PlanText(a.ctx, c.ID, 0)
	if err != nil {
		return err
	}
	from, to := c.From, c.To
	if from == "" {
		from = fmt.Sprint(max(version-1, 1))
	}
	old, err := a.planNamed(e, c.ID, from)
	if err != nil {
		return err
	}
	now, err := plan.Parse("plan.yaml", newest)
	if to != "" {
		now, err = a.planNamed(e, c.ID, to)
	}
	if err != nil {
		return err
	}
	return a.showDiff(plan.Diff(old, now))
}

// planNamed reads a version by its number, else a file.
func (a *app) planNamed(e *run.Engine, id, name string) (*plan.Plan, error) {
	var number int
	if _, err := fmt.Sscanf(name, "%d", &number); err == nil && number > 0 && fmt.Sprint(number) == name {
		text, _, err := e.PlanText(a.ctx, id, number)
		if err != nil {
			return nil, err
		}
		return plan.Parse("plan.yaml", text)
	}
	text, err := a.readFile(name)
	if err != nil {
		return nil, err
	}
	p, err := plan.Parse(name, text)
	if err != nil {
		return nil, &run.Failure{Code: "PLAN_INVALID", Exit: run.ExitUsage, Err: err, Hints: []string{"git agent plan schema"}}
	}
	return p, nil
}

func (a *app) showDiff(diff []plan.Difference) error {
	for _, d := range diff {
		if err := a.print(ui.EscapeText(d.String()) + "\n"); err != nil {
			return err
		}
	}
	return nil
}
