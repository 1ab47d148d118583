package cli

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type logCmd struct {
	ID    string `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	Graph bool   `help:"Draw everything that happened beside the branch, and what is left." xor:"form"`
	JSON  bool   `name:"json" help:"Print one JSON object a line, oldest first." xor:"form"`
}

func (c *logCmd) Run(a *app) error {
	a.json = c.JSON
	e, id, err := a.onRun(false, c.ID)
	if err != nil {
		return err
	}
	if c.Graph {
		r, err := e.Review(a.ctx, id)
		if err != nil {
			return err
		}
		return a.paged(func(s ui.Streams) error { return a.showGraph(s, r) })
	}
	entries, err := e.Log(a.ctx, id)
	if err != nil {
		return err
	}
	if !c.JSON {
		return a.paged(func(s ui.Streams) error { return a.showLog(s, entries) })
	}
	out := bufio.NewWriterSize(a.streams.Out, ui.Buffered)
	lines := ui.NewJSONWriter(out)
	for _, entry := range entries {
		if err := lines.Write(entry); err != nil {
			return err
		}
	}
	return out.Flush()
}

// showLog is one line a certificate: glyph, step, title, check, seconds, age, id.
func (a *app) showLog(s ui.Streams, entries []*run.LogEntry) error {
	if len(entries) == 0 {
		a.notify("nothing is certified yet")
		return nil
	}
	t, now := ui.NewTable(s), a.now()
	for _, e := range entries {
		t.Row(certificateGlyph(s, e.Valid, e.Newest && e.Undone == "", e.Landed != ""), ui.Painted(ui.Bold, e.Step), ui.Plain(e.Title), ui.Painted(ui.Faint, checkList(e.Checks)),
			ui.Plain(totalSecs(e.Checks)), ui.Painted(ui.Faint, ui.Age(now.Sub(e.Time))), ui.Painted(ui.Yellow, git.Short(e.Commit)))
	}
	return t.Flush()
}

func checkList(checks []run.CheckReport) string {
	var names []string
	for _, c := range checks {
		names = append(names, c.Command)
	}
	return strings.Join(names, "; ")
}

func totalSecs(checks []run.CheckReport) string {
	total := 0.0
	for _, c := range checks {
		total += c.Secs
	}
	return strconv.FormatFloat(total, 'f', 1, 64) + "s"
}
