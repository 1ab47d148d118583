package cli

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-agent/git-agent/internal/ui"
)

// TestCase141_escapedWhereverItIsCut: however the bytes of a log arrive, a
// terminal is shown what it is shown of the whole; no character is lost or torn.
func TestCase141_escapedWhereverItIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"a", "é", "日", "👩‍💻", "\x1b[2J", "\xf1", "\xfe\xff", "\xe6\x97", "\n"})).Draw(t, "pieces")
		whole := strings.Join(pieces, "")
		var out strings.Builder
		e := &escaped{to: &out}
		for rest := whole; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if wrote, err := e.Write([]byte(rest[:n])); err != nil || wrote != n {
				t.Fatalf("%d of %d, %v", wrote, n, err)
			}
			rest = rest[n:]
		}
		if err := e.end(); err != nil {
			t.Fatal(err)
		}
		if want := ui.EscapeText(whole); out.String() != want {
			t.Fatalf("%q is shown as %q, want %q", whole, out.String(), want)
		}
	})
}
