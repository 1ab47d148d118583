package markdown

import (
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/plan"
)

var (
	// word is what may be a path: parts of names, with a slash or an ending.
	word = lazy(`[A-Za-z0-9_.@+\[\]{}*-]+(?:/[A-Za-z0-9_.@+\[\]*-]+)*/?`)
	// ending is what tells a file from an abbreviation or a number.
	ending = lazy(`^[A-Za-z0-9_.*-]*[A-Za-z0-9_*-]\.([a-z][a-z0-9]{0,9})$`)
	// lines is a line number, or a range, behind a path.
	lineNumber = lazy(`:[0-9]+(?:-[0-9]+)?`)
	address    = lazy(`[a-z]+://\S+`)
)

// endings that a word without a slash must have: "e.g" and "foo.bar()" are none.
var endings = strings.Fields("go rs py js ts tsx jsx mjs cjs java kt c h cc cpp hpp cs rb php swift scala sh bash zsh sql md txt rst adoc json yaml yml toml ini cfg conf xml html css scss lock mod sum proto tf gradle ex exs erl hs ml lua pl r dart vue svelte mk cmake service")

// findPaths are the paths that a text names, in order, each once.
func findPaths(text string) []string {
	text = lineNumber().ReplaceAllString(address().ReplaceAllString(text, " "), "")
	var found []string
	for _, span := range word().FindAllStringIndex(text, -1) {
		if p := asPath(text, span); p != "" {
			found = append(found, p)
		}
	}
	return unique(found)
}

// asPath is the word as an entry of touches, "" where it is none.
func asPath(text string, span []int) string {
	if span[0] > 0 && strings.IndexByte("/\\$~:&=<", text[span[0]-1]) >= 0 {
		return "" // a part of something else: absolute, a variable, an option's value
	}
	if span[1] < len(text) && strings.IndexByte("(=\\$", text[span[1]]) >= 0 {
		return ""
	}
	p := strings.TrimRight(strings.TrimPrefix(text[span[0]:span[1]], "./"), ".")
	if strings.HasPrefix(p, "-") || strings.Contains(p, "{") || strings.Contains(p, "}") {
		return ""
	}
	if !strings.Contains(p, "/") {
		m := ending().FindStringSubmatch(p)
		if m == nil || !slices.Contains(endings, m[1]) {
			return ""
		}
	} else if quoted := span[0] > 0 && text[span[0]-1] == '`'; !quoted && !hasName(p) {
		return ""
	}
	if _, err := plan.CompilePaths([]string{p}); err != nil {
		return ""
	}
	return p
}

// hasName tells src/a.go from and/or, 1/2, 10/s: a file has an ending, a folder
// a closing slash.
func hasName(p string) bool {
	if strings.HasSuffix(p, "/") || strings.Contains(p, "*") {
		return strings.Trim(p, "/*.") != ""
	}
	last := p[strings.LastIndexByte(p, '/')+1:]
	return strings.Contains(strings.Trim(last, "."), ".")
}
