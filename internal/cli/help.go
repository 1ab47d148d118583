package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/internal/manual"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command to explain, or config; else all commands are listed."`
}

// topics are the pages that are about no command.
var topics = map[string]string{"config": "config.5"}

func (c *helpCmd) Run(a *app) error {
	if len(c.Command) == 0 {
		_, err := a.parser.Parse([]string{"--help"})
		return err
	}
	page, err := a.manualPage(c.Command[0])
	if err != nil {
		return err
	}
	show := func(s ui.Streams) error {
		return page.Text(s.Out, manual.Look{Width: s.Width, Bold: func(text string) string { return s.Paint(ui.Bold, text) }})
	}
	if _, err := a.repo(); err != nil {
		return show(a.streams) // help is for those who have no repository yet, too
	}
	return a.paged(show)
}

func (a *app) manualPage(name string) (*manual.Page, error) {
	if topic, ok := topics[name]; ok {
		return manual.Topic(topic)
	}
	if !slices.Contains(manual.Commands(a.parser.Model), name) {
		return nil, &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: fmt.Errorf("there is no command %q", name), Hints: []string{"git agent help"}}
	}
	page, err := manual.Command(a.parser.Model, name)
	if err != nil {
		return nil, errors.Join(errors.New("read the manual"), err)
	}
	return page, nil
}
