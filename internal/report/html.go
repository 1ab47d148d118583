package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/git-agent/git-agent/pkg/run"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

// page is parsed when it is first used: no other command pays for it.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"short": short, "moment": moment, "seconds": seconds, "visible": visible, "stamp": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"sum": sum, "sign": sign, "pct": func(a, b int) int { return 100 * a / max(b, 1) },
		"stashname": func(ref string) string { return strings.TrimPrefix(ref, "refs/agent-stash/") },
	}).Parse(pageText))
})

// view is what the page is filled with.
type view struct {
	*run.Review
	Made     time.Time
	Style    template.CSS
	Data     template.JS
	Timeline timeline
	Done     int
	HowMany  string
	Evidence []stepView
	Foreign  []run.CommitReport
	Other    []run.PartialReport // strays and lost races
	Orphans  []run.AttemptReview // of steps that the plan has no more
}

// stepView is one step with all that is known of it.
type stepView struct {
	Plan     run.StepPlan
	Status   run.StepReport
	Attempts []run.AttemptReview
	Partial  []run.PartialReport
	Words    string
}

// Open: what somebody has to look at is not folded away.
func (s stepView) Open() bool {
	return !done(s.Status) && (len(s.Attempts) > 0 || s.Status.Status != "pending")
}

// HTML writes the page: one file, no script, nothing loaded.
func HTML(w io.Writer, r *run.Review, made time.Time) error {
	data, err := json.MarshalIndent(r, "", " ") // escapes <, > and &: no text of it ends the element
	if err != nil {
		return fmt.Errorf("write the report's data: %w", err)
	}
	v := view{Review: r, Made: made, HowMany: howMany(r.Status.Steps, "steps certified"), Style: template.CSS(pageStyle), Data: template.JS(visibleJSON(data)), Timeline: draw(r, made)} //nolint:gosec // our own file, and JSON that escapes <
	known := map[string]bool{}
	for i, p := range r.Steps {
		known[p.ID] = true
		one := stepView{Plan: p, Status: r.Status.Steps[i]}
		one.Words = words(one.Status)
		for _, a := range r.Attempts {
			if a.Step == p.ID {
				one.Attempts = append(one.Attempts, a)
			}
		}
		for _, k := range r.Partial {
			if k.Step == p.ID {
				one.Partial = append(one.Partial, k)
			}
		}
		if done(one.Status) {
			v.Done++
		}
		v.Evidence = append(v.Evidence, one)
	}
	for _, a := range r.Attempts {
		if !known[a.Step] {
			v.Orphans = append(v.Orphans, a)
		}
	}
	for _, k := range r.Partial {
		if !known[k.Step] {
			v.Other = append(v.Other, k)
		}
	}
	for _, c := range r.Commits {
		if c.Kind != "certificate" {
			v.Foreign = append(v.Foreign, c)
		}
	}
	return page().Execute(w, v)
}

// howMany steps are certified; one that is skipped is done, and not certified.
func howMany(steps []run.StepReport, noun string) string {
	certified, skipped := 0, 0
	for _, s := range steps {
		switch s.Status {
		case "certified":
			certified++
		case "skipped":
			skipped++
		}
	}
	text := fmt.Sprintf("%d of %d %s", certified, len(steps), noun)
	if skipped > 0 {
		text += fmt.Sprintf(", %d skipped", skipped)
	}
	return text
}

func done(s run.StepReport) bool { return s.Status == "certified" || s.Status == "skipped" }

// words are a step's state for people.
func words(s run.StepReport) string {
	text := s.Status
	if s.How != nil {
		text += ", by " + map[string]string{"tree": "an identical tree", "touches": "unchanged paths", "rechecked": "a new check",
			"evidence": "a check of what was there", "until": "its successor"}[*s.How]
	}
	if s.Reason != "" {
		text += ", " + s.Reason
	}
	if s.Flaky {
		text += ", flaky (" + s.FlakyRate + " failed)"
	}
	return text
}

// sign is a status as one character, so that nobody needs the colour.
func sign(status string) string {
	switch status {
	case "certified", "skipped":
		return "✓"
	case "pending":
		return "○"
	case "running":
		return "◐"
	}
	return "✗"
}

func sum(checks []run.CheckReport) float64 {
	total := 0.0
	for _, c := range checks {
		total += c.Secs
	}
	return total
}

// visibleJSON escapes what would not be seen: only strings of the text hold it.
func visibleJSON(data []byte) string {
	var b strings.Builder
	for _, r := range string(data) {
		switch {
		case r == '\n' || !unicode.In(r, hidden...):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// hidden are the characters that change how others are shown.
var hidden = []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp}

// visible shows what would not be seen or would turn the line round: the
// template escapes markup, not these.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.In(r, hidden...) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
