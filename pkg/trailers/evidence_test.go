package trailers_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// evidence is the example of the design, section 4.
func evidence() trailers.Evidence {
	return trailers.Evidence{
		Run: "r-4471", Step: "s05", PlanVersion: 3, Tree: tree,
		Checks: []trailers.Check{{Command: "go test ./internal/auth/... -count=1", Outcome: passed, Secs: "22.6"}},
	}
}

func format(t testing.TB, subject string, e trailers.Evidence) string {
	t.Helper()
	block, err := e.Trailers()
	if err != nil {
		t.Fatal(err)
	}
	text, err := trailers.Format(trailers.Message{Subject: subject, Trailers: block})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestEvidence_Trailers_theDesignsExample(t *testing.T) {
	want := `s05: move session middleware registration into auth.Register

Agent-Run: r-4471
Agent-Step: s05
Agent-Check: go test ./internal/auth/... -count=1 exit=0 secs=22.6
Agent-Plan-Version: 3
Agent-Tree: 4b825dc642cb6eb9a060e54bf8d69288fbee4904
`
	if got := format(t, "s05: move session middleware registration into auth.Register", evidence()); got != want {
		t.Errorf("got %s", got)
	}
}

// full has every field, with values that need quoting.
func full() trailers.Evidence {
	e := evidence()
	e.Checks = append(e.Checks, trailers.Check{Command: "a\nb", Outcome: trailers.Outcome{Kind: trailers.Exit, Code: 2}, Secs: "0"})
	e.Attempt, e.Dirty = 2, 7
	e.Strays = []string{"a b", "line\nbreak", "\xff\"\\", " blank ", `"quoted"`, `back\slash`, "größe", "\u202egpj"}
	e.Notes = []string{"the import of auth is still needed", "# two"}
	e.Fingerprint = "sha256:" + strings.Repeat("0a", 32)
	e.Refutes = strings.Repeat("b", 64)
	e.Other = []trailers.Trailer{line("Agent-Future", "x"), line("Signed-off-by", "A <a@b>")}
	return e
}

func TestEvidence_Trailers_orderAndQuoting(t *testing.T) {
	block, err := full().Trailers()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"Agent-Run: r-4471", "Agent-Step: s05",
		"Agent-Check: go test ./internal/auth/... -count=1 exit=0 secs=22.6", `Agent-Check: "a\nb" exit=2 secs=0`,
		"Agent-Plan-Version: 3", "Agent-Tree: " + tree, "Agent-Attempt: 2",
		"Agent-Stray: a b", `Agent-Stray: "line\nbreak"`, `Agent-Stray: "\377\"\\"`, `Agent-Stray: " blank "`,
		`Agent-Stray: "\"quoted\""`, `Agent-Stray: back\slash`, "Agent-Stray: größe", `Agent-Stray: "\342\200\256gpj"`,
		"Agent-Dirty: 7", "Agent-Note: the import of auth is still needed", "Agent-Note: # two",
		"Agent-Fingerprint: sha256:" + strings.Repeat("0a", 32), "Agent-Refutes: " + strings.Repeat("b", 64),
		"Agent-Future: x", "Signed-off-by: A <a@b>", "",
	}, "\n")
	if got := asGit(block); got != want {
		t.Errorf("got\n%s", got)
	}
	got := trailers.Read(format(t, "T", full()))
	if got.Kind != trailers.FailureRecord || !reflect.DeepEqual(got.Evidence, full()) {
		t.Errorf("read back %v\n%+v\n%q", got.Kind, got.Evidence, got.Faults)
	}
}

