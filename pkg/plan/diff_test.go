package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
	"pgregory.net/rapid"
)

func steps(ids ...string) *plan.Plan {
	p := &plan.Plan{Title: "x"}
	for _, id := range ids {
		p.Steps = append(p.Steps, plan.Step{ID: id, Title: "do " + id, Check: []plan.Check{{Run: "test " + id}}, Confirm: 1, Retry: 1})
	}
	return p
}

func diffText(before, after *plan.Plan) string {
	var lines []string
	for _, d := range plan.Diff(before, after) {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// TestCase024: every way to edit the list of steps has a defined answer, by id.
func TestCase024_insertedDeletedReorderedRenamedSteps(t *testing.T) {
	before := steps("s1", "s2", "s3", "s4")
	for _, test := range []struct {
		name, want string
		after      *plan.Plan
	}{
		{"nothing", "", steps("s1", "s2", "s3", "s4")},
		{"inserted", "step s25 added: do s25", steps("s1", "s2", "s25", "s3", "s4")},
		{"deleted", "step s2 removed: do s2", steps("s1", "s3", "s4")},
		{"renamed", "step s2 removed: do s2\nstep s2b added: do s2b", steps("s1", "s2b", "s3", "s4")},
		{"pulled to the front", "step s4 moved: was after s3, is first", steps("s4", "s1", "s2", "s3")},
		{"pushed to the end", "step s1 moved: was first, is after s4", steps("s2", "s3", "s4", "s1")},
		{"all at once", "step s3 removed: do s3\nstep s4 moved: was after s3, is after s1\nstep s5 added: do s5", steps("s1", "s4", "s2", "s5")},
	} {
		if got := diffText(before, test.after); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestCase023: an edited check is seen in any of its fields.
func TestCase023_changedCheckIsSeen(t *testing.T) {
	for name, change := range map[string]func(c *plan.Check){
		"run":     func(c *plan.Check) { c.Run += " -v" },
		"timeout": func(c *plan.Check) { c.Timeout-- },
		"dir":     func(c *plan.Check) { c.Dir = "" },
		"env":     func(c *plan.Check) { c.Env = map[string]string{"CI": "2"} },
		"no env":  func(c *plan.Check) { c.Env = nil },
	} {
		before, after := fullPlan(), fullPlan()
		change(&after.Steps[0].Check[1])
		if plan.SameChecks(before.Steps[0].Check, after.Steps[0].Check) || before.Steps[0].Check[1].Equal(after.Steps[0].Check[1]) {
			t.Errorf("%s: the checks are equal", name)
		}
		d := plan.Diff(before, after)
		if len(d) != 1 || d[0].Step != "s05" || d[0].Field != "check" || d[0].Kind != plan.Changed {
			t.Errorf("%s: %v", name, d)
		}
	}
	if a := []plan.Check{{Run: "x"}}; plan.SameChecks(a, append(a, a...)) || plan.SameChecks(a, nil) {
		t.Error("lists of different length are the same")
	}
	if !(plan.Check{Run: "x", Env: map[string]string{}}).Equal(plan.Check{Run: "x"}) {
		t.Error("an empty environment is not no environment")
	}
}

func TestDiff_everyFieldOfThePlan(t *testing.T) {
	want := strings.TrimSpace(`
plan: title changed: Extract auth -> x
plan: base changed: main~2 -> none
plan: target changed: release/2.x -> none
plan: setup changed: "npm ci" -> none
plan: fingerprint changed: "go version", "uname -sm" -> none
plan: stray changed: set-aside -> none
plan: pass_env changed: "CI", "_X1" -> none
step s09 removed: delete the shim
step s05: title changed: move session middleware: registration -> none
step s05: item changed: 15 -> none
step s05: touches changed: "internal/auth/register.go", "cmd/api/", "app/[id]/**" -> none
step s05: reads changed: "go.mod", "internal/auth/**" -> none
step s05: check changed: "go test ./internal/auth/... -count=1", "./scripts/lint.sh (timeout 2m0s, in tools, CI=\"1\")" -> none
step s05: do changed: ./scripts/codemod.sh -> none
step s05: brief changed: "what the one doing the step\nshould know\n" -> none
step s05: until changed: s09 -> none
step s05: confirm changed: 3 -> 0
step s05: retry changed: 0 -> 7
step s05: fixpoint changed: true -> false
step s05: keep_partial changed: true -> false
step s05: isolate changed: true -> false
step s05: land changed: true -> false`)
	after := &plan.Plan{Title: "x", Steps: []plan.Step{{ID: "s05", Retry: 7}}}
	if got := diffText(fullPlan(), after); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDiff_isEmptyOnlyForEqualOrders: the steps that did not move are in the
// same order in both plans, and there is a difference unless all are.
func TestDiff_isEmptyOnlyForEqualOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := []string{"a", "b", "c", "d", "e", "f"}
		order := func(label string) []string {
			return rapid.Permutation(ids).Draw(t, label)[:rapid.IntRange(0, len(ids)).Draw(t, label+" length")]
		}
		before, after := order("before"), order("after")
		gone := map[string]bool{}
		differences := plan.Diff(steps(before...), steps(after...))
		for _, d := range differences {
			gone[d.Step] = true
		}
		drop := func(list []string) []string {
			return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return gone[id] })
		}
		if !slices.Equal(drop(before), drop(after)) {
			t.Fatalf("%q to %q: %v leaves %q and %q", before, after, differences, drop(before), drop(after))
		}
		if slices.Equal(before, after) && len(differences) > 0 {
			t.Fatalf("differences between equal plans: %v", differences)
		}
	})
}

func TestPlan_Step(t *testing.T) {
	p := fullPlan()
	if s, i := p.Step("s09"); s != &p.Steps[1] || i != 1 {
		t.Errorf("s09: %v, %d", s, i)
	}
	if s, i := p.Step("s1"); s != nil || i != -1 {
		t.Errorf("s1: %v, %d", s, i)
	}
}
