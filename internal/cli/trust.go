package cli

import (
	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
)

type trustCmd struct {
	ID string `arg:"" name:"run" help:"The run."`
}

func (c *trustCmd) Run(a *app) error {
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

type versionCmd struct{}

func (versionCmd) Run(a *app) error {
	return a.print("git agent " + version() + " (github.com/git-agent/git-agent), needs git " + git.MinVersion + " or newer\n")
}

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command to explain; else all are listed."`
}

func (c *helpCmd) Run(a *app) error {
	_, err := a.parser.Parse(append(c.Command, "--help"))
	return err
}
