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
	l.answers = nil
	o := l.itself()
	g, err := l.scanTarget(ctx, l.target, o.base)
	if err != nil {
		return nil, err
	}
	if l.target.tip != "" { // what was taken out of it since must not come back
		if l.brought, err = l.mergesOf(ctx, l.ledger, []string{l.target.tip}); err != nil {
			return nil, err
		}
	}
	l.take(l.wanted)
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
	return l.askItems(ctx, o, p)
}

// askItems asks about each item by itself: what became of one of them says
// nothing about the others. own is that there is something to land.
func (l *lander) askItems(ctx context.Context, o *subject, own *Preflight) (*Preflight, error) {
	l.answers, l.marked = map[string]*Preflight{}, own.Evidence.Marker
	for _, item := range l.items() {
		if own.hasLanded(o.stepsFor(item)) {
			continue
		}
		a, err := l.askOther(ctx, o, item)
		if err != nil {
			return nil, err
		}
		switch a.Token() {
		case landing.Dispatch:
		case landing.Unknown, landing.MarkerStale:
			a.Run = l.run // which is what stops
			return a, nil
		default:
			l.answers[item] = a
		}
	}
	left := slices.DeleteFunc(slices.Clone(l.wanted), func(id string) bool { return l.answerTo(id) != nil || own.hasLanded([]string{id}) })
	if len(left) == 0 && len(l.answers) > 0 {
		return l.allAnswered(), nil
	}
	if len(l.answers) > 0 {
		l.leaveAnswered(left)
	}
	return own, nil
}

// askOther is what others made of an item.
func (l *lander) askOther(ctx context.Context, o *subject, item string) (*Preflight, error) {
	a, facts := &Preflight{Run: l.run, Item: item, Evidence: Evidence{Target: l.target.branch}}, landing.Facts{}
	var err error
	facts.Rival, facts.Closed, err = l.others(ctx, o, item, a, &facts)
	return a.decided(facts), err
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

// allAnswered is the verdict where nothing is left: that all of it landed is
// said only where all did.
func (l *lander) allAnswered() *Preflight {
	for _, token := range []landing.Token{landing.Closed, landing.AlreadyOpen, landing.AlreadyLanded} {
		for _, id := range l.wanted {
			if a := l.answerTo(id); a != nil && a.Token() == token {
				return a
			}
		}
	}
	return nil
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
