package ui

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		"pkg/run/run.go":     "pkg/run/run.go",
		`C:\new`:             `C:\new`,
		"a\nb\tc\rd":         `a\nb\tc\rd`,
		"\x1b[31mred\x1b[m":  `\x1b[31mred\x1b[m`,
		"\x1b]0;title\a":     `\x1b]0;title\x07`,
		"\x00\x7f":           `\x00\x7f`,
		"\u009b31m":          `\u009b31m`,
		"\x9b31m":            `\x9b31m`, // C1 as a single byte is not UTF-8
		"a\xffb":             `a\xffb`,
		"\xe2\x82":           `\xe2\x82`,
		"evil\u202etxt.exe":  `evil\u202etxt.exe`,
		"\u2066x\u2069":      `\u2066x\u2069`,
		"a\u200eb\u061cc":    `a\u200eb\u061cc`,
		"a\u2028b":           `a\u2028b`,
		"\U000e0041":         `\U000e0041`,
		"größe 漢字 é 👍\ufffd": "größe 漢字 é 👍\ufffd",
		"می\u200cخواهم":      "می\u200cخواهم",
		"👩\u200d🔬":           "👩\u200d🔬",
		"\ufeffbyte order":   `\ufeffbyte order`,
		"zero\u200bwidth":    `zero\u200bwidth`,
		"soft\u00adhyphen":   `soft\u00adhyphen`,
		"already \\x1b[31m":  `already \x1b[31m`,
		"combining e\u0301!": "combining e\u0301!",
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEscapeText_keepsLines(t *testing.T) {
	in := "--- FAIL\n\tx_test.go:3: \x1b[31mbad\r\n"
	if got, want := EscapeText(in), "--- FAIL\n\tx_test.go:3: \\x1b[31mbad\\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "plain", "\x1b[m", "\xff\u202e\u009b", "漢\u0301", `\x1b`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		if !utf8.ValidString(got) {
			t.Errorf("Escape(%q) = %q is not UTF-8", s, got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return !isSafe(r) }); i >= 0 {
			t.Errorf("Escape(%q) = %q has an unsafe character at %d", s, got, i)
		}
		for i := range len(got) {
			if got[i] < ' ' || got[i] == 0x7f {
				t.Errorf("Escape(%q) has the control byte %#x", s, got[i])
			}
		}
		if again := Escape(got); again != got {
			t.Errorf("Escape is not idempotent: %q, then %q", got, again)
		}
		if displayWidth(truncate(got, 5, "…")) > 5 {
			t.Errorf("truncate(%q, 5) is too wide", got)
		}
	})
}
