package run

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// witness is the newest certificate whose check has to pass on the restored tree,
// and its step. One whose work was taken back, whose step is checked otherwise by
// now, or was to hold only until a step that is certified, says nothing about this
// machine.
func (s *session) witness() (*ledger.Record, *plan.Step) {
	for _, r := range slices.Backward(s.ledger.Records) {
		step, _ := s.plan.Step(r.Evidence.Step)
		if step != nil && r == s.standing(step.ID) && s.checkedAsNow(step, r) && (step.Until == "" || s.standing(step.Until) == nil) {
			return r, step
		}
	}
	return nil, nil
}

// checkedAsNow: the checks that a certificate says passed are today's.
func (s *session) checkedAsNow(step *plan.Step, r *ledger.Record) bool {
	p := s.plans[r.Evidence.PlanVersion]
	if p == nil {
		return false
	}
	then, _ := p.Step(step.ID)
	return then != nil && reconcile.Claims(r.Evidence.Checks, then.Check) && plan.SameChecks(then.Check, step.Check)
}
