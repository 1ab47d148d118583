package cli

import (
	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
	"github.com/git-agent/git-agent/pkg/stash"
)

type rollbackCmd struct {
	remoteFlag
	Step   string `arg:"" help:"The step."`
	Yes    bool   `help:"Take back certified work too, by an undo commit."`
	NoPush bool   `help:"Push nothing, now and from now on in this clone, until git agent resume --push." xor:"push"`
	Push   bool   `help:"Push the preserved work too, as keep_partial does." xor:"push"`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

func (c *rollbackCmd) Run(a *app) error {
	a.remote = c.Remote
	a.json = c.JSON
	e, id, err := a.onRun(true, "")
	if err != nil {
		return err
	}
	r, err := e.Rollback(a.ctx, run.RollbackRequest{Run: id, Step: c.Step, Yes: c.Yes, NoPush: c.NoPush, Push: c.Push})
	return a.reported(r, err, func() error {
		if err := a.showReport(r); err != nil {
			return err
		}
		return a.showNext(r)
	})
}

type stashCmd struct {
	List  stashListCmd  `cmd:"" default:"withargs" help:"List what is preserved."`
	Show  stashShowCmd  `cmd:"" help:"Show what one ref preserves."`
	Apply stashApplyCmd `cmd:"" help:"Bring preserved work back into the working tree."`
	Drop  stashDropCmd  `cmd:"" help:"Delete one ref; the commit it named is printed."`
}

type stashListCmd struct {
	ID   string `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	JSON bool   `name:"json" help:"Print one JSON object a line."`
}

// stashJSON is one line of `stash list --json`: fields are only added.
type stashJSON struct {
	Format  int    `json:"format"`
	Ref     string `json:"ref"`
	Commit  string `json:"commit"`
	Run     string `json:"run"`
	Step    string `json:"step"`
	Subject string `json:"subject"`
	Time    string `json:"time"`
	Commits bool   `json:"holds_commits"`
}

func (c *stashListCmd) Run(a *app) error {
	a.json = c.JSON
	e, id, err := a.onRun(false, c.ID)
	if err != nil {
		return err
	}
	list, err := e.Stashes(a.ctx, id)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.stashesJSON(list)
	}
	if len(list) == 0 {
		a.notify("nothing is preserved")
	}
	t := ui.NewTable(a.streams)
	for _, s := range list {
		t.Row(ui.Painted(ui.Yellow, s.Ref), ui.Plain(s.Subject), ui.Painted(ui.Faint, ui.Age(a.now().Sub(s.Time))), ui.Plain(git.Short(s.Commit)))
	}
	return t.Flush()
}

func (a *app) stashesJSON(list []stash.Saved) error {
	for _, s := range list {
		line := stashJSON{1, s.Ref, s.Commit, s.Run, s.Step, s.Subject, s.Time.UTC().Format("2006-01-02T15:04:05Z"), s.HoldsCommits}
		if err := a.printJSON(line); err != nil {
			return err
		}
	}
	return nil
}

type stashShowCmd struct {
	Ref   string `arg:"" help:"The ref, as stash list prints it; refs/agent-stash/ may be left out."`
	Patch bool   `short:"p" help:"Show the content, as a patch."`
}

func (c *stashShowCmd) Run(a *app) error {
	e, err := a.engine(false)
	if err != nil {
		return err
	}
	if c.Patch {
		patch, err := e.StashPatch(a.ctx, c.Ref)
		if err != nil {
			return err
		}
		return a.paged(func(s ui.Streams) error {
			text := string(patch)
			if s.OutTTY {
				text = ui.EscapeText(text)
			}
			_, err := s.Out.Write([]byte(text))
			return err
		})
	}
	d, err := e.StashShow(a.ctx, c.Ref)
	if err != nil {
		return err
	}
	t := ui.NewTable(a.streams)
	for _, h := range d.Held {
		t.Row(ui.Plain(heldWord(h)), ui.Plain(h.Path))
	}
	return t.Flush()
}

func heldWord(h stash.Held) string {
	switch {
	case h.Untracked:
		return "new"
	case h.Deleted:
		return "deleted"
	case h.Worktree:
		return "changed"
	}
	return "staged"
}

type stashApplyCmd struct {
	Ref string `arg:"" help:"The ref, as stash list prints it; refs/agent-stash/ may be left out."`
}

func (c *stashApplyCmd) Run(a *app) error {
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	return e.StashApply(a.ctx, c.Ref)
}

type stashDropCmd struct {
	Ref string `arg:"" help:"The ref, as stash list prints it; refs/agent-stash/ may be left out."`
}

func (c *stashDropCmd) Run(a *app) error {
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	commit, there, err := e.StashDrop(a.ctx, c.Ref)
	if err != nil {
		return err
	}
	also := ""
	if there {
		also = ", on the remote too"
	}
	return a.print("dropped " + c.Ref + " (was " + commit + ")" + also + "\n")
}