func TestEvidence_Trailers_refusesAllAtOnce(t *testing.T) {
	e := trailers.Evidence{
		Run: "R", Step: "a/b", PlanVersion: -1, Tree: "abc", Attempt: -1, Dirty: -1,
		Checks: []trailers.Check{{Command: ""}}, Strays: []string{""}, Notes: []string{"", " x", "a\nb", "\u202ex"},
		Fingerprint: "md5:1", Refutes: "HEAD", Other: []trailers.Trailer{line("Agent-Note", "x"), line("bad key", "y")},
	}
	block, err := e.Trailers()
	if err == nil || block != nil {
		t.Fatalf("accepted: %q", block)
	}
	for _, want := range []string{
		`id "R"`, `id "a/b"`, "Agent-Plan-Version: ", "Agent-Tree: ", "Agent-Attempt: ", "Agent-Dirty: ", "the command is empty",
		"a stray path is empty", "a note is empty", `Agent-Note begins or ends with a blank: " x"`,
		`Agent-Note holds a control character: "a\nb"`, "Agent-Note holds a control character: \"\\u202ex\"",
		"Agent-Fingerprint: ", "Agent-Refutes: ", `"Agent-Note" stands among the other`, `"bad key" is no trailer key`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("missing %s in\n%v", want, err)
		}
	}
}

// Any evidence that can be written is read back as it was, as git reads it.
func TestEvidence_Trailers_roundTrip(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"---", "#", `"`, "\\", " exit=0 secs=1", "\xff", "Agent-Step: 2"}))
	rapid.Check(t, func(rt *rapid.T) {
		e := evidence()
		e.Checks[0].Command = text.Draw(rt, "command")
		e.Strays = rapid.SliceOfN(text, 1, 3).Draw(rt, "strays")
		e.Notes = rapid.SliceOfN(rapid.SampledFrom([]string{"---", "# x", "a  b", "Agent-Step: 2", "größe"}), 1, 3).Draw(rt, "notes")
		block, err := e.Trailers()
		if err != nil {
			rt.Skip("refused")
		}
		message, err := trailers.Format(trailers.Message{Subject: "T", Trailers: block})
		if err != nil {
			rt.Fatalf("accepted as evidence, refused as text: %v", err)
		}
		if got := trailers.Read(message); got.Kind != trailers.Certificate || !reflect.DeepEqual(got.Evidence, e) {
			rt.Fatalf("read back %v %q\n%+v\n%+v", got.Kind, got.Faults, got.Evidence, e)
		}
	})
}

// A landing's squash carries every line of every step in one final block.
func TestCase088_SquashTrailers_oneBlock(t *testing.T) {
	signed := line("Signed-off-by", "A <a@b>")
	first, second := evidence(), full()
	second.Step, second.Refutes, second.Checks = "s06", "", first.Checks
	first.Other, second.Other = []trailers.Trailer{signed}, []trailers.Trailer{signed}
	block, err := trailers.SquashTrailers([]trailers.Evidence{first, second})
	if err != nil {
		t.Fatal(err)
	}
	text, err := trailers.Format(trailers.Message{Subject: "Extract auth", Body: "s05: one\ns06: two", Trailers: block})
	if err != nil {
		t.Fatal(err)
	}
	if got := gittest.New(t).GitIn(text, "interpret-trailers", "--parse"); got+"\n" != asGit(block) {
		t.Errorf("git reads\n%s\nwant\n%s", got, asGit(block))
	}
	r := trailers.Read(text)
	first.Other = nil // the others stand once, at the end
	if r.Kind != trailers.Squash || !reflect.DeepEqual(r.Groups, []trailers.Evidence{first, second}) {
		t.Errorf("read %v %q\n%+v", r.Kind, r.Faults, r.Groups)
	}
	if f := r.RunBranchFaults(); len(f) != 1 || !strings.Contains(f[0], "2 Agent-Step trailers") {
		t.Errorf("on a run branch: %q", f)
	}
}

func TestSquashTrailers_refuses(t *testing.T) {
	other := evidence()
	other.Run, other.Tree = "another", "x"
	_, err := trailers.SquashTrailers([]trailers.Evidence{evidence(), other})
	if err == nil || !strings.Contains(err.Error(), `run "another" is not "r-4471"`) || !strings.Contains(err.Error(), "Agent-Tree") {
		t.Errorf("got %v", err)
	}
	if _, err := trailers.SquashTrailers(nil); err == nil {
		t.Error("nothing was squashed")
	}
	one, err := trailers.SquashTrailers([]trailers.Evidence{evidence()})
	want, _ := evidence().Trailers()
	if err != nil || !slices.Equal(one, want) {
		t.Errorf("one group: %q, %v", one, err)
	}
}
