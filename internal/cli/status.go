package cli

type statusCmd struct {
	ID   string `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

func (c *statusCmd) Run(a *app) error {
	a.json = c.JSON
	e, id, err := a.onRun(false, c.ID)
	if err != nil {
		return err
	}
	r, err := e.Status(a.ctx, id)
	return a.reported(r, err, func() error {
		if err := a.showReport(r); err != nil {
			return err
		}
		return a.showNext(r)
	})
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
