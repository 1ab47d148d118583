package reconcile

import (
	"slices"
	"testing"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
)

func TestStanding_TakenBackBy(t *testing.T) {
	p := steps(step("s01", []string{"a.go", "new"}), step("s02", []string{"b.go"}))
	tests := map[string]func(h *history) (by string){
		"a revert": func(h *history) string {
			h.certify("s01", files{"a.go": "2"})
			return h.commit("Revert\n", files{"a.go": "1"})
		},
		"a revert in two commits, and one beside": func(h *history) string {
			h.certify("s01", files{"a.go": "2", "new": "1"})
			h.commit("Revert\n", files{"a.go": "1"})
			by := h.commit("Revert\n", files{"new": ""})
			h.commit("x\n", files{"c": "1"})
			return by
		},
		"a revert of the newest record alone": func(h *history) string {
			h.certify("s01", files{"a.go": "2"})
			h.certify("s01", files{"a.go": "3"})
			return h.commit("Revert\n", files{"a.go": "2"})
		},
		"an undo of ours": func(h *history) string {
			h.certify("s01", files{"a.go": "2"})
			return h.undo("s01", files{"a.go": "1"})
		},
		"an undo of ours of what came above the record": func(h *history) string {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"a.go": "3"})
			h.undo("s01", files{"a.go": "2"})
			return ""
		},
		"applied again": func(h *history) string {
			h.certify("s01", files{"a.go": "2"})
			h.commit("Revert\n", files{"a.go": "1"})
			h.commit("Reapply\n", files{"a.go": "2"})
			return ""
		},
	}
	for name, build := range tests {
		for _, of := range []*plan.Plan{p, nil} { // a message's range has no plan
			h := newHistory(t, files{"a.go": "1", "b.go": "1"})
			h.certify("s02", files{"b.go": "2"})
			by := build(h)
			s, err := StandingOf(of, h.ledger())
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range s.ledger.Of("s01") {
				if got := s.TakenBackBy(r); got != by {
					t.Errorf("%s, plan %v: record %s was taken back by %q, want %q", name, of != nil, r.Commit.ID, got, by)
				}
			}
			stands := slices.ContainsFunc(s.Records(), func(r *ledger.Record) bool { return r.Evidence.Step == "s01" })
			if (s.Record("s01") != nil) != (by == "") || stands != (by == "") || s.Record("s02") == nil {
				t.Errorf("%s, plan %v: s01 %v, s02 %v, all %v", name, of != nil, s.Record("s01"), s.Record("s02"), s.Records())
			}
		}
	}
}

func TestStanding_ofAStepThatThePlanForgot(t *testing.T) {
	h := newHistory(t, files{"a": "1"})
	h.certify("s77", files{"a": "2"})
	undo := h.undo("s77", files{"a": "1"})
	s, err := StandingOf(steps(step("s01", []string{"a"})), h.ledger())
	if err != nil || s.TakenBackBy(s.ledger.Newest("s77")) != undo || len(s.Records()) != 0 {
		t.Errorf("%v, %v", s.Records(), err)
	}
	h = newHistory(t, files{"a": "1"})
	h.certify("s77", files{"a": "2"})
	revert := h.commit("Revert\n", files{"a": "1"})
	s, err = StandingOf(steps(step("s01", []string{"a"})), h.ledger())
	if err != nil || s.TakenBackBy(s.ledger.Newest("s77")) != revert || s.Record("s77") != nil {
		t.Errorf("%v, %v", s.Records(), err)
	}
}
