package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/hooks"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type hooksCmd struct {
	Install   hooksInstallCmd   `cmd:"" help:"Put git agent's hook in place; what is there already is called too."`
	Uninstall hooksUninstallCmd `cmd:"" help:"Take git agent's hooks out; everything else is as it was."`
	Status    hooksStatusCmd    `cmd:"" help:"Which hooks are installed, where and how."`
}

type hooksInstallCmd struct {
	Hook []string `arg:"" optional:"" help:"pre-push, commit-msg, pre-receive or update; else pre-push, in a bare repository pre-receive."`
	JSON bool     `name:"json" help:"Print one JSON object."`
}

type hooksUninstallCmd struct {
	Hook []string `arg:"" optional:"" help:"The hooks; else all."`
	JSON bool     `name:"json" help:"Print one JSON object."`
}

type hooksStatusCmd struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

// hooksJSON is the answer of all three: fields are only added.
type hooksJSON struct {
	Format int          `json:"format"`
	Hooks  []hooks.Hook `json:"hooks"`
}

// configuredHooks is the git that takes hooks from its configuration.
const configuredHooks = "2.54"

func (c *hooksInstallCmd) Run(a *app) error {
	i, repo, err := a.installer(c.JSON)
	if err == nil {
		err = a.outside()
	}
	if err != nil {
		return err
	}
	events := c.Hook
	if len(events) == 0 {
		events = []string{"pre-push"}
		if repo.Top == "" {
			events = []string{"pre-receive"}
		}
	}
	if err := known(events); err != nil {
		return err
	}
	all, err := i.Install(a.ctx, events)
	return a.hooked(all, err)
}

func (c *hooksUninstallCmd) Run(a *app) error {
	i, _, err := a.installer(c.JSON)
	if err == nil {
		err = a.outside()
	}
	if err != nil {
		return err
	}
	events := c.Hook
	if len(events) == 0 {
		events = hooks.Events
	}
	if err := known(events); err != nil {
		return err
	}
	all, err := i.Uninstall(a.ctx, events)
	return a.hooked(all, err)
}

func (c *hooksStatusCmd) Run(a *app) error {
	i, _, err := a.installer(c.JSON)
	if err != nil {
		return err
	}
	all, err := i.Status(a.ctx)
	return a.hooked(all, err)
}

// known refuses a hook of another name before anything is done.
func known(events []string) error {
	for _, event := range events {
		if !slices.Contains(hooks.Events, event) {
			return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: fmt.Errorf("there is no hook %q here: %s", event, strings.Join(hooks.Events, ", ")),
				Hints: []string{"git agent hooks status"}}
		}
	}
	return nil
}

func (a *app) installer(json bool) (*hooks.Installer, *git.Repo, error) {
	a.json = json
	repo, err := a.repo()
	if err != nil {
		return nil, nil, err
	}
	version, err := repo.Version(a.ctx)
	if err != nil {
		return nil, nil, err
	}
	return &hooks.Installer{Git: repo, Top: repo.Top, GitDir: repo.CommonDir,
		Configured: git.AtLeast(version, configuredHooks)}, repo, nil
}

// hooked prints what is where, also where it ended in a refusal.
func (a *app) hooked(all []hooks.Hook, err error) error {
	if len(all) > 0 || err == nil {
		if errPrint := a.showHooks(all); errPrint != nil && !isBroken(errPrint) && err == nil {
			err = errPrint
		}
	}
	var refused *hooks.Refusal
	if !errors.As(err, &refused) {
		return err
	}
	f := &run.Failure{Code: "HOOK", Exit: run.ExitPerson, Err: err, Hints: refused.Hints}
	if refused.Shown != "" {
		f.Err = fmt.Errorf("%w:\n%s", err, refused.Shown)
	}
	return f
}

func (a *app) showHooks(all []hooks.Hook) error {
	if a.json {
		if all == nil {
			all = []hooks.Hook{}
		}
		return a.printJSON(hooksJSON{1, all})
	}
	t := ui.NewTable(a.streams)
	for _, h := range all {
		state := string(h.State)
		if !slices.Contains([]string{"", "nothing", state}, h.Did) { // once is enough
			state += ", " + h.Did
		}
		t.Row(a.hookGlyph(h.State), ui.Painted(ui.Bold, h.Event), ui.Plain(state), ui.Painted(ui.Faint, h.How), ui.Plain(h.Path))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, h := range all {
		if h.Chained != "" && h.State != hooks.Foreign {
			a.notify("%s calls %s too", h.Event, h.Chained)
		}
		if h.Note != "" && (h.State == hooks.Installed || h.State == hooks.Outdated) {
			a.notify("%s: %s", h.Path, h.Note)
		}
	}
	return nil
}

func (a *app) hookGlyph(s hooks.State) ui.Cell {
	switch s {
	case hooks.Installed:
		return ui.Painted(ui.Green, a.streams.Glyph(ui.Check))
	case hooks.Absent, hooks.Foreign:
		return ui.Painted(ui.Faint, a.streams.Glyph(ui.Circle))
	}
	return ui.Painted(ui.Red, a.streams.Glyph(ui.Cross))
}
