package plan_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
)

// full is a plan that says everything a plan can say.
const full = `
title: Extract auth
base: main~2
target: release/2.x
setup: [npm ci]
fingerprint: [go version, "uname -sm"]
stray: set-aside
pass_env: [CI, _X1]
steps:
  - id: s05
    title: "move session middleware: registration"
    item: "15"
    touches: [internal/auth/register.go, "cmd/api/", "app/[id]/**"]
    reads: [go.mod, "internal/auth/**"]
    check:
      - go test ./internal/auth/... -count=1
      - {run: ./scripts/lint.sh, timeout: 2m, dir: tools, env: {CI: "1"}}
    do: ./scripts/codemod.sh
    brief: |
      what the one doing the step
      should know
    until: s09
    confirm: 3
    retry: 0
    fixpoint: true
    keep_partial: true
    isolate: true
    land: true
  - id: s09
    title: delete the shim
    touches: []
    check: make test
`

func fullPlan() *plan.Plan {
	return &plan.Plan{
		Title: "Extract auth", Base: "main~2", Target: "release/2.x",
		Setup:       []string{"npm ci"},
		Fingerprint: []string{"go version", "uname -sm"},
		Stray:       plan.StraySetAside,
		PassEnv:     []string{"CI", "_X1"},
		Steps: []plan.Step{
			{
				ID: "s05", Title: "move session middleware: registration", Item: "15",
				Touches: []string{"internal/auth/register.go", "cmd/api/", "app/[id]/**"},
				Reads:   []string{"go.mod", "internal/auth/**"},
				Check: []plan.Check{
					{Run: "go test ./internal/auth/... -count=1"},
					{Run: "./scripts/lint.sh", Timeout: 2 * time.Minute, Dir: "tools", Env: map[string]string{"CI": "1"}},
				},
				Do: "./scripts/codemod.sh", Brief: "what the one doing the step\nshould know\n", Until: "s09",
				Confirm: 3, Retry: 0, Fixpoint: true, KeepPartial: true, Isolate: true, Land: true,
			},
			{ID: "s09", Title: "delete the shim", Check: []plan.Check{{Run: "make test"}}, Confirm: 1, Retry: 1},
		},
	}
}

func TestParse_everyField(t *testing.T) {
	for name, text := range map[string]string{
		"as written":      full,
		"CRLF":            strings.ReplaceAll(full, "\n", "\r\n"),
		"byte order mark": "\ufeff" + full,
		"document marks":  "---" + full + "...\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := plan.Parse("plan.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, fullPlan()) {
				t.Errorf("got  %+v\nwant %+v", got, fullPlan())
			}
		})
	}
}

func TestParse_json(t *testing.T) {
	const text = `{"title":"x","steps":[
		{"id":"a","title":"one","touches":["a/b"],"check":["true",{"run":"false\n","timeout":"1h30m"}]}]}`
	got, err := plan.Parse("plan.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []plan.Check{{Run: "true"}, {Run: "false\n", Timeout: 90 * time.Minute}}
	if !reflect.DeepEqual(got.Steps[0].Check, want) {
		t.Errorf("got %+v, want %+v", got.Steps[0].Check, want)
	}
}

func TestParse_aliases(t *testing.T) {
	const text = `
title: x
steps:
  - {id: a, title: one, touches: &paths [x, y], check: &test [go test ./...]}
  - {id: b, title: two, touches: *paths, check: *test}
`
	got, err := plan.Parse("plan.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Steps[1].Touches, []string{"x", "y"}) || !plan.SameChecks(got.Steps[0].Check, got.Steps[1].Check) {
		t.Errorf("the aliases were not followed: %+v", got.Steps[1])
	}
}

func TestParse_allFaultsAtOnceSortedByPosition(t *testing.T) {
	const text = `titel: x
stray: set_aside
steps:
  - id: 05
    title: "a\nb"
    touches: [/etc]
    check: []
    until: s9
  - id: s06
    title: ok
    title: again
    check: go test
`
	_, err := plan.Parse("p.yaml", []byte(text))
	want := strings.TrimSpace(`
p.yaml:1:1: the plan has an unknown key "titel"; did you mean "title"?
p.yaml:2:8: stray must be refuse, set-aside or include, not "set_aside"
p.yaml:4:9: id must be text, not a number; write it in quotes: "05"
p.yaml:5:12: title must stand on one line; what is longer belongs into brief
p.yaml:6:15: touches entry 1: "/etc" is absolute; write it relative to the top of the repository
p.yaml:7:12: check is an empty list; list at least one command that decides whether the step worked
p.yaml:8:12: until names no step of this plan: "s9"; did you mean "s06"?
p.yaml:9:5: step "s06" has no touches; list the paths that the step may change, [] declares that it changes nothing
p.yaml:11:5: duplicate key "title", first on line 10`)
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	problems := plan.Problems(fmt.Errorf("wrapped: %w", err))
	if len(problems) != 9 || *problems[2] != (plan.Problem{File: "p.yaml", Line: 4, Column: 9, Message: `id must be text, not a number; write it in quotes: "05"`}) {
		t.Errorf("Problems: %v", problems)
	}
	if plan.Problems(errors.New("another")) != nil {
		t.Error("problems in an error that holds none")
	}
}

// TestCase168 and TestCase056: a step that proves nothing, or that does not
// say what it may change, is not a step.
func TestCase168_emptyCheckIsRefused(t *testing.T) {
	for _, check := range []string{`[]`, `""`, `" "`, `["\t"]`, `[{run: " "}]`, `[{timeout: 1s}]`, `~`} {
		if faults := faultsOf(t, stepWith("check", check)); len(faults) != 1 {
			t.Errorf("check: %s: %q", check, faults)
		}
	}
}

func TestCase056_touchesAreDeclared(t *testing.T) {
	for _, touches := range []string{``, `~`, `[""]`, `["."]`, `["./"]`} {
		if faults := faultsOf(t, stepWith("touches", touches)); len(faults) != 1 {
			t.Errorf("touches: %s: %q", touches, faults)
		}
	}
	p, err := plan.Parse("p", []byte(stepWith("touches", "[]")))
	if err != nil {
		t.Fatal(err)
	}
	paths, err := plan.CompilePaths(p.Steps[0].Touches)
	if err != nil || !paths.Empty() || paths.Match("a") || paths.Match("") {
		t.Errorf("declared empty touches match something: %v %v", paths, err)
	}
}

// stepWith is a plan of one step with one key written as given.
func stepWith(key, value string) string {
	lines := map[string]string{"id": "a", "title": "t", "touches": "[x]", "check": "[true && x]"}
	lines[key] = value
	text := "title: x\nsteps:\n  - id: " + lines["id"] + "\n"
	delete(lines, "id")
	for _, k := range []string{"title", "touches", "check", key} {
		if v, ok := lines[k]; ok {
			text += "    " + k + ": " + v + "\n"
			delete(lines, k)
		}
	}
	return text
}

// faultsOf are the messages of the faults of a plan, each with its position.
func faultsOf(t *testing.T, text string) []string {
	t.Helper()
	p, err := plan.Parse("p", []byte(text))
	if (p == nil) == (err == nil) {
		t.Fatalf("plan %v and error %v", p, err)
	}
	if err == nil {
		return nil
	}
	lines := strings.Split(err.Error(), "\n")
	if len(plan.Problems(err)) != len(lines) {
		t.Errorf("not one line for each problem: %q", err)
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "p:")
	}
	return lines
}
