package run

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/ledger"
)

// take has these steps land, and what comes along with them.
func (l *lander) take(steps []string) {
	l.steps, l.upTo = steps, l.lowest(steps)
	if l.upTo != nil {
		l.aboveUndone()
		l.aboveSettled()
		l.steps = l.landsWith()
	}
}

// lowest is the certificate up to which steps land: no more comes along than
// has to. Above it, where nothing more has changed, the newest: there a check
// that ran again need not run once more.
func (s *session) lowest(steps []string) *ledger.Record {
	o := s.itself()
	var top *ledger.Record
	for _, id := range steps {
		if r := o.ended(id); r != nil && (top == nil || r.Index > top.Index) {
			top = r
		}
	}
	for _, id := range steps {
		for _, r := range s.ledger.Of(id) {
			if r.Valid() && r.Index > top.Index && r.Commit.Tree == top.Commit.Tree {
				top = r
			}
		}
	}
	return top
}

// ended is the certificate that has all of a step: the newest valid one that
// changed something, else the first. Later ones only say that its checks ran
// again, maybe above other steps' work.
func (o *subject) ended(step string) *ledger.Record {
	if r := o.solid(step); r == nil || len(r.Span) > 0 {
		return r
	}
	all := o.ledger.Of(step)
	return all[slices.IndexFunc(all, (*ledger.Record).Valid)]
}

// landsWith are all steps that are certified at or below what lands, named or
// not: their work comes along.
func (l *lander) landsWith() []string {
	wanted := l.steps
	var ids []string
	for i := range l.plan.Steps {
		if id := l.plan.Steps[i].ID; slices.Contains(wanted, id) || l.recordOf(id) != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// recordOf is a step's newest valid certificate at or below what lands, nil for
// none.
func (l *lander) recordOf(step string) *ledger.Record {
	for _, r := range slices.Backward(l.ledger.Of(step)) {
		if r.Valid() && r.Index <= l.upTo.Index {
			return r
		}
	}
	return nil
}
