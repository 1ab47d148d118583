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
	"`step` without a job, over http":                 step1 + "Asking the remote before anything is done takes half as long as the push itself.",
	"`step` without a job, into a folder":             step1,
	"`step` without a job, many files, over http":     stepMany,
	"`step` without a job, many files, into a folder": stepMany,
	"`log --json`": "git's own walk and the start of the program are 1.0 of it; of the rest a third is encoding/json, a fifth reading the messages.",
	"`log`":        "git's own walk is 0.8 of it, four small processes of git and the start of the program 0.2; of the rest a quarter is reading the messages, another the table.",
	"`verify`":     "git's own walk is 0.8 of it, five small processes of git and the start of the program 0.2; the rest is reading the messages, and judging them in one walk.",
}

const (
	step1 = "By hand git starts three times, a step starts it thirty times, some beside others: four times to find repository, settings and refs, three to read plan " +
		"and history, eleven to see whose the changes are and to build the tree before and after the checks, five for the record and the index, four for lease and " +
		"mirror refs, and each is a millisecond or two; a check has a supervisor, which is another start of this program; some thirty files of ours are synced. "
	stepMany = "Each look at the whole working tree is one by hand (git commit) and two here, before and after the checks; three lists of the index, and an index file that is built " +
		"of the base so that what else is staged cannot get in, make up the rest. "
)

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
