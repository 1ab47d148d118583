package cli

import (
	"io"
	"slices"
	"strconv"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

// reported prints what a command found, also where it ended in an error: what
// was done is told, then what went wrong.
func (a *app) reported(r *run.Report, err error, text func() error) error {
	if r == nil {
		return err
	}
	if a.json {
		if errPrint := a.printJSON(r); errPrint != nil && err == nil && !isBroken(errPrint) {
			return errPrint
		}
		return err
	}
	for _, w := range r.Warnings {
		if w != run.WarnNoRemote || a.begins() && a.advises("NO_REMOTE") {
			a.streams.Warn("%s", w)
		}
	}
	if err != nil {
		return err
	}
	if errPrint := text(); errPrint != nil && !isBroken(errPrint) {
		return errPrint
	}
	return nil
}

// begins reports whether this command begins or goes on with work: who looks at
// a run need not be told each time that the clone has no remote.
func (a *app) begins() bool {
	return slices.Contains([]string{"start", "step", "resume"}, a.verb)
}

func (a *app) print(text string) error {
	if a.streams.OutTTY {
		text = ui.EscapeText(text)
	}
	_, err := io.WriteString(a.streams.Out, text)
	return err
}

func (a *app) printJSON(v any) error { return ui.WriteJSON(a.streams.Out, v) }

// paged shows through git's pager where git would.
func (a *app) paged(show func(ui.Streams) error) error {
	command := ""
	if a.grammar.Pager && a.streams.OutTTY {
		repo, err := a.repo()
		if err != nil {
			return err
		}
		command = repo.Pager(a.ctx)
	}
	return a.streams.Page(command, a.Env, show)
}

// showReport is the table of a run's steps.
func (a *app) showReport(r *run.Report) error {
	if err := a.print(ui.Escape("run "+r.Run+": "+r.Title) + "\n" +
		whereIs(r) + "\n\n"); err != nil {
		return err
	}
	if l := r.Landing; l != nil {
		if err := a.print(l.Verdict + " (" + l.How + "): " + ui.Escape(l.Text) + "\n\n"); err != nil {
			return err
		}
	}
	t := ui.NewTable(a.streams)
	for _, s := range r.Steps {
		t.Row(a.statusGlyph(s), ui.Painted(ui.Bold, s.ID), ui.Plain(s.Title), a.statusCell(s), ui.Painted(ui.Yellow, git.Short(s.Commit)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return a.showChains(r)
}

func (a *app) statusGlyph(s run.StepReport) ui.Cell {
	switch s.Status {
	case "certified", "skipped":
		return ui.Painted(ui.Green, a.streams.Glyph(ui.Check))
	case "pending":
		return ui.Painted(ui.Faint, a.streams.Glyph(ui.Circle))
	case "running":
		return ui.Painted(ui.Cyan, a.streams.Glyph(ui.Half))
	}
	return ui.Painted(ui.Red, a.streams.Glyph(ui.Cross))
}

// howWords say on what a certificate rests, for people.
var howWords = map[string]string{
	"tree": "tree identical", "touches": "its paths unchanged", "rechecked": "checked again",
	"evidence": "checked now, record made", "until": "held until its successor",
}

func (a *app) statusCell(s run.StepReport) ui.Cell {
	text := s.Status
	if s.How != nil {
		text += ", " + howWords[*s.How]
	}
	if s.Reason != "" {
		text += ", " + s.Reason
	}
	if s.Flaky {
		text += ", flaky (" + s.FlakyRate + " failed)"
	}
	if len(s.Stash) > 0 {
		text += ", partial work kept"
	}
	return ui.Plain(text)
}

// showNext ends with the one thing to do now.
func (a *app) showNext(r *run.Report) error {
	if r.Cancelled != nil {
		return a.print("\ncancelled by " + ui.Escape(r.Cancelled.By) + "\nnext: " + a.typed("git agent resume " + r.Run)[0] + " --takeover\n")
	}
	if r.Next == nil {
		return a.print("\n" + nothingLeft(r) + "\n")
	}
	if r.Elsewhere {
		return a.print("\nnext: git agent resume " + r.Run + "\n")
	}
	next := a.typed("git agent step " + *r.Next)[0]
	if slices.ContainsFunc(r.Steps, func(s run.StepReport) bool { return s.ID == *r.Next && s.Status == "running" }) {
		next = "git agent logs -f " + *r.Next // it is under way: nothing else is to be done at it
	}
	return a.print("\nnext: " + next + "\n")
}

func nothingLeft(r *run.Report) string {
	if slices.ContainsFunc(r.Steps, func(s run.StepReport) bool { return s.Status != "certified" }) {
		return "nothing is left to do"
	}
	return "every step is certified"
}

// whereIs says where the run's branch is, and whether that is pushed.
func whereIs(r *run.Report) string {
	if r.Head == "" {
		return run.ShortBranch(r.Branch) + " is not there"
	}
	if r.Elsewhere {
		return run.ShortBranch(r.Branch) + " is not in this clone; on " + strconv.Quote(r.Sync.Remote) + " it was at " + git.Short(r.Head)
	}
	return run.ShortBranch(r.Branch) + " at " + git.Short(r.Head) + ", " + ui.Escape(r.Sync.Words())
}
