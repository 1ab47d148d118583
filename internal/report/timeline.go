package report

import (
	"fmt"
	"time"

	"github.com/git-agent/git-agent/pkg/run"
)

// Sizes of the picture, in its own units.
const (
	labelWidth = 210
	plotWidth  = 770
	rightEdge  = labelWidth + plotWidth
	fullWidth  = rightEdge + 30
	rowHeight  = 34
	topMargin  = 26
	barHeight  = 14
	leastBar   = 3 // a bar that is there is seen
	markWidth  = 14
	tickApart  = 0.11
)

// timeline is the picture, ready to be drawn.
type timeline struct {
	Width, Height, Bottom int
	Rows                  []row
	Ticks                 []mark
	Breaks                []mark
	Lines                 []mark // a landing, a new version of the plan
}

type row struct {
	Y, Middle  int
	Odd        bool
	ID, Title  string
	Bars       []bar
	Marks      []mark
	Full       string // the whole title
	HasNothing bool
}

// bar is a stretch of time in a row; Kind is its class.
type bar struct {
	X, W float64
	Kind string // job, pass, fail, unknown, running
	Says string
}

// mark is a moment: a sign in a row, a line through all.
type mark struct {
	X, X2 float64
	Kind  string
	Text  string
	Says  string
	Y     int
}

func px(share float64) float64 { return labelWidth + share*plotWidth }

// draw lays out a review; made is when it was made, where running bars end.
func draw(r *run.Review, made time.Time) timeline {
	s := newScale(knownSpans(r, made))
	t := timeline{Width: fullWidth, Bottom: topMargin + rowHeight*len(r.Steps)}
	t.Height = t.Bottom + 22
	for i, step := range r.Steps {
		one := row{Y: topMargin + i*rowHeight, ID: step.ID, Title: clip(step.Title, 22), Full: step.Title, Odd: i%2 == 1}
		one.Middle = one.Y + rowHeight/2
		one.fill(s, r, made)
		t.Rows = append(t.Rows, one)
	}
	day := ""
	for _, k := range s.ticks(tickApart) {
		form := "15:04"
		if k.fine {
			form = "15:04:05"
		}
		text := k.at.UTC().Format(form)
		if now := k.at.UTC().Format("Jan 2 "); now != day {
			text, day = now+text, now
		}
		t.Ticks = append(t.Ticks, mark{X: px(k.x), Text: text})
	}
	for _, p := range s.pieces {
		if p.cut {
			t.Breaks = append(t.Breaks, mark{X: px(p.x0), X2: px(p.x1), Says: length(p.to.Sub(p.from)) + " without a record, not to scale"})
		}
	}
	for _, l := range r.Landings {
		t.Lines = append(t.Lines, mark{X: px(s.at(l.Time)), Kind: "landing", Says: l.Text + ", " + moment(l.Time)})
	}
	for _, v := range r.Plans[min(1, len(r.Plans)):] {
		t.Lines = append(t.Lines, mark{X: px(s.at(v.Time)), Kind: "amended", Says: fmt.Sprintf("plan version %d, %s", v.Version, moment(v.Time))})
	}
	return t
}

// checksBegan is when an attempt's checks began: they end with it.
func checksBegan(a run.AttemptReview) time.Time {
	total := 0.0
	for _, c := range a.Checks {
		total += c.Secs
	}
	return a.Ended.Add(-time.Duration(total * float64(time.Second)))
}

// knownSpans are the times in which something is known to have gone on.
func knownSpans(r *run.Review, made time.Time) []span {
	var known []span
	for _, v := range r.Plans {
		known = append(known, span{v.Time, v.Time})
	}
	for _, a := range r.Attempts {
		from, to := a.Began, a.Ended
		if to.IsZero() {
			to = made
		}
		if from.IsZero() || from.After(to) {
			from = checksBegan(a)
		}
		known = append(known, span{from, to})
	}
	for _, l := range r.Landings {
		known = append(known, span{l.Time, l.Time})
	}
	for _, p := range r.Partial {
		known = append(known, span{p.Time, p.Time})
	}
	return known
}
