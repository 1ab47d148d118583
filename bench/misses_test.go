package bench

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
)

// misses says of a figure that misses its target what the rest is made of. A
// sentence is on the page while its figure misses.
var misses = map[string]string{
	"`git agent version`": "A third is what the packages do that it is made of before it begins (Markdown, JSON Schema, gob, expressions), " +
		"another tenth the grammar of all commands; the rest is a larger program to map.",
}

// missed are the figures that did, in the order in which they were judged.
var missed []string

// judge fails in full where a figure is above its target, and remembers it for
// the page; a target of 0 is none.
func judge(t *testing.T, what string, got, target float64) {
	t.Helper()
	if !full || target == 0 || got <= target {
		return
	}
	missed = append(missed, fmt.Sprintf("- %s: %.2f, not %.2f. %s", what, got, target, cmp.Or(misses[what], "Nobody has written down yet what the rest is.")))
	t.Errorf("%s: %.2f, at most %.2f", what, got, target)
}

// missing is the page's part about them.
func missing() string {
	if len(missed) == 0 {
		return "None."
	}
	return strings.Join(missed, "\n")
}

// A sentence about nothing is never shown.
func TestMisses_nameFigures(t *testing.T) {
	known := map[string]bool{}
	for _, f := range figures {
		known[f.what] = true
	}
	for _, a := range axes() {
		for _, verb := range a.verbs {
			known[a.name(verb)] = true
		}
	}
	for what := range misses {
		if !known[what] {
			t.Errorf("%s is no figure", what)
		}
	}
}
