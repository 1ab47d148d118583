package report

import (
	"slices"
	"time"
)

// span is a piece of time in which something is known to have happened.
type span struct{ from, to time.Time }

const (
	idleShare = 0.25             // of what is busy: a longer gap is cut
	idleLeast = 30 * time.Second // shorter gaps are always to scale
	breakPart = 0.03             // of the width, for each cut
)

// scale maps time to a share of the width, 0 to 1. It is linear, the same
// everywhere, but for idle gaps that are cut: those are marked.
type scale struct {
	pieces []piece
	// PerSecond is the share that one second takes outside of cuts.
	perSecond float64
}

// piece is a stretch of the scale; cut ones are not to scale.
type piece struct {
	span
	x0, x1 float64
	cut    bool
}

// newScale lays out the spans that are known; what lies between them is idle.
func newScale(known []span) scale {
	busy := merged(known)
	if len(busy) == 0 {
		return scale{}
	}
	total := time.Duration(0)
	for _, s := range busy {
		total += s.to.Sub(s.from)
	}
	total = max(total, time.Second)
	var pieces []piece
	shown, cuts := time.Duration(0), 0
	for i, s := range busy {
		if i > 0 {
			gap := span{busy[i-1].to, s.from}
			long := max(idleLeast, time.Duration(float64(total)*idleShare))
			cut := gap.to.Sub(gap.from) > long
			pieces = append(pieces, piece{span: gap, cut: cut})
			if cut {
				cuts++
			} else {
				shown += gap.to.Sub(gap.from)
			}
		}
		pieces = append(pieces, piece{span: s})
		shown += s.to.Sub(s.from)
	}
	return lay(pieces, max(shown, time.Second), cuts)
}

func lay(pieces []piece, shown time.Duration, cuts int) scale {
	part := breakPart
	if cuts > 0 {
		part = min(part, 0.5/float64(cuts))
	}
	s := scale{perSecond: (1 - part*float64(cuts)) / shown.Seconds()}
	x := 0.0
	for _, p := range pieces {
		p.x0 = x
		if p.cut {
			x += part
		} else {
			x += p.to.Sub(p.from).Seconds() * s.perSecond
		}
		p.x1 = x
		s.pieces = append(s.pieces, p)
	}
	return s
}

// at is where a moment lies; what is before or behind lies at the edge.
func (s scale) at(t time.Time) float64 {
	for _, p := range s.pieces {
		if t.Before(p.from) {
			return p.x0
		}
		if !t.After(p.to) {
			if length := p.to.Sub(p.from); length > 0 {
				return p.x0 + (p.x1-p.x0)*float64(t.Sub(p.from))/float64(length)
			}
			return p.x0
		}
	}
	if n := len(s.pieces); n > 0 {
		return s.pieces[n-1].x1
	}
	return 0
}

// merged joins spans that overlap or touch, oldest first.
func merged(spans []span) []span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b span) int { return a.from.Compare(b.from) })
	var out []span
	for _, s := range sorted {
		if n := len(out); n > 0 && !s.from.After(out[n-1].to) {
			if s.to.After(out[n-1].to) {
				out[n-1].to = s.to
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// steps are the distances that ticks may have.
var tickSteps = []time.Duration{
	time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
	3 * time.Hour, 12 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour,
}

// tick is a mark on the axis.
type tick struct {
	at   time.Time
	x    float64
	fine bool // less than a minute apart: seconds are shown
}

// ticks are round moments at least `apart` of the width from each other, and
// none inside of cuts.
func (s scale) ticks(apart float64) []tick {
	if len(s.pieces) == 0 {
		return nil
	}
	step := tickSteps[len(tickSteps)-1]
	for _, d := range tickSteps {
		if d.Seconds()*s.perSecond >= apart {
			step = d
			break
		}
	}
	fine := step < time.Minute
	ticks := []tick{{s.pieces[0].from, 0, fine}}
	for i, p := range s.pieces {
		if p.cut {
			continue
		}
		if i > 0 && s.pieces[i-1].cut {
			ticks = add(ticks, tick{p.from, p.x0, fine}, apart)
		}
		for t := p.from.Truncate(step).Add(step); t.Before(p.to); t = t.Add(step) {
			ticks = add(ticks, tick{t, s.at(t), fine}, apart)
		}
	}
	return ticks
}

func add(ticks []tick, t tick, apart float64) []tick {
	if t.x-ticks[len(ticks)-1].x < apart || t.x > 1-apart/2 {
		return ticks
	}
	return append(ticks, t)
}
