package cli

import (
	"strings"

	"github.com/git-agent/git-agent/pkg/run"
)

type messageCmd struct {
	Range  string `arg:"" optional:"" help:"A run, or <from>..<to>; else as for --run."`
	Squash bool   `help:"The message of one commit that stands for all of them, every step's evidence in one block." required:""`
}

// Run prints what a person pastes into a forge's squash button.
func (c *messageCmd) Run(a *app) error {
	from, to, isRange := strings.Cut(c.Range, "..")
	var text string
	if isRange {
		e, err := a.engine(false)
		if err != nil {
			return err
		}
		if to == "" {
			to = "HEAD"
		}
		if text, err = e.MessageOfRange(a.ctx, from, to); err != nil {
			return err
		}
		return a.print(text)
	}
	e, id, err := a.onRun(false, strings.TrimPrefix(c.Range, run.ShortBranch(a.heads())))
	if err != nil {
		return err
	}
	if text, err = e.MessageOf(a.ctx, id); err != nil {
		return err
	}
	return a.print(text)
}

// heads is the full prefix of run branches here, "" outside a repository.
func (a *app) heads() string {
	repo, err := a.repo()
	if err != nil {
		return ""
	}
	return heads(repo)
}
