package cli

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
)

// screenStyle draws a terminal in light and dark, as the reader's browser is.
const screenStyle = `<style>
rect{fill:#fff}text{font:14px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#1f2328;white-space:pre}
.b{font-weight:bold}.f{fill:#6e7781}.r{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#9a6700}.c{fill:#1b7c83}
@media (prefers-color-scheme:dark){rect{fill:#0d1117}text{fill:#e6edf3}.f{fill:#8b949e}.r{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}.c{fill:#39c5cf}}
</style>`

var (
	// screenWord is a colour, a line's end, or text between them.
	screenWord = regexp.MustCompile("\x1b\\[[0-9;]*m|\n|[^\n\x1b]+")
	sgr        = regexp.MustCompile("\x1b\\[([0-9;]*)m")
	classes    = map[string]string{"": "", "0": "", "1": "b", "2": "f", "31": "r", "32": "g", "33": "y", "36": "c"}
)

// Of one cell, in pixels.
const cellWide, cellHigh = 8.43, 19

// svg is what a terminal of that width shows. Each piece of one colour stands in
// its own columns, whatever the font.
func svg(t *testing.T, text string, columns int) string {
	t.Helper()
	var b strings.Builder
	row, column, class := 0, 0, ""
	for _, word := range screenWord.FindAllString(text, -1) {
		if code := sgr.FindStringSubmatch(word); code != nil {
			known := false
			if class, known = classes[code[1]]; !known {
				t.Errorf("a colour that the pictures do not have: %q", word)
			}
			continue
		}
		for word != "" {
			if word == "\n" || column == columns { // a terminal wraps
				row, column = row+1, 0
			}
			runes := []rune(strings.TrimPrefix(word, "\n"))
			n := min(len(runes), columns-column)
			if piece := string(runes[:n]); strings.TrimSpace(piece) != "" {
				fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%d\" class=\"%s\">%s</text>\n", float64(column)*cellWide+10, (row+1)*cellHigh+6, class, html.EscapeString(piece))
			}
			column, word = column+n, string(runes[n:])
		}
	}
	width, height := float64(columns)*cellWide+20, row*cellHigh+20
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\" height=\"%d\">\n%s\n<rect width=\"100%%\" height=\"100%%\" rx=\"6\"/>\n%s</svg>\n",
		width, height, width, height, screenStyle, b.String())
}

// TestScreens_inColour keeps pictures of what a terminal shows in colour; a
// refusal too.
func TestScreens_inColour(t *testing.T) {
	s := newStory(t)
	for name, args := range map[string][]string{
		"status": {"status"}, "log": {"log"}, "log-graph": {"log", "--graph"}, "runs": {"runs"}, "refusal": {"step", "s05"},
	} {
		for _, columns := range []int{80, 120} {
			out, _ := s.run(columns, append(args, "--color=always")...)
			if !strings.Contains(out, "\x1b[") {
				t.Errorf("%s has no colour:\n%s", name, out)
			}
			s.kept(fmt.Sprintf("%s-%d.svg", name, columns), svg(t, out, columns), 0)
		}
	}
}
