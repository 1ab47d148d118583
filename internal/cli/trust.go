package cli

import (
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type trustCmd struct {
	Grant  trustGrantCmd  `cmd:"" default:"withargs" help:"Show a run's commands and trust them in every clone of yours."`
	List   trustListCmd   `cmd:"" help:"What you trusted."`
	Revoke trustRevokeCmd `cmd:"" help:"Take trust back."`
}

type trustGrantCmd struct {
	remoteFlag
	ID string `arg:"" name:"run" help:"The run."`
}

func (c *trustGrantCmd) Run(a *app) error {
	a.remote = c.Remote
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	digest, commands, err := e.Trust(a.ctx, c.ID)
	if err != nil {
		return err
	}
	for _, command := range commands {
		if err := a.print(ui.Escape(command.String()) + "\n"); err != nil {
			return err
		}
	}
	return a.print("\ntrusted in every clone of yours: " + digest + "\n")
}

type trustListCmd struct {
	JSON bool `name:"json" help:"Print one JSON object a line."`
}

func (c *trustListCmd) Run(a *app) error {
	a.json = c.JSON
	e, err := a.engine(false)
	if err != nil {
		return err
	}
	grants, err := e.Grants()
	if err != nil {
		return err
	}
	return a.showGrants(grants)
}

func (a *app) showGrants(grants []run.Grant) error {
	if a.json {
		for _, g := range grants {
			if err := a.printJSON(g); err != nil {
				return err
			}
		}
		return nil
	}
	t := ui.NewTable(a.streams)
	for _, g := range grants {
		where := g.Clone
		if where == "" {
			where = "every clone"
		}
		t.Row(ui.Painted(ui.Bold, g.Run), ui.Plain(g.Digest), ui.Painted(ui.Faint, ui.Age(a.now().Sub(g.Given))), ui.Plain(where))
	}
	return t.Flush()
}

type trustRevokeCmd struct {
	What string `arg:"" name:"run-or-digest" help:"A run, for all its versions, or one digest."`
}

func (c *trustRevokeCmd) Run(a *app) error {
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	gone, err := e.Revoke(c.What)
	for _, g := range gone {
		if err := a.print("no longer trusted: " + ui.Escape(g.Run) + " " + g.Digest + "\n"); err != nil {
			return err
		}
	}
	return err
}
