package cli

import (
	"strings"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/run"
)

type preflightCmd struct {
	remoteFlag
	ID   string `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	Item string `help:"Ask about an item (an issue, a ticket), whatever run has it." placeholder:"KEY"`
	Step string `help:"Ask about one step of the run." placeholder:"STEP"`
	Onto string `help:"The branch that it would land on; else the plan's target." placeholder:"BRANCH"`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

func (c *preflightCmd) Run(a *app) error {
	a.remote, a.json = c.Remote, c.JSON
	req := run.PreflightRequest{Step: c.Step, Item: c.Item, Onto: c.Onto}
	var e *run.Engine
	var err error
	if c.Item != "" {
		if c.ID != "" || c.Step != "" {
			return usageFor("preflight", "--item asks about every run; name no run and no step")
		}
		if c.Onto != "" {
			return usageFor("preflight", "--item asks where each run lands; name no branch")
		}
		e, err = a.engine(true)
	} else {
		e, req.Run, err = a.onRun(true, c.ID)
	}
	if err != nil {
		return err
	}
	p, err := e.Preflight(a.ctx, req)
	if err != nil {
		return err
	}
	if err := a.showPreflight(p); err != nil && !isBroken(err) {
		return err
	}
	return verdictExit(p)
}

// verdictExit is an exit status without an error: the answer was printed.
func verdictExit(p *run.Preflight) error {
	switch t := p.Token(); {
	case t.Skips():
		return answered(run.ExitNo)
	case t == landing.MarkerStale:
		return answered(run.ExitPerson)
	case t == landing.Unknown:
		return answered(run.ExitUnknown)
	}
	return nil
}

func (a *app) showPreflight(p *run.Preflight) error {
	if a.json {
		return a.printJSON(p)
	}
	text := p.Verdict
	if p.How != "" {
		text += " (" + p.How + ")"
	}
	text += ": " + ui.Escape(p.Text) + "\n"
	for _, s := range p.Evidence.Landed {
		text += "  " + s.Step + " is in " + ui.Escape(p.Evidence.Target) + " as " + git.Short(s.Commit) + " (" + s.How + ")\n"
	}
	if p.Evidence.Marker != "" {
		text += "  " + ui.Escape(p.Evidence.Marker) + "\n"
	}
	if p.Evidence.RivalRef != "" {
		text += "  " + run.ShortBranch(p.Evidence.RivalRef) + "\n"
	}
	if len(p.Evidence.Doubts) > 0 {
		text += "  doubts: " + strings.Join(p.Evidence.Doubts, ", ") + "\n"
	}
	return a.print(text)
}
