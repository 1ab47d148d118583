package cli

import (
	"github.com/git-agent/git-agent/pkg/run"
)

type stepCmd struct {
	Step   string   `arg:"" optional:"" help:"The step; else the next one. After -- comes the command that does it; else the plan's do runs, else what is in the working tree is certified."`
	Note   []string `help:"One line that later steps need to know; may be repeated." placeholder:"TEXT" sep:"none"`
	Stray  string   `help:"Changes outside the step's touches: refuse, set-aside or include." enum:",refuse,set-aside,include" default:"" placeholder:"POLICY"`
	Empty  bool     `help:"Certify although nothing under touches changed."`
	TTY    bool     `name:"tty" help:"Hand the terminal to the command."`
	NoPush bool     `help:"Keep the run in this clone (remembered)."`
	JSON   bool     `name:"json" help:"Report as JSON."`
}

func (c *stepCmd) Run(a *app) error {
	a.json = c.JSON
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	id, err := e.WhichRun(a.ctx, a.grammar.Run)
	if err != nil {
		return err
	}
	r, err := e.Step(a.ctx, run.StepRequest{Run: id, Step: c.Step, Command: a.command, Notes: c.Note,
		Stray: c.Stray, Empty: c.Empty, TTY: c.TTY, NoPush: c.NoPush})
	// What comes next is told after each certificate, not only after a failure.
	return a.reported(r, err, func() error { return a.print(r.Brief) })
}
