package trailers_test

import (
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/trailers"
)

var passed = trailers.Outcome{Kind: trailers.Exit}

func TestFormatCheck_spelling(t *testing.T) {
	for _, tc := range []struct {
		command string
		outcome trailers.Outcome
		want    string
	}{
		{"go test ./...", passed, `go test ./... exit=0 secs=1`},
		{"x", trailers.Outcome{Kind: trailers.Exit, Code: 3221225477}, `x exit=3221225477 secs=1`},
		{"x", trailers.Outcome{Kind: trailers.Signal, Code: 9}, `x signal=9 secs=1`},
		{"x", trailers.Outcome{Kind: trailers.Timeout}, `x timeout secs=1`},
		{"x", trailers.Outcome{Kind: trailers.NotFound}, `x not-found secs=1`},
		{"echo exit=0 secs=9", trailers.Outcome{Kind: trailers.Exit, Code: 1}, `echo exit=0 secs=9 exit=1 secs=1`},
		{"a  b <c >d &", passed, `a  b <c >d & exit=0 secs=1`},
		{"a\nb\tc", passed, `"a\nb\tc" exit=0 secs=1`},
		{" a ", passed, `" a " exit=0 secs=1`},
		{`"a b" c\d`, passed, `"\"a b\" c\\d" exit=0 secs=1`},
		{`say "hi" \n`, passed, `say "hi" \n exit=0 secs=1`},
		{"\x01\x7f\u0085\u202e\u2066\u2028", passed, `"\u0001\u007f\u0085\u202e\u2066\u2028" exit=0 secs=1`},
		{"\u061c\u200e\u200f\u202a\u2069", passed, `"\u061c\u200e\u200f\u202a\u2069" exit=0 secs=1`},
		{"größe 測試", passed, `größe 測試 exit=0 secs=1`},
		{"a exit=1 secs=2 Agent-Check: b", passed, `"a exit=1 secs=2 Agent-Check: b" exit=0 secs=1`},
		{`git log | grep "Agent-Step: 2"`, passed, `git log | grep "Agent-Step: 2" exit=0 secs=1`},
	} {
		c := trailers.Check{Command: tc.command, Outcome: tc.outcome, Secs: "1"}
		got, err := trailers.FormatCheck(c)
		if err != nil || got != tc.want {
			t.Errorf("%q: got %q, %v, want %q", tc.command, got, err, tc.want)
		}
		assertCheckRoundTrip(t, c)
	}
}

func TestFormatCheck_refusesAllAtOnce(t *testing.T) {
	_, err := trailers.FormatCheck(trailers.Check{Command: "\xff", Outcome: trailers.Outcome{Kind: "crash", Code: 1}, Secs: "1e3"})
	for _, want := range []string{"is not UTF-8", `outcome "crash" with code 1`, `"1e3" is no decimal`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("missing %q in %v", want, err)
		}
	}
	for _, o := range []trailers.Outcome{
		{}, {Kind: trailers.Exit, Code: -1}, {Kind: trailers.Signal}, {Kind: trailers.Timeout, Code: 1}, {Kind: "exit=0 timeout"},
	} {
		if got, err := trailers.FormatCheck(trailers.Check{Command: "x", Outcome: o, Secs: "1"}); err == nil {
			t.Errorf("%+v: wrote %q", o, got)
		}
	}
}

func TestParseCheck_refuses(t *testing.T) {
	for _, value := range []string{
		"", " ", "secs=1", "exit=0 secs=1", " exit=0 secs=1", "x exit=0", "x secs=1", "x exit=0 secs=", "x exit=0 secs=1.",
		"x exit=0 secs=.5", "x exit=0 secs=-1", "x exit=0 secs=1s", "x exit=00 secs=1", "x exit=+1 secs=1", "x exit=-1 secs=1",
		"x exit= secs=1", "x exit=99999999999999999999 secs=1", "x signal=0 secs=1", "x signal=128 secs=1", "x timeout=1 secs=1",
		"x exit secs=1", "x Exit=0 secs=1", "x  exit=0 secs=1", "x exit=0  secs=1", " x exit=0 secs=1", `"x exit=0 secs=1`,
		`"x" y exit=0 secs=1`, `"" exit=0 secs=1`, "x\x1b exit=0 secs=1", "x\ty exit=0 secs=1", "x\u202e exit=0 secs=1",
		"\xff exit=0 secs=1", "a exit=1 secs=2 Agent-Check: b exit=0 secs=1",
	} {
		if c, err := trailers.ParseCheck(value); err == nil {
			t.Errorf("%q: read as %+v", value, c)
		}
	}
}

func TestOutcome_Passed_onlyExitZero(t *testing.T) {
	if !passed.Passed() {
		t.Error("exit 0 does not pass")
	}
	for _, o := range []trailers.Outcome{{}, {Kind: trailers.Exit, Code: 1}, {Kind: trailers.Signal}, {Kind: trailers.Timeout}, {Kind: trailers.NotFound}} {
		if o.Passed() {
			t.Errorf("%+v passes", o)
		}
	}
}

func TestValidID_alphabet(t *testing.T) {
	for _, id := range []string{"a", "0", "r-4471", "s05", "a.b_c-d", "x.locked", strings.Repeat("a", 64)} {
		if err := trailers.ValidID(id); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"", "A", "-a", ".a", "_a", "a..b", "a.", "a.lock", "a b", "a/b", "a\n", "ä", "a~", "a@{", strings.Repeat("a", 65)} {
		if trailers.ValidID(id) == nil {
			t.Errorf("%q is accepted", id)
		}
	}
}
