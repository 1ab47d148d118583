package cli

import (
	"fmt"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type auditCmd struct {
	remoteFlag
	trustFlags
	ID        string `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	Jobs      int    `short:"j" help:"How many checkouts to work in at the same time." placeholder:"N" default:"1"`
	Onto      string `help:"Check all steps on this revision with the run merged into it, instead of at the run's tip." placeholder:"REV"`
	JSON      bool   `name:"json" help:"Print one JSON object." xor:"form"`
	Statement bool   `help:"Print an in-toto statement (JSON) of the result." xor:"form"`
}

// Help is what the grammar cannot say: where it happens.
func (c *auditCmd) Help() string {
	return `Clones the run into a throw-away folder that shares nothing with this repository and runs every certificate's checks there on its own tree, then the checks of all certified steps at the tip. The plan's setup runs in each fresh checkout. Nothing is recorded or moved.`
}

func (c *auditCmd) Run(a *app) error {
	a.remote, a.json = c.Remote, c.JSON || c.Statement
	if c.Jobs < 1 || c.Jobs > 256 {
		return usageFor("audit", "-j %d: write a number from 1 to 256", c.Jobs)
	}
	e, err := a.engine(true)
	if err != nil {
		return err
	}
	id := c.ID
	if id == "" {
		id = a.grammar.Run
	}
	if id, err = e.WhichRun(a.ctx, id); err != nil {
		return err
	}
	scratch, drop, err := a.scratch()
	if err != nil {
		return err
	}
	defer drop()
	r, err := e.Audit(a.ctx, run.AuditRequest{Run: id, Jobs: c.Jobs, Onto: c.Onto, Trust: c.request(), Scratch: scratch})
	if r == nil {
		return err
	}
	var answer any = r
	if c.Statement {
		answer = r.Statement()
	}
	return a.shown(true, answer, err, func() error { return a.showAudit(r) })
}

// showAudit is a line a certificate, then those of the steps that fell.
func (a *app) showAudit(r *run.Audit) error {
	where := "at the tip " + git.Short(r.Tip)
	if r.Onto != "" {
		where = "on " + git.Short(r.Onto) + " with the tip " + git.Short(r.Tip) + " merged"
	}
	if err := a.print(ui.Escape("run "+r.Run+": "+r.Title) + "\neach certificate on its own tree, then all steps " + where + "\n\n"); err != nil {
		return err
	}
	at := map[string]run.AuditStep{}
	for _, s := range r.Steps {
		at[s.ID] = s
	}
	t := ui.NewTable(a.streams)
	for _, c := range r.Certificates {
		tip, reason := "", c.Reason
		if s, there := at[c.Step]; there && c.Newest {
			tip = s.Outcome
			if reason == "" {
				reason = s.Reason
			}
		}
		t.Row(a.auditGlyph(c.Outcome, tip), ui.Painted(ui.Bold, c.Step), ui.Painted(ui.Yellow, git.Short(c.Commit)),
			ui.Plain("own tree "+c.Outcome), ui.Plain(prefixed("then ", tip)), ui.Plain(fmt.Sprintf("%.1fs", c.Secs+at[c.Step].Secs)), ui.Painted(ui.Faint, reason))
	}
	for _, f := range r.Faults {
		t.Row(ui.Painted(ui.Red, a.streams.Glyph(ui.Cross)), ui.Painted(ui.Bold, "-"), ui.Painted(ui.Yellow, git.Short(f.Commit)), ui.Plain("evidence that cannot be used"), ui.Plain(""), ui.Plain(""), ui.Painted(ui.Faint, f.Says))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return a.showTails(r)
}

func (a *app) auditGlyph(outcomes ...string) ui.Cell {
	glyph := ui.Painted(ui.Green, a.streams.Glyph(ui.Check))
	for _, o := range outcomes {
		if o != "passed" && o != "skipped" && o != "" {
			glyph = ui.Painted(ui.Red, a.streams.Glyph(ui.Cross))
		}
	}
	return glyph
}

// showTails ends with what failing checks printed.
func (a *app) showTails(r *run.Audit) error {
	show := func(what string, o run.AuditOutcome) error {
		if o.Tail == "" {
			return nil
		}
		return a.print(ui.EscapeText("\n--- " + what + ", " + o.Reason + ":\n" + o.Tail))
	}
	for _, c := range r.Certificates {
		if err := show(c.Step+" on its own tree "+git.Short(c.Commit), c.AuditOutcome); err != nil {
			return err
		}
	}
	for _, s := range r.Steps {
		if err := show(s.ID+" with all others", s.AuditOutcome); err != nil {
			return err
		}
	}
	return nil
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
