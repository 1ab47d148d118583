package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/git-agent/git-agent/internal/report"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type reportCmd struct {
	ID     string `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	HTML   bool   `name:"html" help:"One page in one file, with a timeline." xor:"form"`
	MD     bool   `name:"md" help:"Markdown, for the body of a pull request; what it is unless told." xor:"form"`
	JSON   bool   `name:"json" help:"Print one JSON object." xor:"form"`
	Output string `short:"o" help:"Write it to this file; - for standard output." placeholder:"FILE" type:"path"`
}

func (c *reportCmd) Run(a *app) error {
	a.json = c.JSON
	if c.Output == "-" {
		c.Output = ""
	}
	if c.Output != "" {
		if err := needPlace("report", c.Output); err != nil {
			return err
		}
	}
	e, id, err := a.onRun(false, c.ID)
	if err != nil {
		return err
	}
	r, err := e.Review(a.ctx, id)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return report.Markdown(w, r) }
	switch {
	case c.HTML:
		write = func(w io.Writer) error { return report.HTML(w, r, a.now()) }
	case c.JSON:
		write = func(w io.Writer) error { return ui.WriteJSON(w, r) }
	}
	switch {
	case c.Output != "":
		return c.save(a, write)
	case c.HTML && a.streams.OutTTY:
		return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: errors.New("a page is not for a terminal: name a file"), Hints: []string{"git agent report --html --output report.html"}}
	case c.HTML || c.JSON:
		w := bufio.NewWriter(a.streams.Out)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	return a.paged(func(s ui.Streams) error { return write(escapedText{s.Out}) })
}

func (c *reportCmd) save(a *app, write func(io.Writer) error) error {
	var page bytes.Buffer
	if err := write(&page); err != nil {
		return err
	}
	if err := a.put(c.Output, page.Bytes()); err != nil {
		return unwritten(c.Output, err)
	}
	a.notify("wrote %s", c.Output)
	return nil
}

// escapedText keeps foreign text from driving a terminal.
type escapedText struct{ to io.Writer }

func (e escapedText) Write(p []byte) (int, error) {
	if _, err := io.WriteString(e.to, ui.EscapeText(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
