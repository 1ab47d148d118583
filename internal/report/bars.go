package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/run"
)

// fill puts a step's attempts and its partial work into its row.
func (w *row) fill(s scale, r *run.Review, made time.Time) {
	before := time.Time{}
	if len(r.Plans) > 0 {
		before = r.Plans[0].Time
	}
	w.HasNothing = true
	for _, a := range r.Attempts {
		if a.Step == w.ID {
			w.attempt(s, a, before, made)
			w.HasNothing = false
		}
		if !a.Ended.IsZero() && a.Ended.After(before) {
			before = a.Ended
		}
	}
	for _, p := range r.Partial {
		if p.Step == w.ID {
			w.mark(mark{X: px(s.at(p.Time)), Kind: "partial", Text: "≡", Says: p.Subject + ", kept at " + p.Ref})
		}
	}
}

func (w *row) attempt(s scale, a run.AttemptReview, before, made time.Time) {
	who := "attempt"
	if a.Attempt > 0 {
		who = fmt.Sprintf("attempt %d", a.Attempt)
	}
	if a.Ended.IsZero() {
		w.bar(s, a.Began, made, "running", who+" runs since "+moment(a.Began))
		return
	}
	checks := checksBegan(a)
	switch {
	case !a.Began.IsZero() && a.Began.Before(checks):
		w.bar(s, a.Began, checks, "job", who+": "+length(checks.Sub(a.Began))+" until its checks")
	case a.Began.IsZero() && before.Before(checks) && a.Outcome != "refuted":
		w.bar(s, before, checks, "unknown", who+": its beginning is not in this clone; at most "+length(checks.Sub(before)))
	}
	at := checks
	for _, c := range a.Checks {
		end := at.Add(time.Duration(c.Secs * float64(time.Second)))
		kind := "pass"
		if c.Outcome != "exit=0" {
			kind = "fail"
		}
		w.bar(s, at, end, kind, fmt.Sprintf("%s: %s, %s, %s", who, c.Command, c.Outcome, seconds(c.Secs)))
		at = end
	}
	sign, kind := "◆", "certified"
	if a.Outcome != "certified" || !a.Valid {
		sign, kind = "✗", "failed"
	}
	w.mark(mark{X: px(s.at(a.Ended)), Kind: kind, Text: sign, Says: fmt.Sprintf("%s %s, %s, %s", who, a.Outcome, moment(a.Ended), short(a.Commit))})
}

// mark puts a sign beside the one that is there already.
func (w *row) mark(m mark) {
	for _, other := range w.Marks {
		if m.X > other.X-markWidth && m.X < other.X+markWidth {
			m.X = other.X + markWidth
		}
	}
	m.Y = w.Middle
	w.Marks = append(w.Marks, m)
}

func (w *row) bar(s scale, from, to time.Time, kind, says string) {
	x0, x1 := px(s.at(from)), px(s.at(to))
	if x1-x0 < leastBar {
		x0 = max(labelWidth, x1-leastBar)
	}
	w.Bars = append(w.Bars, bar{X: x0, W: max(x1-x0, leastBar), Kind: kind, Says: says})
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func short(id string) string { return id[:min(len(id), 10)] }

func seconds(s float64) string { return fmt.Sprintf("%.1f s", s) }

// length is a duration in the two units that a reader needs.
func length(d time.Duration) string {
	switch {
	case d < time.Minute:
		return seconds(d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

func clip(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// BarY is where a row's bars begin.
func (w row) BarY() int { return w.Middle - barHeight/2 }

// Foot is where the line below the rows is written.
func (t timeline) Foot() int { return t.Bottom + 15 }

// PlotHeight is that of what lies behind all rows.
func (t timeline) PlotHeight() int { return t.Bottom - 20 }

// Wide is how much a cut takes.
func (m mark) Wide() string { return fmt.Sprintf("%.1f", m.X2-m.X) }

// Zig is the path of a cut's mark.
func (m mark) Zig(bottom int) string {
	var b strings.Builder
	middle := (m.X + m.X2) / 2
	fmt.Fprintf(&b, "M%.1f 20", middle)
	side := 4.0
	for y := 26; y <= bottom; y += 6 {
		fmt.Fprintf(&b, "L%.1f %d", middle+side, y)
		side = -side
	}
	return b.String()
}
