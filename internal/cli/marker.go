package cli

import (
	"io"
	"os"
	"strings"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/run"
)

type markerCmd struct {
	Format markerFormatCmd `cmd:"" help:"Print the marker of a landing or of a pull request."`
	Parse  markerParseCmd  `cmd:"" help:"Read the marker in the text of a comment; exit 1 where there is none."`
}

type markerFormatCmd struct {
	Landed string  `help:"The commit on the target, whole." placeholder:"SHA" xor:"what"`
	On     string  `help:"The target." placeholder:"BRANCH"`
	Opened fromOne `help:"The number of the pull request." placeholder:"N" xor:"what"`
}

// markerJSON is a marker for scripts: fields are only added.
type markerJSON struct {
	Format int    `json:"format"`
	Verb   string `json:"verb"`
	SHA    string `json:"sha,omitempty"`
	Branch string `json:"branch,omitempty"`
	PR     int    `json:"pr,omitempty"`
	Run    string `json:"run"`
}

func (c *markerFormatCmd) Run(a *app) error {
	m := landing.Marker{Verb: landing.Landed, SHA: c.Landed, Branch: c.On, Run: a.grammar.Run}
	if c.Opened > 0 {
		m = landing.Marker{Verb: landing.OpenedPR, PR: int(c.Opened), Run: a.grammar.Run}
	}
	if m.Run == "" {
		m.Run = a.runHere()
	}
	text, err := landing.FormatMarker(m)
	if err != nil {
		return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: err, Hints: []string{"git agent help marker format"}}
	}
	return a.print(text + "\n")
}

// runHere is the run that commands are about where none is named; "" outside a
// repository, where a marker can be written too.
func (a *app) runHere() string {
	if id := a.env("GIT_AGENT_RUN"); id != "" {
		return id
	}
	_, id, err := a.onRun(false, "")
	if err != nil {
		return ""
	}
	return id
}

type markerParseCmd struct {
	File string `arg:"" optional:"" help:"The comment's text; else standard input."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

func (c *markerParseCmd) Run(a *app) error {
	a.json = c.JSON
	text, err := c.text(a)
	if err != nil {
		return usageFor("marker parse", "read the comment: %w", err)
	}
	m, ok := landing.ParseMarker(text)
	if !ok {
		return answered(run.ExitNo)
	}
	if c.JSON {
		return a.printJSON(markerJSON{1, string(m.Verb), m.SHA, m.Branch, m.PR, m.Run})
	}
	value, err := m.Value()
	if err != nil { // abbreviated by whoever wrote it
		value = string(m.Verb) + " " + m.SHA + " on " + m.Branch + ", run " + m.Run
	}
	return a.print(landing.Prefix + value + "\n")
}

func (c *markerParseCmd) text(a *app) (string, error) {
	if c.File != "" && c.File != "-" {
		text, err := os.ReadFile(c.File)
		return string(text), err
	}
	var b strings.Builder
	_, err := io.Copy(&b, io.LimitReader(a.In, 1<<20))
	return b.String(), err
}
