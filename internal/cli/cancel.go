package cli

import (
	"fmt"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type cancelCmd struct {
	remoteFlag
	What string `arg:"" optional:"" name:"run|step" help:"The run; or a step, to cancel only if that one is being worked on; else as for --run."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

// Help is what the grammar cannot say.
func (c *cancelCmd) Help() string {
	return `Whoever works on the run, in this clone or another, stops: its command is ended, what it made is preserved and taken back, nothing is certified any more. Nobody goes on with the run until a person says so: git agent resume <run> --takeover.`
}

func (c *cancelCmd) Run(a *app) error {
	a.remote = c.Remote
	a.json = c.JSON
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	id, step, err := e.WhichWork(a.ctx, a.grammar.Run, c.What)
	if err != nil {
		return err
	}
	r, err := e.Cancel(a.ctx, run.CancelRequest{Run: id, Step: step})
	if r == nil {
		return err
	}
	if c.JSON {
		if errPrint := a.printJSON(r); errPrint != nil && err == nil {
			return errPrint
		}
		return err
	}
	if errPrint := a.print(cancelText(r) + "to go on with it: " + a.typed("git agent resume " + r.Run)[0] + " --takeover\n"); errPrint != nil && err == nil {
		return errPrint
	}
	return err
}

func cancelText(r *run.CancelReport) string {
	text := "run " + r.Run + " is cancelled"
	if r.Already {
		text += " already, by " + ui.Escape(r.By)
	}
	switch {
	case r.PID != 0:
		text += fmt.Sprintf("; process %d here was told to stop", r.PID)
	case r.Ended:
		text += "; its job here was ended"
	case r.Gone:
		text += "; whoever worked on it is gone"
	case r.Host != "" && !r.Already:
		text += "; " + ui.Escape(r.Host) + " stops at its next sign of life"
	}
	if r.Step != "" {
		text += " (step " + r.Step + ")"
	}
	return text + "\n"
}
