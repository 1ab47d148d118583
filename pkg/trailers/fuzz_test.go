package trailers_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// vocabulary are the line parts that git's rule tells apart; random messages
// made of them meet its corners far more often than random bytes do.
var vocabulary = []string{
	"", "", " ", "\t ", "\r", "T", "free text", " indented", "\tindented", "\v", "#", "# c: d", " # c",
	"Agent-Run: r", "agent-step:s", "A : 1", "A:", "Key: a  b ", " B: 2", "no key: x", "x_y: z", ": v", "-: v",
	"Signed-off-by: A <a@b>", "signed-off-by: A", "Signed-off-by:A", "(cherry picked from commit 12)",
	"Conflicts:", "Conflicts: ", "Conflicts:\r", "\tfile", "---", "diff --git a b",
	"# ------------------------ >8 ------------------------", "Agent-Note: \xff\u202e",
}

var lineEnds = []string{"\n", "\n", "\n", "\n", "\n", "\n", "\n", "\n\n", "\r\n", " \n", ""}

// randomMessage joins up to 14 lines, half of the time under a title.
func randomMessage(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteString("T\n\n")
	}
	for range r.IntN(14) {
		b.WriteString(vocabulary[r.IntN(len(vocabulary))])
		b.WriteString(lineEnds[r.IntN(len(lineEnds))])
	}
	return b.String()
}

func TestCase089_Parse_equalsGitOnGeneratedMessages(t *testing.T) {
	random := rand.New(rand.NewPCG(89, 2026))
	var names, messages []string
	for i := range 1500 {
		names = append(names, fmt.Sprintf("generated %d", i))
		messages = append(messages, randomMessage(random))
	}
	assertEqual(t, names, messages, gitReads(t, gittest.New(t), messages))
}

// FuzzParse_equalsGit makes each input a commit and compares. It also drives
// Read and Repair, which must be total.
func FuzzParse_equalsGit(f *testing.F) {
	for _, m := range corpus {
		f.Add(m)
	}
	repo := gittest.New(f)
	f.Fuzz(func(t *testing.T, message string) {
		r := &gittest.Repo{T: t, Dir: repo.Dir, Env: repo.Env}
		id, err := r.TryGit(header+message, "hash-object", "-t", "commit", "-w", "--stdin")
		if err != nil {
			t.Fatalf("hash-object: %v: %s", err, id)
		}
		answer := gitReadsIDs(t, r, []string{id})
		assertEqual(t, []string{"fuzzed"}, []string{message}, answer)
		if got, want := trailers.Subject(message), trailers.Parse(message).Subject; got != want {
			t.Errorf("%q: subject %q, parsed %q", message, got, want)
		}
		reading := trailers.Read(message)
		if (reading.Kind == trailers.Damaged || reading.Kind == trailers.Scattered) != (len(reading.Faults) > 0) {
			t.Errorf("%q: kind %v with faults %q", message, reading.Kind, reading.Faults)
		}
		if repaired, err := trailers.Repair(message); err == nil {
			if k := trailers.Read(repaired).Kind; k == trailers.None || k == trailers.Damaged || k == trailers.Scattered {
				t.Errorf("%q: repaired to %q, which is %v", message, repaired, k)
			}
		}
	})
}

// FuzzFormat_roundTrip: what Format writes is read back as it was given, and
// an escaped body is always writable.
func FuzzFormat_roundTrip(f *testing.F) {
	for _, m := range corpus {
		p := trailers.Parse(m)
		f.Add(p.Subject, p.Body, "Agent-Run", "r", "Agent-Note", m)
	}
	f.Fuzz(func(t *testing.T, subject, body, k1, v1, k2, v2 string) {
		m := trailers.Message{Subject: subject, Body: body, Trailers: []trailers.Trailer{{Key: k1, Value: v1}, {Key: k2, Value: v2}}}
		assertRoundTrip(t, m)
		m.Trailers = nil
		assertRoundTrip(t, m)
		sound := trailers.Message{Subject: "T", Body: trailers.Escape(body), Trailers: []trailers.Trailer{{Key: "Agent-Run", Value: "r"}}}
		text, err := trailers.Format(sound)
		if err != nil {
			t.Fatalf("escaped body %q of %q: %v", sound.Body, body, err)
		}
		if got := trailers.Parse(text).Trailers; !slices.Equal(got, sound.Trailers) {
			t.Errorf("%q: trailers %q", text, got)
		}
		if again := trailers.Escape(sound.Body); again != sound.Body {
			t.Errorf("Escape is not stable: %q, then %q", sound.Body, again)
		}
		assertCheckRoundTrip(t, trailers.Check{Command: body, Outcome: trailers.Outcome{Kind: trailers.Exit}, Secs: "1.5"})
	})
}

func assertRoundTrip(t *testing.T, m trailers.Message) {
	t.Helper()
	text, err := trailers.Format(m)
	if err != nil {
		return
	}
	got := trailers.Parse(text)
	if !slices.Equal(got.Trailers, m.Trailers) {
		t.Errorf("%q: trailers %q, want %q", text, got.Trailers, m.Trailers)
	}
	if !strings.Contains(m.Body, got.Body) || !strings.Contains(m.Subject, got.Subject) {
		t.Errorf("%q: not the text that was given: %+v", text, m)
	}
	again, err := trailers.Format(got)
	if err != nil || again != text {
		t.Errorf("formatted again: %q, %v, want %q", again, err, text)
	}
}

func assertCheckRoundTrip(t *testing.T, c trailers.Check) {
	t.Helper()
	value, err := trailers.FormatCheck(c)
	if err != nil {
		return
	}
	back, err := trailers.ParseCheck(value)
	if err != nil || back != c {
		t.Errorf("%q: read back as %+v, %v, want %+v", value, back, err, c)
	}
}
