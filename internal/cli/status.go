package cli

import (
	"github.com/git-agent/git-agent/pkg/run"
)

type statusCmd struct {
	ID         string  `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	There      bool    `name:"remote" help:"What the remote has, asked now; any clone will do."`
	Watch      bool    `short:"w" help:"Look again and again until every step is certified."`
	Interval   lasting `short:"i" help:"How long to wait between two looks; else 2s, with --remote 10s." placeholder:"DURATION"`
	Compact    bool    `help:"Leave out the steps that are certified."`
	ExitStatus bool    `help:"End with 1 while steps are left, with 3 where a person is needed."`
	JSON       bool    `name:"json" help:"Print one JSON object; with --watch one a line for each change."`
}

func (c *statusCmd) Run(a *app) error {
	a.json = c.JSON
	if c.Interval != 0 && !c.Watch {
		return usageFor("status", "--interval is of --watch: how long to wait between two looks")
	}
	e, err := a.engine(false)
	if err != nil {
		return err
	}
	id, err := c.which(a, e)
	if err != nil {
		return err
	}
	look := func() (*run.Report, error) {
		if c.There {
			return e.StatusThere(a.ctx, id)
		}
		return e.Status(a.ctx, id)
	}
	if c.Watch {
		return c.watch(a, e.Place.CommonDir, look)
	}
	r, err := look()
	if err = a.reported(r, err, func() error { return c.show(a, r) }); err != nil || !c.ExitStatus {
		return err
	}
	return answered(howFar(r))
}

// which run is meant: with --remote one that is only there will do.
func (c *statusCmd) which(a *app, e *run.Engine) (string, error) {
	named := c.ID
	if named == "" {
		named = a.grammar.Run
	}
	if c.There {
		return e.WhichRunThere(a.ctx, named)
	}
	return e.WhichRun(a.ctx, named)
}

func (c *statusCmd) show(a *app, r *run.Report) error {
	if err := a.showReport(c.cut(r)); err != nil {
		return err
	}
	return a.showNext(r)
}

// cut leaves out what is certified, where that was asked for.
func (c *statusCmd) cut(r *run.Report) *run.Report {
	if !c.Compact {
		return r
	}
	short := *r
	short.Steps = nil
	for _, s := range r.Steps {
		if !isDone(s) {
			short.Steps = append(short.Steps, s)
		}
	}
	return &short
}

func isDone(s run.StepReport) bool { return s.Status == "certified" || s.Status == "skipped" }

// howFar is a report as an exit status (the design, section 13).
func howFar(r *run.Report) int {
	code := run.ExitDone
	for _, s := range r.Steps {
		switch {
		case s.Status == "regressed" || s.Status == "environment":
			return run.ExitPerson
		case !isDone(s):
			code = run.ExitNo
		}
	}
	return code
}

type revCmd struct {
	Step string `arg:"" help:"The step."`
}

func (c *revCmd) Run(a *app) error {
	e, id, err := a.onRun(false, "")
	if err != nil {
		return err
	}
	commit, err := e.Rev(a.ctx, id, c.Step)
	if err != nil {
		return err
	}
	return a.print(commit + "\n")
}
