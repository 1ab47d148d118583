package reconcile

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

var (
	held     = func(how How) Guard { return Guard{Holds: true, How: how} }
	broken   = func(why string) Guard { return Guard{Why: why} }
	reverted = Guard{Void: true, Why: "reverted"}
	undone   = Guard{Void: true, Why: Undone}
	foreign  = Guard{Foreign: true, Why: CheckChanged}
)

func TestGuards_paths(t *testing.T) {
	one := step("s01", []string{"a.go"})
	tests := map[string]struct {
		step plan.Step
		make func(h *history)
		want Guard
	}{
		"nothing since": {one, func(h *history) { h.certify("s01", files{"a.go": "2"}) }, held(ByTree)},
		"elsewhere, no reads": {one, func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"b.go": "2"})
		}, held(ByTouches)},
		"elsewhere, with reads": {step("s01", []string{"a.go"}, "go.mod"), func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"b.go": "2"})
		}, held(ByTree)},
		"a touched path": {one, func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"a.go": "3"})
		}, broken("tree-changed")},
		"a touched path, there and back": {one, func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"a.go": "3"})
			h.commit("x\n", files{"a.go": "2"})
		}, held(ByTree)},
		"a touched path's mode": {one, func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"a.go": "x:2"})
		}, broken("tree-changed")},
		"a touched path deleted": {one, func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"a.go": ""})
		}, broken("tree-changed")},
		"a touched path became a folder": {one, func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"a.go": "", "a.go/x": "1"})
		}, broken("tree-changed")},
		"a touched path that only differs before the certificate": {one, func(h *history) {
			h.commit("x\n", files{"a.go": "7"})
			h.certify("s01", files{"a.go": "2"})
		}, held(ByTree)},
		"a read path": {step("s01", []string{"a.go"}, "lib/**"), func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"lib/x/y": "1"})
		}, broken("tree-changed")},
		"a path that the certificate changed as a stray": {one, func(h *history) {
			h.certify("s01", files{"a.go": "2", "stray": "1"})
			h.commit("x\n", files{"stray": "2"})
		}, broken("tree-changed")},
		"a path that the agent's own commit below changed": {one, func(h *history) {
			h.commit("the agent's\n", files{"helper": "1"})
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"helper": "2"})
		}, broken("tree-changed")},
		"a path that an earlier record changed": {one, func(h *history) {
			h.certify("s01", files{"a.go": "2", "stray": "1"})
			h.certify("s01", files{"a.go": "3"})
			h.commit("x\n", files{"stray": "2"})
		}, broken("tree-changed")},
		"another step's path below its boundary": {one, func(h *history) {
			h.certify("s00", files{"other": "1"})
			h.certify("s01", files{"a.go": "2"})
			h.commit("x\n", files{"other": "2"})
		}, held(ByTouches)},
		"touches nothing, whole tree": {step("s01", nil), func(h *history) {
			h.certify("s01", nil)
			h.commit("x\n", files{"far/away": "1"})
		}, broken("tree-changed")},
		"touches nothing, nothing moved": {step("s01", nil), func(h *history) { h.certify("s01", nil) }, held(ByTree)},
		"touches nothing, reads": {step("s01", nil, "a.go"), func(h *history) {
			h.certify("s01", nil)
			h.commit("x\n", files{"far/away": "1"})
		}, held(ByTree)},
		"touches nothing, a read path": {step("s01", nil, "a.go"), func(h *history) {
			h.certify("s01", nil)
			h.commit("x\n", files{"a.go": "9"})
		}, broken("tree-changed")},
		"a directory": {step("s01", []string{"pkg/"}), func(h *history) {
			h.certify("s01", files{"pkg/a": "2"})
			h.commit("x\n", files{"pkg/deep/b": "1"})
		}, broken("tree-changed")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, files{"a.go": "1", "b.go": "1"})
			tt.make(h)
			got, err := h.guard(steps(tt.step), "s01")
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

// ran has a certificate claim these commands.
func ran(commands ...string) func(*trailers.Evidence) {
	return func(e *trailers.Evidence) {
		e.Checks = nil
		for _, c := range commands {
			check := passed
			check.Command = c
			e.Checks = append(e.Checks, check)
		}
	}
}

