package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
)

// judgeLanding is the preflight just before landing, never an old answer. What
// is asked is about the steps that are to land; those whose item was answered
// elsewhere are left out.
func (l *lander) judgeLanding(ctx context.Context) (*Preflight, error) {
	l.take(l.wanted)
	o := l.itself()
	g, err := l.scanTarget(ctx, l.target, o.base)
	if err != nil {
		return nil, err
	}
	p, facts, err := l.judge1(ctx, g, o, l.steps)
	if err != nil {
		return nil, err
	}
	l.ownGoesOn = l.mode != LandPR
	switch {
	case l.ownGoesOn:
		facts.PR = 0
	case facts.PR > 0 && l.forgeCommand() != "":
		if err := l.pullNow(ctx, o, p, &facts); err != nil {
			return nil, err
		}
	}
	if p.decided(facts).Token() != landing.Dispatch {
		return p, nil
	}
	if answer, err := l.askItems(ctx, o, p); err != nil || answer != nil {
		return answer, err
	}
	left := l.unanswered()
	if len(left) == len(l.wanted) {
		return p, nil
	}
	l.leaveAnswered(left)
	p, facts, err = l.judge1(ctx, g, o, left)
	facts.PR = 0 // asked above
	return p.decided(facts), err
}

// askItems asks about each item by itself: what became of one of them says
// nothing about the others. answer is the one that settles the landing, nil
// where some of it is still to land.
func (l *lander) askItems(ctx context.Context, o *subject, own *Preflight) (answer *Preflight, err error) {
	l.answers = map[string]*Preflight{}
	for _, item := range l.items() {
		if own.hasLanded(o.stepsFor(item)) {
			continue
		}
		a, facts := &Preflight{Run: l.run, Item: item, Evidence: Evidence{Target: l.target.branch}}, landing.Facts{}
		if facts.Rival, facts.Closed, err = l.others(ctx, o, item, a, &facts); err != nil {
			return nil, err
		}
		switch a.decided(facts).Token() {
		case landing.Dispatch:
		case landing.Unknown, landing.MarkerStale:
			a.Run = l.run
			return a, nil
		default:
			l.answers[item] = a
		}
	}
	if len(l.unanswered()) > 0 {
		return nil, nil
	}
	return l.allAnswered(), nil
}

// hasLanded: the target holds these steps.
func (p *Preflight) hasLanded(steps []string) bool {
	return !slices.ContainsFunc(steps, func(id string) bool {
		return !slices.ContainsFunc(p.Evidence.Landed, func(l LandedStep) bool { return l.Step == id })
	})
}

// answerTo is what became elsewhere of a step's item, nil for nothing.
func (l *lander) answerTo(id string) *Preflight {
	step, _ := l.plan.Step(id)
	return l.answers[step.Item]
}

func (l *lander) unanswered() []string {
	return slices.DeleteFunc(slices.Clone(l.wanted), func(id string) bool { return l.answerTo(id) != nil })
}

// allAnswered is the verdict where nothing is left: that all of it landed is
// said only where all did.
func (l *lander) allAnswered() *Preflight {
	for _, token := range []landing.Token{landing.Closed, landing.AlreadyOpen} {
		for _, id := range l.wanted {
			if a := l.answerTo(id); a.Token() == token {
				return a
			}
		}
	}
	return l.answerTo(l.wanted[0])
}

// leaveAnswered has the others land. What lies below them comes along all the
// same, and in a pull request the whole branch does; that is told.
func (l *lander) leaveAnswered(left []string) {
	if l.mode != LandPR {
		l.take(left)
	}
	for _, id := range l.wanted {
		a := l.answerTo(id)
		if a == nil {
			continue
		}
		l.skipStep(id, a)
		if slices.Contains(l.steps, id) {
			l.Notify("%s: its work lands all the same, what is certified above it rests on it", id)
		}
	}
}

// items are what the landing steps answer, each once.
func (l *lander) items() []string {
	var items []string
	for _, id := range l.steps {
		if step, _ := l.plan.Step(id); step.Item != "" && !slices.Contains(items, step.Item) {
			items = append(items, step.Item)
		}
	}
	return items
}
