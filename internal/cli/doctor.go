package cli

import (
	"errors"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type doctorCmd struct {
	remoteFlag
	JSON bool `name:"json" help:"Print one JSON object a line."`
}

func (c *doctorCmd) Run(a *app) error {
	a.json, a.remote = c.JSON, c.Remote
	e, err := a.openEngine(false)
	if err != nil {
		return err
	}
	return a.showFindings(e.Doctor(a.ctx))
}

func (a *app) showFindings(all []run.Finding) error {
	t := ui.NewTable(a.streams)
	ill := 0
	for _, f := range all {
		glyph := ui.Painted(ui.Green, a.streams.Glyph(ui.Check))
		if !f.OK {
			glyph = ui.Painted(ui.Red, a.streams.Glyph(ui.Cross))
			ill++
		}
		if a.json {
			if err := a.printJSON(f); err != nil {
				return err
			}
			continue
		}
		t.Row(glyph, ui.Painted(ui.Bold, f.What), ui.Plain(f.Says))
	}
	if err := t.Flush(); err != nil || ill == 0 {
		return err
	}
	return &run.Failure{Code: "DOCTOR", Exit: run.ExitNo, Err: errors.New(plural(ill, "thing is", "things are") + " wrong here"), Hints: mends(all)}
}

func mends(all []run.Finding) []string {
	var hints []string
	for _, f := range all {
		if f.Mend != "" {
			hints = append(hints, f.Mend)
		}
	}
	return hints
}
