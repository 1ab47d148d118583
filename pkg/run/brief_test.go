package run

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Text from outside is on one line, moves no cursor and turns no writing round.
func TestBrief_quoted(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                       "plain",
		"two\nlines\r\x1b[31mred\x07": "two lines  [31mred ",
		"abc\u202edef\u2066":          "abc def ",
		"a\u2028b\u0085c":             "a b c",
		"\xffbad":                     "\ufffdbad",
		"👩‍💻 joined":                  "👩‍💻 joined",
	} {
		if got := quoted(in, 100); got != want {
			t.Errorf("%q is quoted as %q, want %q", in, got, want)
		}
	}
	if got := indent("{\n  \"a\": 1\n}\x1b[2J"); got != "    {\n      \"a\": 1\n    } [2J\n" {
		t.Errorf("indented: %q", got)
	}
}

// The command that ends the step and the rules are never cut off.
func TestBrief_essentialsKeepTheirEnd(t *testing.T) {
	end := "\nTo end: `git agent step s02`.\n\n"
	long := strings.Repeat("    a check that is rather long\n", 200)
	got := clipEssentials("# Run\n\n"+long+end, end)
	if len(got) > briefFirst || !strings.HasSuffix(got, end) || !strings.HasPrefix(got, "# Run") || !strings.Contains(got, "[…]") {
		t.Errorf("%d bytes: …%q", len(got), got[max(0, len(got)-120):])
	}
	if short := "# Run\n" + end; clipEssentials(short, end) != short {
		t.Error("a short one is cut")
	}
}

func TestBrief_ClipBrief(t *testing.T) {
	text := "# Run\n" + strings.Repeat("ä line\n", 3000)
	for _, most := range []int{0, 500, 501, 502, 503, 8000, 100000} {
		got := ClipBrief(text, most)
		limit := most
		if most == 0 || most > briefMax {
			limit = briefMax
		}
		if len(got) > limit || len(got) < limit/2 || !utf8.ValidString(got) || strings.ContainsAny(got[:1], "{[") {
			t.Errorf("%d: %d bytes, valid %v", most, len(got), utf8.ValidString(got))
		}
	}
}
