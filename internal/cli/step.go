package cli

import (
	"fmt"
	"os"

	"github.com/git-agent/git-agent/pkg/run"
)

type stepCmd struct {
	remoteFlag
	Step     string   `arg:"" optional:"" help:"The step; else the next one."`
	Note     []string `help:"One line that later steps need to know, kept in the certificate; may be repeated." placeholder:"TEXT" sep:"none"`
	Stray    string   `help:"What to do with changes outside the step's touches: refuse, set-aside or include." enum:",refuse,set-aside,include" default:"" placeholder:"POLICY"`
	Empty    bool     `help:"Certify the step although nothing under its touches changed."`
	TTY      bool     `name:"tty" help:"Hand the terminal to the command, for an interactive agent."`
	Detach   bool     `help:"Leave the command running and come back at once; resume waits for it and certifies."`
	Takeover bool     `help:"Take the run over from whoever holds it, without watching first whether it lives."`
	NoPush   bool     `help:"Push nothing, now and from now on in this clone, until git agent resume --push."`
	JSON     bool     `name:"json" help:"Print one JSON object."`
}

// Help is what the grammar cannot say: the command stands behind `--`.
func (c *stepCmd) Help() string {
	return `git agent step [<step>] -- <command>… runs the command as the one that does the step: its brief is on the command's standard input. Without a command the plan's "do" runs; without that, what is in the working tree is taken. Then the checks decide, and what passes is committed and pushed.`
}

func (c *stepCmd) Run(a *app) error {
	a.remote = c.Remote
	a.json = c.JSON
	if err := needTerminal(c.TTY); err != nil {
		return err
	}
	e, id, err := a.onRun(true, "")
	if err != nil {
		return err
	}
	r, err := e.Step(a.ctx, run.StepRequest{Run: id, Step: c.Step, Command: a.command, Notes: c.Note,
		Stray: c.Stray, Empty: c.Empty, TTY: c.TTY, Detach: c.Detach, NoPush: c.NoPush, Takeover: c.Takeover})
	// What comes next is told after each certificate, not only after a failure.
	return a.reported(r, err, func() error { return a.print(r.Brief) })
}

// needTerminal refuses --tty without a terminal before anything is begun.
func needTerminal(wanted bool) error {
	if !wanted {
		return nil
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return &run.Failure{Code: "NO_TERMINAL", Exit: run.ExitUsage, Err: fmt.Errorf("--tty: there is no terminal to hand over: %w; nothing was begun", err),
			Hints: []string{"git agent help step"}}
	}
	return tty.Close()
}
