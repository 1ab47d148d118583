package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/run"
)

var start = time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return start.Add(d) }

// TestScale: linear everywhere, gaps that are long are cut and marked, and time
// never runs backwards.
func TestScale(t *testing.T) {
	s := newScale([]span{{after(0), after(60 * time.Second)}, {after(30 * time.Second), after(90 * time.Second)},
		{after(100 * time.Second), after(160 * time.Second)}, {after(24 * time.Hour), after(24*time.Hour + 50*time.Second)}})
	cuts := 0
	for _, p := range s.pieces {
		if p.cut {
			cuts++
		}
	}
	if cuts != 1 {
		t.Errorf("%d cuts, want the day's alone", cuts)
	}
	first := s.at(after(20*time.Second)) - s.at(after(10*time.Second))
	last := s.at(after(24*time.Hour+20*time.Second)) - s.at(after(24*time.Hour+10*time.Second))
	if diff := first - last; diff > 1e-9 || diff < -1e-9 {
		t.Errorf("ten seconds are %v here and %v there", first, last)
	}
	if s.at(after(-time.Hour)) != 0 || s.at(after(48*time.Hour)) < 0.999 {
		t.Errorf("the edges: %v, %v", s.at(after(-time.Hour)), s.at(after(48*time.Hour)))
	}
	before := -1.0
	for d := time.Duration(0); d < 25*time.Hour; d += 7 * time.Second {
		x := s.at(after(d))
		if x < before {
			t.Fatalf("%v lies left of what came before", d)
		}
		before = x
	}
	ticks := s.ticks(0.1)
	for i := range ticks {
		if i > 0 && ticks[i].x-ticks[i-1].x < 0.1 {
			t.Errorf("ticks %d and %d are too near", i-1, i)
		}
	}
}

func TestScale_nothingAndMoments(t *testing.T) {
	if s := newScale(nil); s.at(start) != 0 || s.ticks(0.1) != nil {
		t.Error("an empty scale has places")
	}
	s := newScale([]span{{start, start}})
	if x := s.at(start); x != 0 {
		t.Errorf("a single moment lies at %v", x)
	}
}

func how(s string) *string { return &s }

func review() *run.Review {
	bad := "<img src=x onerror=alert(1)>\u202e`|x` @all fixes #1\n# not a title"
	return &run.Review{Format: 1,
		Status: &run.Report{Run: "r-1", Title: bad, PlanVersion: 1, Branch: "refs/heads/agent-run/r-1", Head: strings.Repeat("a", 40), Base: strings.Repeat("b", 40),
			Steps:    []run.StepReport{{ID: "s01", Title: bad, Status: "certified", How: how("tree"), Commit: strings.Repeat("c", 40), Checks: []run.CheckReport{{Command: "a | b `c`", Outcome: "exit=0", Secs: 3}}}, {ID: "s02", Title: "two", Status: "running"}},
			Warnings: []string{bad}},
		Steps: []run.StepPlan{{ID: "s01", Title: bad, Touches: []string{bad}, Checks: []string{"a"}}, {ID: "s02", Title: "two", Checks: []string{"b"}}},
		Attempts: []run.AttemptReview{
			{Step: "s01", Attempt: 1, Outcome: "certified", Commit: strings.Repeat("c", 40), Ended: after(time.Minute), Checks: []run.CheckReport{{Command: bad, Outcome: "exit=0", Secs: 3}}, Notes: []string{bad}, Valid: true, Newest: true},
			{Step: "s02", Attempt: 1, Outcome: "running", Began: after(2 * time.Minute)}},
		Plans:   []run.PlanVersion{{Version: 1, Time: start}},
		Partial: []run.PartialReport{{Ref: "refs/agent-stash/r-1/strays/1", Step: "strays", Subject: bad, Time: start}},
		Squash:  "Agent-Run: r-1",
	}
}

// TestHTML_escapes: foreign text is text, whatever it looks like.
func TestHTML_escapes(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, review(), after(3*time.Minute)); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if strings.Contains(page, "<img") || strings.Contains(page, "\u202e") {
		t.Error("foreign markup or a hidden character is in the page")
	}
	for _, want := range []string{"&lt;img src=x onerror=alert(1)&gt;\\u202e", `class="running"`, "1 of 2 steps certified", `class="s-running"`, "refs/agent-stash/r-1/strays/1"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
}

func TestMarkdown_escapes(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, review()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, bad := range []string{"<img", "\u202e", "\n# not", "@all", "#1"} {
		if strings.Contains(text, bad) {
			t.Errorf("the text holds %q:\n%s", bad, text)
		}
	}
	for _, want := range []string{"`` a \\| b `c` ``", "| ✓ | **s01** |", "| ◐ | **s02** | two *running* |", "\n\nAgent-Run: r-1\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not hold %q:\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 7 {
			t.Errorf("a row has other cells than the table: %s", line)
		}
	}
}

func TestLength(t *testing.T) {
	for d, want := range map[time.Duration]string{1500 * time.Millisecond: "1.5 s", 769 * time.Second: "12 min 49 s", 90 * time.Minute: "1 h 30 min", 72 * time.Hour: "3 days"} {
		if got := length(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// A step that is skipped is done, and nobody certified it.
func TestHowMany_skipped(t *testing.T) {
	steps := []run.StepReport{{Status: "certified"}, {Status: "skipped"}, {Status: "pending"}}
	if got := howMany(steps, "steps certified"); got != "1 of 3 steps certified, 1 skipped" {
		t.Error(got)
	}
}
