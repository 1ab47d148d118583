package plan

import (
	"strings"
	"testing"
)

// shown is what splitting found: words by blanks, a pipe as |, inner commands in
// brackets.
func shown(commands []simple) string {
	var out []string
	for _, c := range commands {
		text := strings.Join(c.words, " ")
		if c.pipes {
			text += " |"
		}
		if c.inner {
			text = "[" + text + "]"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestSplitShell(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...":                        "go test ./...",
		"a b && c || d; e":                     "a b; c; d; e",
		"a | b |& c":                           "a |; b |; c",
		`grep -q "a | b" 'c; d' e\ f`:          `grep -q a | b c; d e f`,
		"CI=1 go test > out 2>&1 < in":         "go test in",
		"test $(date +%s) -gt 5":               "[date +%s]; test $ -gt 5",
		`test "$(a "$(b)")" = x`:               "[b]; [a $]; test $ = x",
		"x `y z` w":                            "[y z]; x $ w",
		"if a; then b; else c; fi":             "a; b; c",
		"(cd x && make) && ! b":                "cd x; make; b",
		"env A=1 timeout 5 time -p make check": "make check",
		`bash -o pipefail -c 'a | b'`:          "bash -o pipefail -c a | b; a |; b",
		"a # no | command\nb":                  "a; b",
		"cat <<EOF\ncurl x\nEOF":               "cat",
		"a \\\n  b":                            "a b",
		`a "" ''`:                              "a  ",
		"":                                     "",
		"a 'unclosed | b":                      "a unclosed | b",
	} {
		if got := shown(splitShell(line)); got != want {
			t.Errorf("%q splits into %q, want %q", line, got, want)
		}
	}
}

func FuzzSplitShell(f *testing.F) {
	for _, line := range []string{"a | b", `x "$(y ${z})" <<E`, "`a", "$(", `\`, "a >&2 'b"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, c := range splitShell(line) {
			if len(c.words) == 0 {
				t.Errorf("%q: a command without a word", line)
			}
		}
	})
}