func TestGuards_otherReasons(t *testing.T) {
	evidence := func(f func(*trailers.Evidence)) []func(*trailers.Evidence) { return []func(*trailers.Evidence){f} }
	today := steps(step("s01", []string{"a.go"}))
	other := func(change func(*plan.Check)) *plan.Plan {
		s := step("s01", []string{"a.go"})
		change(&s.Check[0])
		return steps(s)
	}
	then := func(p *plan.Plan) func(*GuardFacts) {
		return func(f *GuardFacts) { f.Versions = map[int]*plan.Plan{1: p, 2: today} }
	}
	tests := map[string]struct {
		evidence []func(*trailers.Evidence)
		facts    func(*GuardFacts)
		want     Guard
	}{
		"as it was": {nil, nil, held(ByTree)},
		"refuted": {nil, func(f *GuardFacts) {
			f.Refuted = map[string]bool{f.Ledger.Newest("s01").Commit.ID: true}
		}, broken("refuted")},
		"another one refuted": {nil, func(f *GuardFacts) { f.Refuted = map[string]bool{"x": true} }, held(ByTree)},
		"no tree":             {evidence(func(e *trailers.Evidence) { e.Tree = "" }), nil, broken("no-tree")},
		"transplanted":        {evidence(func(e *trailers.Evidence) { e.Tree = strings.Repeat("7", 40) }), nil, broken("not-valid")},
		"a check failed": {evidence(func(e *trailers.Evidence) {
			e.Checks = append(e.Checks, trailers.Check{Command: "x", Secs: "0.1", Outcome: trailers.Outcome{Kind: trailers.Timeout}})
		}), nil, broken("not-valid")},
		"command changed": {evidence(ran("false")), then(other(func(c *plan.Check) { c.Run = "false" })), broken("check-changed")},
		"timeout changed": {nil, then(other(func(c *plan.Check) { c.Timeout = time.Minute })), broken("check-changed")},
		"dir changed":     {nil, then(other(func(c *plan.Check) { c.Dir = "d" })), broken("check-changed")},
		"env changed":     {nil, then(other(func(c *plan.Check) { c.Env = map[string]string{"A": "1"} })), broken("check-changed")},
		"a check more then": {evidence(ran("true", "more")), then(func() *plan.Plan {
			s := step("s01", nil)
			s.Check = append(s.Check, plan.Check{Run: "more"})
			return steps(s)
		}()), broken("check-changed")},
		"another command than its version has": {evidence(ran("false")), nil, foreign},
		"fewer checks than its version has": {nil, func(f *GuardFacts) {
			s := step("s01", []string{"a.go"})
			s.Check = append(s.Check, plan.Check{Run: "more"})
			f.Plan, f.Versions = steps(s), map[int]*plan.Plan{1: steps(s)}
		}, foreign},
		"the step did not exist then": {nil, then(steps(step("s09", nil))), foreign},
		"moved within the plan":       {nil, then(steps(step("s09", nil), step("s01", []string{"a.go"}))), held(ByTree)},
		"title and touches changed":   {nil, then(steps(plan.Step{ID: "s01", Title: "old", Touches: []string{"z"}, Check: []plan.Check{{Run: "true"}}})), held(ByTree)},
		"fingerprint appeared":        {nil, func(f *GuardFacts) { f.Fingerprint = digest("1") }, broken("fingerprint-changed")},
		"fingerprint equal": {evidence(func(e *trailers.Evidence) { e.Fingerprint = digest("1") }),
			func(f *GuardFacts) { f.Fingerprint = digest("1") }, held(ByTree)},
		"fingerprint gone": {evidence(func(e *trailers.Evidence) { e.Fingerprint = digest("1") }), nil, broken("fingerprint-changed")},
		"fingerprint not asked": {evidence(func(e *trailers.Evidence) { e.Fingerprint = digest("1") }),
			func(f *GuardFacts) { f.AnyFingerprint = true }, held(ByTree)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, files{"a.go": "1"})
			h.certify("s01", files{"a.go": "2"}, tt.evidence...)
			var change []func(*GuardFacts)
			if tt.facts != nil {
				change = append(change, tt.facts)
			}
			got, err := h.guard(today, "s01", change...)
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func digest(digit string) string { return "sha256:" + strings.Repeat(digit, 64) }

func TestGuards_unknownPlanVersion(t *testing.T) {
	h := newHistory(t, files{})
	id := h.certify("s01", files{"a.go": "2"}, func(e *trailers.Evidence) { e.PlanVersion = 3 })
	_, err := h.guard(steps(step("s01", []string{"a.go"})), "s01")
	var unknown *UnknownVersionError
	if !errors.As(err, &unknown) || unknown.Step != "s01" || unknown.Version != 3 || unknown.Commit != id {
		t.Errorf("%v", err)
	}
}

func TestGuards_unknownPlanVersionOfWhatDoesNotCount(t *testing.T) {
	version := func(e *trailers.Evidence) { e.PlanVersion = 3 }
	tests := map[string]func(h *history){
		"an older record": func(h *history) {
			h.certify("s01", files{"a.go": "2"}, version)
			h.certify("s01", files{"a.go": "3"})
		},
		"an orphan": func(h *history) { h.certify("s77", files{"z": "2"}, version) },
		"a transplanted one": func(h *history) {
			h.certify("s01", files{"a.go": "2"}, version, func(e *trailers.Evidence) { e.Tree = strings.Repeat("7", 40) })
		},
	}
	for name, build := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, files{})
			build(h)
			if _, err := h.guard(steps(step("s01", []string{"a.go"})), "s01"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestGuards_void(t *testing.T) {
	tests := map[string]struct {
		make func(h *history)
		want Guard
	}{
		"a revert": {func(h *history) {
			h.certify("s01", files{"a.go": "2", "new": "1"})
			h.commit("Revert\n", files{"a.go": "1", "new": ""})
		}, reverted},
		"half a revert": {func(h *history) {
			h.certify("s01", files{"a.go": "2", "new": "1"})
			h.commit("Revert some\n", files{"a.go": "1"})
		}, broken("tree-changed")},
		"a revert in two commits": {func(h *history) {
			h.certify("s01", files{"a.go": "2", "new": "1"})
			h.commit("Revert\n", files{"a.go": "1"})
			h.commit("Revert\n", files{"new": ""})
		}, reverted},
		"reverted and applied again": {func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("Revert\n", files{"a.go": "1"})
			h.commit("Reapply\n", files{"a.go": "2"})
		}, held(ByTree)},
		"a later step put it back": {func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.certify("s02", files{"a.go": "1"})
		}, broken("tree-changed")},
		"a revert below a record that only was checked again": {func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.certify("s02", files{"b.go": "2"})
			h.commit("Revert\n", files{"a.go": "1"})
			h.certify("s02", nil)
		}, reverted},
		"the same, as a stray that was let in": {func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("the agent's\n", files{"a.go": "1"})
			h.certify("s02", nil, func(e *trailers.Evidence) { e.Strays = []string{"a.go"} })
		}, broken("tree-changed")},
		"a revert below a step's work": {func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.commit("Revert\n", files{"a.go": "1"})
			h.certify("s02", files{"b.go": "2"})
		}, broken("tree-changed")},
		"an undo of ours": {func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.undo("s01", files{"a.go": "1"})
		}, undone},
		"an undo of ours below another certificate": {func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.undo("s01", files{"a.go": "1"})
			h.certify("s02", files{"b.go": "2"})
		}, undone},
		"undone, then certified again": {func(h *history) {
			h.certify("s01", files{"a.go": "2"})
			h.undo("s01", files{"a.go": "1"})
			h.certify("s01", files{"a.go": "2"})
		}, held(ByTree)},
		"another step's undo": {func(h *history) {
			h.certify("s02", files{"b.go": "2"})
			h.certify("s01", files{"a.go": "2"})
			h.undo("s02", files{"b.go": "1"})
		}, held(ByTouches)},
		"a certificate that changed nothing": {func(h *history) {
			h.certify("s01", nil)
			h.commit("x\n", files{"c": "1"})
		}, held(ByTouches)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, files{"a.go": "1", "b.go": "1"})
			tt.make(h)
			got, err := h.guard(steps(step("s01", []string{"a.go", "new"}), step("s02", []string{"b.go"})), "s01")
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func TestGuards_onlyStepsWithARecord(t *testing.T) {
	h := newHistory(t, files{})
	h.certify("s02", files{"b": "1"})
	h.certify("s77", files{"z": "1"})
	p := steps(step("s01", []string{"a"}), step("s02", []string{"b"}))
	got, err := Guards(GuardFacts{Plan: p, Versions: map[int]*plan.Plan{1: p}, Ledger: h.ledger()})
	if _, ok := got["s02"]; err != nil || len(got) != 1 || !ok {
		t.Errorf("%v, %v", got, err)
	}
}

func TestGuards_refusesTouchesThatDoNotCompile(t *testing.T) {
	h := newHistory(t, files{})
	h.certify("s01", files{"a": "1"})
	if _, err := h.guard(steps(step("s01", []string{"../x"})), "s01"); err == nil || !strings.Contains(err.Error(), "s01") {
		t.Errorf("%v", err)
	}
}

func TestGuards_doesNotChangeTheLedger(t *testing.T) {
	h := newHistory(t, files{"a": "1"})
	h.certify("s01", files{"a": "2"})
	before := slices.Clone(h.chain)
	p := steps(step("s01", []string{"a"}))
	l := h.ledger()
	for range 2 { // the second time it answers the same
		if g, err := Guards(GuardFacts{Plan: p, Versions: map[int]*plan.Plan{1: p}, Ledger: l}); err != nil || !g["s01"].Holds {
			t.Fatalf("%v, %v", g, err)
		}
	}
	if len(before) != len(l.Chain) || before[0].ID != l.Chain[0].ID {
		t.Error("the chain was changed")
	}
}
