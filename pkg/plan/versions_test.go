package plan_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const tree = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

func at(n int) time.Time { return time.Unix(1700000000, 0).Add(time.Duration(n) * time.Minute).UTC() }

// line makes a chain of commits, one minute apart, out of their messages.
func line(messages ...string) []object.Commit {
	var out []object.Commit
	for i, message := range messages {
		c := object.Commit{ID: fmt.Sprintf("%040x", i+1), Time: at(i), Message: message}
		if i > 0 {
			c.Parents = []string{out[i-1].ID}
		}
		out = append(out, c)
	}
	return out
}

func version(t *testing.T, run string, n int) string {
	t.Helper()
	text, err := plan.VersionMessage(run, n, base, "Extract auth")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func failure(t *testing.T, run string, change func(e *trailers.Evidence)) string {
	t.Helper()
	e := trailers.Evidence{
		Run: run, Step: "s05", PlanVersion: 1, Tree: tree, Attempt: 2,
		Checks: []trailers.Check{{Command: "make test", Outcome: trailers.Outcome{Kind: trailers.Exit, Code: 2}, Secs: "0.5"}},
	}
	if change != nil {
		change(&e)
	}
	text, err := plan.FailureMessage(e)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestReadChain_wholeLife(t *testing.T) {
	refutes := strings.Repeat("ab", 20)
	commits := line(
		version(t, "r-1", 1),
		failure(t, "r-1", nil),
		version(t, "r-1", 2),
		failure(t, "r-1", func(e *trailers.Evidence) { e.Attempt, e.Refutes, e.PlanVersion = 0, refutes, 2 }),
		"landed\n\nAgent-Run: r-1\nAgent-Step: s09\nAgent-Landed: landed "+base+" on main, run r-1\n",
	)
	got, err := plan.ReadChain(commits)
	if err != nil {
		t.Fatal(err)
	}
	checks := []trailers.Check{{Command: "make test", Outcome: trailers.Outcome{Kind: trailers.Exit, Code: 2}, Secs: "0.5"}}
	want := plan.Chain{
		Run: "r-1", Base: base,
		Versions: []plan.Version{{Number: 1, Commit: commits[0].ID, Time: at(0)}, {Number: 2, Commit: commits[2].ID, Time: at(2)}},
		Failures: []plan.Failure{
			{Commit: commits[1].ID, Step: "s05", Attempt: 2, PlanVersion: 1, Tree: tree, Checks: checks, Time: at(1)},
			{Commit: commits[3].ID, Step: "s05", PlanVersion: 2, Tree: tree, Checks: checks, Refutes: refutes, Time: at(3)},
		},
		Markers: []plan.Marker{{Commit: commits[4].ID, Step: "s09", Landed: "landed " + base + " on main, run r-1", Time: at(4), PlanVersion: 2}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got.Latest().Number != 2 {
		t.Errorf("latest %+v", got.Latest())
	}
}

// TestCase004: another run's commits on the same ref are no part of this run.
func TestCase004_commitsOfAnotherRunAreIgnored(t *testing.T) {
	got, err := plan.ReadChain(line(
		version(t, "r-a", 1),
		failure(t, "r-b", nil),
		version(t, "r-b", 2),
		"m\n\nAgent-Run: r-b\nAgent-Opened: opened PR #1, run r-b\n",
	))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Versions) != 1 || len(got.Failures) != 0 || len(got.Markers) != 0 || len(got.Faults) != 3 {
		t.Errorf("%+v", got)
	}
}

func TestReadChain_faults(t *testing.T) {
	v1 := version(t, "r", 1)
	for _, test := range []struct {
		name, message, want string
		versions, failures  int
	}{
		{"a gap", version(t, "r", 3), "is plan version 3 where version 2 is next", 1, 0},
		{"replayed", v1, "is plan version 1 where version 2 is next", 1, 0},
		{"base moved", "x\n\nAgent-Run: r\nAgent-Plan-Version: 2\nAgent-Base: " + tree + "\n", "moves the base from 4b825dc642, which version 1 pinned", 1, 0},
		{"base repeated", "x\n\nAgent-Run: r\nAgent-Plan-Version: 2\nAgent-Base: " + base + "\n", "", 2, 0},
		{"no run", "x\n\nAgent-Plan-Version: 2\n", "is a plan version without Agent-Run", 1, 0},
		{"a person's commit", "fix the plan\n", "is neither a plan version nor a failure record nor a marker (none)", 1, 0},
		{"a certificate", "x\n\nAgent-Run: r\nAgent-Step: s05\nAgent-Check: a exit=0 secs=1\nAgent-Plan-Version: 1\n", "is neither a plan version", 1, 0},
		{"damaged", "x\n\nAgent-Run: r\nAgent-Step: s05\nAgent-Check: a exit=9\nAgent-Plan-Version: 1\n", "damaged: ", 1, 0},
		{"unknown version", failure(t, "r", func(e *trailers.Evidence) { e.PlanVersion = 2 }), "records a failure under plan version 2, which is not below it", 1, 1},
		{"no attempt", "x\n\nAgent-Run: r\nAgent-Step: s05\nAgent-Check: a exit=1 secs=1\nAgent-Plan-Version: 1\nAgent-Tree: " + tree + "\n", "records a failure without Agent-Attempt", 1, 1},
		{"no tree", "x\n\nAgent-Run: r\nAgent-Step: s05\nAgent-Check: a exit=1 secs=1\nAgent-Plan-Version: 1\nAgent-Attempt: 1\n", "records a failure without Agent-Tree", 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := plan.ReadChain(line(v1, test.message))
			if err != nil {
				t.Fatal(err)
			}
			faults := strings.Join(got.Faults, "\n")
			if (test.want == "") != (faults == "") || !strings.Contains(faults, test.want) || strings.Contains(faults, "\n") {
				t.Errorf("faults %q, want %q", faults, test.want)
			}
			if len(got.Versions) != test.versions || len(got.Failures) != test.failures {
				t.Errorf("%d versions, %d failures", len(got.Versions), len(got.Failures))
			}
		})
	}
}

func TestReadChain_isOneLine(t *testing.T) {
	commits := line(version(t, "r", 1), version(t, "r", 2), version(t, "r", 3))
	commits[1].Parents = append(commits[1].Parents, tree)
	commits[2].Parents = []string{tree}
	got, err := plan.ReadChain(commits)
	want := []string{
		"commit 0000000000 is a merge; a plan's versions are one line",
		"commit 0000000000 does not follow the commit before it",
	}
	if err != nil || !reflect.DeepEqual(got.Faults, want) {
		t.Errorf("%v, faults %q", err, got.Faults)
	}
}

func TestReadChain_withoutABeginningIsNoChain(t *testing.T) {
	truncated := line(version(t, "r", 1), version(t, "r", 2))[1:]
	for name, commits := range map[string][]object.Commit{
		"empty":     nil,
		"truncated": truncated,
		"no base":   line("x\n\nAgent-Run: r\nAgent-Plan-Version: 1\n"),
		"no plan":   line("x\n"),
		"failure":   line(failure(t, "r", nil)),
	} {
		got, err := plan.ReadChain(commits)
		if !errors.Is(err, plan.ErrNoVersion) || !reflect.DeepEqual(got, plan.Chain{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestVersionMessage_bytes(t *testing.T) {
	const first = "plan 1: Extract auth\n\nAgent-Run: r-1\nAgent-Plan-Version: 1\nAgent-Base: " + base + "\n"
	const second = "plan 2: Extract auth\n\nAgent-Run: r-1\nAgent-Plan-Version: 2\n"
	if got := version(t, "r-1", 1); got != first {
		t.Errorf("got %q", got)
	}
	if got := version(t, "r-1", 2); got != second {
		t.Errorf("got %q", got)
	}
}

func TestVersionMessage_refuses(t *testing.T) {
	for name, write := range map[string]func() (string, error){
		"run":     func() (string, error) { return plan.VersionMessage("R 1", 1, base, "x") },
		"version": func() (string, error) { return plan.VersionMessage("r", 0, base, "x") },
		"base":    func() (string, error) { return plan.VersionMessage("r", 1, "main", "x") },
		"no base": func() (string, error) { return plan.VersionMessage("r", 1, "", "x") },
		"title":   func() (string, error) { return plan.VersionMessage("r", 1, base, "x\ny") },
	} {
		if text, err := write(); err == nil || text != "" {
			t.Errorf("%s: wrote %q", name, text)
		}
	}
}

func TestFailureMessage_bytes(t *testing.T) {
	const block = "Agent-Run: r\nAgent-Step: s05\nAgent-Check: make test exit=2 secs=0.5\nAgent-Plan-Version: 1\nAgent-Tree: " + tree + "\nAgent-Attempt: 2\n"
	if got := failure(t, "r", nil); got != "s05 failed, attempt 2\n\n"+block {
		t.Errorf("got %q", got)
	}
	got := failure(t, "r", func(e *trailers.Evidence) { e.Refutes = base })
	if want := "s05 refuted at 4b825dc642\n\n" + block + "Agent-Refutes: " + base + "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFailureMessage_refuses(t *testing.T) {
	passed := trailers.Outcome{Kind: trailers.Exit}
	for name, change := range map[string]func(e *trailers.Evidence){
		"a pass":     func(e *trailers.Evidence) { e.Checks[0].Outcome = passed },
		"no checks":  func(e *trailers.Evidence) { e.Checks = nil },
		"no tree":    func(e *trailers.Evidence) { e.Tree = "" },
		"no attempt": func(e *trailers.Evidence) { e.Attempt = 0 },
		"no step":    func(e *trailers.Evidence) { e.Step = "" },
	} {
		e := trailers.Read(failure(t, "r", nil)).Evidence
		change(&e)
		if text, err := plan.FailureMessage(e); err == nil || text != "" {
			t.Errorf("%s: wrote %q", name, text)
		}
	}
}
