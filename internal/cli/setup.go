package cli

import (
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/setup"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type setupCmd struct {
	Agent   string `arg:"" enum:"claude,codex,gemini,opencode,cursor,copilot,aider,agents-md" help:"claude, codex, gemini, opencode, cursor, copilot, aider, or agents-md for whatever reads AGENTS.md."`
	User    bool   `help:"For all your sessions, in your own settings; the default where the agent has them." xor:"scope"`
	Project bool   `help:"For this working tree, in files to be committed." xor:"scope"`
	MCP     bool   `name:"mcp" help:"The MCP server too; an agent with a shell does not need it."`
	Undo    bool   `help:"Take out what was put in; a file that nobody edited since is as it was, byte for byte."`
	DryRun  bool   `short:"n" help:"Say what would be done; change nothing."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

// setupJSON is the answer: fields are only added.
type setupJSON struct {
	Format int          `json:"format"`
	Agent  string       `json:"agent"`
	Scope  setup.Scope  `json:"scope"`
	Files  []setup.Done `json:"files"`
}

func (c *setupCmd) Run(a *app) error {
	a.json = c.JSON
	scope := c.scope()
	s, err := a.setup(c.DryRun)
	if err == nil && !c.DryRun {
		err = a.outside()
	}
	if err != nil {
		return err
	}
	var all []setup.Done
	if c.Undo {
		all, err = s.Undo(c.Agent, scope)
	} else {
		all, err = s.Install(c.Agent, scope, c.MCP)
	}
	var refused *setup.Refusal
	if errors.As(err, &refused) {
		hints := refused.Hints
		if len(hints) == 0 {
			hints = []string{fmt.Sprintf("git agent setup %s --%s --dry-run   # after mending it", c.Agent, scope)}
		}
		return &run.Failure{Code: "SETUP", Exit: run.ExitPerson, Err: err, Hints: hints}
	}
	if err != nil {
		return err
	}
	return a.showSetup(c, scope, all)
}

// scope is what was asked for, else the person's settings where there are such:
// a project's are changes in the tree.
func (c *setupCmd) scope() setup.Scope {
	switch {
	case c.User:
		return setup.User
	case c.Project:
		return setup.Project
	}
	return setup.Scopes(c.Agent)[0]
}

func (a *app) setup(dry bool) (*setup.Setup, error) {
	s := &setup.Setup{Kit: setup.Kit(), Home: a.env("HOME"), Env: a.env, Notes: &lateFolder{where: a.userState}, Dry: dry}
	repo, err := a.repo()
	switch {
	case errors.Is(err, git.ErrNotARepository) || errors.Is(err, git.ErrBare):
		return s, nil
	case err != nil:
		return nil, err
	}
	s.Top = repo.Top
	return s, nil
}

func (a *app) showSetup(c *setupCmd, scope setup.Scope, all []setup.Done) error {
	if c.JSON {
		if all == nil {
			all = []setup.Done{}
		}
		return a.printJSON(setupJSON{1, c.Agent, scope, all})
	}
	t := ui.NewTable(a.streams)
	for _, d := range all {
		t.Row(a.setupGlyph(d.Did), ui.Painted(ui.Bold, d.What), ui.Plain(d.Did), ui.Plain(d.Path))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if c.Undo {
		return nil
	}
	for _, note := range setup.Caveats(c.Agent, scope) {
		a.notify("%s", note)
	}
	return nil
}

func (a *app) setupGlyph(did string) ui.Cell {
	switch did {
	case setup.Made, setup.Added, setup.Kept:
		return ui.Painted(ui.Green, a.streams.Glyph(ui.Check))
	case setup.Left:
		return ui.Painted(ui.Red, a.streams.Glyph(ui.Cross))
	}
	return ui.Painted(ui.Faint, a.streams.Glyph(ui.Circle))
}
