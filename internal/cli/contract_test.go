package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/testkit"
)

// The frozen fields of --json (the design, section 13) and the kind of their
// values; "?" allows null. Fields are only added: others may stand beside them.
var (
	checkFields  = fields{"command": "string", "outcome": "string", "exit": "number?", "secs": "number"}
	stepFields   = fields{"id": "string", "title": "string", "status": "string", "how": "string?", "flaky": "bool", "commit": "string", "tree": "string", "attempts": "number", "stash": "list", "checks": "list", "reason": "string"}
	reportFields = fields{"format": "number", "run": "string", "plan_version": "number", "branch": "string", "head": "string", "base": "string", "pushed": "bool", "sync": "object", "next": "string?", "steps": "list"}
	logFields    = fields{"format": "number", "run": "string", "step": "string", "commit": "string", "tree": "string", "plan_version": "number", "checks": "list", "time": "string", "transplanted": "bool"}
	briefFields  = fields{"format": "number", "run": "string", "brief": "string"}
	stashFields  = fields{"format": "number", "ref": "string", "commit": "string", "run": "string", "step": "string", "subject": "string", "time": "string", "holds_commits": "bool"}
	errorFields  = fields{"code": "string", "message": "string", "hints": "list"}
)

// fields maps a name to the kind of its value.
type fields map[string]string

func (f fields) missing(doc map[string]any) []string {
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		want, nullable := strings.CutSuffix(f[name], "?")
		value, there := doc[name]
		if got := kindOf(value); !there || got != want && !(nullable && got == "null") {
			faults = append(faults, fmt.Sprintf("%s is %s, want %s", name, got, f[name]))
		}
	}
	return faults
}

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "bool"
	case float64:
		return "number"
	case []any:
		return "list"
	}
	return "object"
}

func TestContract_reports(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	for _, command := range []string{
		"git agent start ../plan.yaml --run r-1 --json", "git agent status --json", "git agent status r-1 --json", "git agent resume --json",
		"git agent resume --dry-run --json", "git agent step s02 --json -- sh -c 'echo done2 > a/s02.txt'", "git agent rollback s03 --json",
	} {
		doc := w.object(command)
		pin(t, command, reportFields, doc)
		steps, _ := doc["steps"].([]any)
		if len(steps) != 3 {
			t.Fatalf("%s: %d steps, want 3", command, len(steps))
		}
		pinAll(t, command+": steps", stepFields, steps)
		first, _ := steps[0].(map[string]any)
		checks, _ := first["checks"].([]any)
		if len(checks) != 1 {
			t.Errorf("%s: %d checks of a certified step, want 1", command, len(checks))
		}
		pinAll(t, command+": checks", checkFields, checks)
	}
}

// The words that scripts compare with.
func TestContract_words(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	doc := w.object("git agent status --json")
	for key, want := range map[string]any{"format": 1.0, "run": "r-1", "branch": "refs/heads/agent-run/r-1", "next": "s02", "pushed": true, "plan_version": 1.0} {
		if doc[key] != want {
			t.Errorf("%s is %v, want %v", key, doc[key], want)
		}
	}
	for id, want := range map[string]string{"steps.s01.status": "certified", "steps.s01.how": "tree", "steps.s02.status": "pending", "steps.s02.how": "<nil>", "steps.s02.commit": ""} {
		if got := fmt.Sprint(testkit.Dig(any(doc), strings.Split(id, "."))); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	w.must("git agent -q step s02 -- sh -c 'echo done2 > a/s02.txt'; git agent -q step s03 -- sh -c 'echo done3 > a/s03.txt'")
	if doc = w.object("git agent resume --json"); doc["next"] != nil {
		t.Errorf("next of a finished run is %v, want null", doc["next"])
	}
}

func TestContract_linesAndErrors(t *testing.T) {
	t.Parallel()
	w := contractWorld(t)
	w.must("echo half > a/s02.txt; git agent -q rollback s02")
	pin(t, "log", logFields, w.object("git agent log --json"))
	pin(t, "brief", briefFields, w.object("git agent brief --json"))
	pin(t, "stash list", stashFields, w.object("git agent stash list --json"))
	for _, command := range []string{"git agent status nope --json", "git agent step nope --json", "git agent log --json --nope", "cd / && git agent resume r-1 --json", "git agent rollback s01 --json"} {
		_, errs, code := w.sh(command)
		doc := decode(t, command, errs)
		body, _ := doc["error"].(map[string]any)
		pin(t, command, errorFields, body)
		if code == 0 || doc["format"] != 1.0 {
			t.Errorf("%s: exit %d, format %v", command, code, doc["format"])
		}
	}
}

// contractWorld is a run of three steps, the first certified.
func contractWorld(t *testing.T) *world {
	w := newWorld(t)
	w.must("begin; one")
	return w
}

// object runs a command that has to work, say nothing on standard error, and
// print one line of JSON.
func (w *world) object(command string) map[string]any {
	w.t.Helper()
	out, errs, code := w.sh(command)
	if code != 0 || errs != "" {
		w.t.Fatalf("%s: exit %d, standard error %q", command, code, errs)
	}
	return decode(w.t, command, out)
}

func decode(t *testing.T, command, text string) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(text), &doc); err != nil || strings.Count(text, "\n") != 1 {
		t.Fatalf("%s: not one line of JSON (%v):\n%s", command, err, text)
	}
	return doc
}

func pinAll(t *testing.T, what string, f fields, list []any) {
	t.Helper()
	for _, one := range list {
		doc, _ := one.(map[string]any)
		pin(t, what, f, doc)
	}
}

func pin(t *testing.T, what string, f fields, doc map[string]any) {
	t.Helper()
	for _, fault := range f.missing(doc) {
		t.Errorf("%s: %s", what, fault)
	}
}
