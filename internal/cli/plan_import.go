package cli

import (
	"errors"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/plan/markdown"
	"github.com/git-agent/git-agent/pkg/run"
)

type planImportCmd struct {
	Text string `arg:"" help:"A Markdown or plain text file; - for standard input."`
}

// Help is what the grammar cannot say: what becomes of what.
func (c *planImportCmd) Help() string {
	return `Prints a plan made of a text with numbered steps, boxes, bullets or "Task N" headings: lists of files become touches, fenced commands become checks, everything else is in the briefs. A ticked box becomes a note: nothing is certified by it. A step without a command has an empty list of checks, which "plan validate" refuses until one is named.`
}

func (c *planImportCmd) Run(a *app) error {
	text, err := a.readFile(c.Text)
	if err != nil {
		return err
	}
	draft, err := markdown.Read(sourceName(c.Text), text)
	if errors.Is(err, markdown.ErrNothing) {
		return &run.Failure{Code: "NO_STEPS", Exit: run.ExitNo, Err: err, Hints: []string{"git agent plan new --from-issue " + run.Quote(c.Text) + "   # one step for the whole"}}
	}
	if err != nil {
		return usageFor("plan import", "%w", err)
	}
	return a.drafted(draft)
}

func sourceName(file string) string {
	if file == "-" {
		return "standard input"
	}
	return filepath.Base(file)
}

// drafted prints a draft and says what is left to do.
func (a *app) drafted(d *markdown.Draft) error {
	if err := a.print(string(d.YAML())); err != nil {
		return err
	}
	a.notify("%s; %d without a check: name them, then: git agent plan validate, git agent plan lint", plural(len(d.Steps), "step", "steps"), d.Unchecked())
	if n := d.Ticked(); n > 0 {
		a.notify("%d ticked in the source; that certifies nothing", n)
	}
	return nil
}
