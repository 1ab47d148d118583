package reconcile

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
)

// Standing answers which records of a run still count, by the same look that
// makes a guard void: whoever decides and whoever only shows ask it, or one of
// them would call certified what the other does not.
type Standing struct {
	ledger *ledger.Ledger
	by     map[string]string // of the plan's steps with a valid record: what took the newest back, or ""
}

// StandingOf looks once. Where the plan is nil, each step that has a record is
// judged by what its records changed.
func StandingOf(p *plan.Plan, l *ledger.Ledger) (*Standing, error) {
	if p == nil {
		p = planOf(l)
	}
	w, err := newWalk(GuardFacts{Plan: p, Ledger: l})
	if err != nil {
		return nil, err
	}
	s := &Standing{ledger: l, by: map[string]string{}}
	for i := len(l.Chain) - 1; i >= 0; i-- {
		w.noteUndo(i)
		for _, d := range w.due[i] {
			if d.record.Valid() {
				_, s.by[d.step.ID] = w.takenBack(d)
			}
		}
		w.reverse(l.Chain[i])
	}
	return s, nil
}

// planOf has a step for each that has a record, and touches of none.
func planOf(l *ledger.Ledger) *plan.Plan {
	p, seen := &plan.Plan{}, map[string]bool{}
	for _, r := range l.Records {
		if id := r.Evidence.Step; !seen[id] {
			p.Steps, seen[id] = append(p.Steps, plan.Step{ID: id}), true
		}
	}
	return p
}

// TakenBackBy is the commit above a record that took its step's work back, ""
// for none. Of a record that is not the newest, or whose step the plan has no
// more, an undo of ours says it alone.
func (s *Standing) TakenBackBy(r *ledger.Record) string {
	by, judged := s.by[r.Evidence.Step]
	if judged && (by != "" || r == s.ledger.Newest(r.Evidence.Step)) {
		return by
	}
	return s.ledger.UndoneBy(r)
}

// Record is a step's newest record where it is valid and stands, else nil.
func (s *Standing) Record(step string) *ledger.Record {
	r := s.ledger.Newest(step)
	if r == nil || !r.Valid() || s.TakenBackBy(r) != "" {
		return nil
	}
	return r
}

// Records are those that nothing above took back, oldest first.
func (s *Standing) Records() []*ledger.Record {
	return slices.DeleteFunc(slices.Clone(s.ledger.Records), func(r *ledger.Record) bool { return s.TakenBackBy(r) != "" })
}
