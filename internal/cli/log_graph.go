package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

// node is one line of the graph.
type node struct {
	at      time.Time
	glyph   ui.Cell
	beside  bool // not on the branch: it stands to the right of the line
	step    string
	text    string
	detail  string
	commit  string
	painted ui.Style
}

// showGraph draws what happened beside the run's branch, oldest first, and the
// steps that are left below.
func (a *app) showGraph(s ui.Streams, r *run.Review) error {
	t := ui.NewTable(s)
	t.Keep = 2
	pipe := s.Glyph(ui.Line)
	t.Row(ui.Plain(s.Glyph(ui.Base)), ui.Cell{}, ui.Painted(ui.Faint, "base"), ui.Cell{}, ui.Cell{}, ui.Painted(ui.Yellow, git.Short(r.Status.Base)))
	for _, n := range a.nodes(s, r) {
		sign := n.glyph.Text
		if n.beside {
			sign = pipe + " " + sign
		}
		age := ""
		if !n.at.IsZero() {
			age = ui.Age(a.now().Sub(n.at))
		}
		t.Row(ui.Painted(n.glyph.Style, sign), ui.Painted(ui.Bold, n.step), ui.Painted(n.painted, n.text), ui.Painted(ui.Faint, n.detail), ui.Painted(ui.Faint, age), ui.Painted(ui.Yellow, git.Short(n.commit)))
	}
	return t.Flush()
}

func (a *app) nodes(s ui.Streams, r *run.Review) []node {
	titles := map[string]string{}
	landed := map[string]bool{}
	for _, p := range r.Steps {
		titles[p.ID], landed[p.ID] = p.Title, p.Landed != ""
	}
	var nodes []node
	for _, at := range r.Attempts {
		nodes = append(nodes, attemptNode(s, at, titles[at.Step], landed[at.Step]))
	}
	for _, c := range r.Commits {
		if c.Kind != "certificate" {
			nodes = append(nodes, node{at: c.Time, glyph: ui.Plain(s.Glyph(ui.Hollow)), step: c.Step, text: c.Subject, detail: kindWords[c.Kind], commit: c.Commit})
		}
	}
	for _, p := range r.Partial {
		nodes = append(nodes, node{at: p.Time, glyph: ui.Painted(ui.Yellow, s.Glyph(ui.Kept)), beside: true, step: p.Step, text: "partial work kept", detail: strings.TrimPrefix(p.Ref, "refs/agent-stash/"), commit: p.Commit, painted: ui.Faint})
	}
	for _, l := range r.Landings {
		text := l.Text
		if l.Commit != "" {
			text = "landed on " + l.Branch
		}
		nodes = append(nodes, node{at: l.Time, glyph: ui.Painted(ui.Cyan, s.Glyph(ui.Solid)), step: l.Step, text: text, detail: "marker", commit: l.Commit, painted: ui.Cyan})
	}
	slices.SortStableFunc(nodes, func(x, y node) int { return order(x.at, y.at) })
	for _, one := range r.Status.Steps {
		if !isDone(one) && one.Status != "running" {
			nodes = append(nodes, node{glyph: a.statusGlyph(one), step: one.ID, text: one.Title, detail: a.statusCell(one).Text, painted: ui.Faint})
		}
	}
	return nodes
}

// order puts what has no time yet, because it is going on, last.
func order(x, y time.Time) int {
	switch {
	case x.IsZero() && y.IsZero():
		return 0
	case x.IsZero():
		return 1
	case y.IsZero():
		return -1
	}
	return x.Compare(y)
}

var kindWords = map[string]string{"undo": "takes the step back", "claim": "evidence that cannot be used", "other": "certifies nothing"}

func attemptNode(s ui.Streams, at run.AttemptReview, title string, landed bool) node {
	n := node{at: at.Ended, step: at.Step, commit: at.Commit, text: title, detail: checkList(at.Checks) + "  " + totalSecs(at.Checks)}
	number := ""
	if at.Attempt > 0 {
		number = fmt.Sprintf("attempt %d ", at.Attempt)
	}
	switch at.Outcome {
	case "certified":
		n.glyph = certificateGlyph(s, at.Valid, at.Newest && at.Undone == "", landed)
	case "running":
		n.glyph, n.detail = ui.Painted(ui.Cyan, s.Glyph(ui.Half)), number+"runs"
	default:
		n.glyph, n.beside, n.painted = ui.Painted(ui.Red, s.Glyph(ui.Cross)), true, ui.Faint
		n.text, n.detail = number+at.Outcome, failedChecks(at.Checks)
	}
	return n
}

// failedChecks are the checks that did not pass, with what they ended with.
func failedChecks(checks []run.CheckReport) string {
	text := ""
	for _, c := range checks {
		if c.Outcome != "exit=0" {
			text += c.Command + " " + c.Outcome + " "
		}
	}
	return text
}

// certificateGlyph says how much a certificate still counts.
func certificateGlyph(s ui.Streams, valid, newest, landed bool) ui.Cell {
	switch {
	case !valid:
		return ui.Painted(ui.Red, s.Glyph(ui.Cross))
	case !newest:
		return ui.Painted(ui.Faint, s.Glyph(ui.Circle))
	case landed:
		return ui.Painted(ui.Cyan, s.Glyph(ui.Solid))
	}
	return ui.Painted(ui.Green, s.Glyph(ui.Dot))
}
