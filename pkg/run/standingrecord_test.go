package run

import (
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
)

// TestSubject_records: they are looked at once, and anew by another plan or history.
func TestSubject_records(t *testing.T) {
	o := certified(2)
	o.plan = &plan.Plan{}
	found := o.records()
	if o.records() != found {
		t.Error("the same plan and history are looked at twice")
	}
	then := *o // an older plan of the same run
	then.plan = &plan.Plan{Steps: []plan.Step{{ID: "s0000", Touches: []string{"f0000"}}}}
	if then.records() == found {
		t.Error("what was found by one plan is taken for another")
	}
	then = *o
	then.ledger = certified(1).ledger
	if then.records() == found {
		t.Error("what was found in one history is taken for another")
	}
	if o.records() != found {
		t.Error("a copy changed what was found")
	}
}
