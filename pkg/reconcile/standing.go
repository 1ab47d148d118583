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
	by     map[string]string // by step with a valid record: what took the newest back, or ""
}

// StandingOf looks once. A step that the plan has no more, and each where the plan
// is nil, is judged by what its records changed.
func StandingOf(p *plan.Plan, l *ledger.Ledger) (*Standing, error) {
	all, forgotten := withForgotten(p, l)
	w, err := newWalk(GuardFacts{Plan: all, Ledger: l})
	if err != nil {
		return nil, err
	}
	for _, id := range forgotten {
		delete(w.touches, id) // as for a guard, which knows none of them
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

// withForgotten is the plan with a step for each that has a record and that it
// lacks, and which those are; where there is no plan, none was forgotten.
func withForgotten(p *plan.Plan, l *ledger.Ledger) (all *plan.Plan, forgotten []string) {
	all, known := &plan.Plan{}, map[string]bool{}
	if p != nil {
		all.Steps = slices.Clone(p.Steps)
	}
	for i := range all.Steps {
		known[all.Steps[i].ID] = true
	}
	for _, r := range l.Records {
		id := r.Evidence.Step
		if known[id] {
			continue
		}
		all.Steps, known[id] = append(all.Steps, plan.Step{ID: id}), true
		if p != nil {
			forgotten = append(forgotten, id)
		}
	}
	return all, forgotten
}

// TakenBackBy is the commit above a record that took its step's work back, ""
// for none. Of a record that is not the newest, an undo of ours says it alone.
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
