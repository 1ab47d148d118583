package cli

import (
	"fmt"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type runsCmd struct {
	There      bool `name:"remote" help:"Ask the remote too: its runs, and who holds them."`
	Incomplete bool `help:"Only runs with steps left, or of which that cannot be told."`
	JSON       bool `name:"json" help:"Print one JSON object a line."`
}

func (c *runsCmd) Run(a *app) error {
	a.json = c.JSON
	e, err := a.engine(false)
	if err != nil {
		return err
	}
	runs, err := e.Runs(a.ctx, c.There)
	if err != nil {
		return err
	}
	t := ui.NewTable(a.streams)
	for _, r := range runs {
		if c.Incomplete && r.Steps > 0 && r.Certified == r.Steps {
			continue
		}
		if c.JSON {
			if err := a.printJSON(r); err != nil {
				return err
			}
			continue
		}
		t.Row(ui.Painted(ui.Bold, r.Run), ui.Plain(progress(r)), ui.Plain(a.holder(r)), ui.Painted(ui.Yellow, git.Short(r.Tip)), ui.Plain(r.Title))
	}
	return t.Flush()
}

func progress(r run.Listed) string {
	text := fmt.Sprintf("%d of %d certified", r.Certified, r.Steps)
	switch {
	case r.Steps == 0:
		text = "unknown"
	case r.Landed != "":
		text = "landed"
	}
	switch {
	case !r.Known:
		text += ", not in this clone"
	case r.Ahead != nil && r.Behind != nil:
		if *r.Behind > 0 {
			text += ", " + plural(*r.Behind, "commit", "commits") + " not here"
		}
		if *r.Ahead > 0 {
			text += ", " + plural(*r.Ahead, "commit", "commits") + " not pushed"
		}
	}
	return text
}

func (a *app) holder(r run.Listed) string {
	if r.Cancelled != "" {
		return "cancelled by " + r.Cancelled
	}
	if r.Held == "" {
		return "free"
	}
	text := "held by " + r.Held
	if r.Step != "" {
		text += ", step " + r.Step
	}
	if !r.Since.IsZero() {
		text += ", " + ui.Age(a.now().Sub(r.Since)) + " ago"
	}
	return text
}
