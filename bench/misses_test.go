package bench

import (
	"fmt"
	"strings"
	"testing"
)

// miss is a figure's known distance from its target: what it may be at most
// until the target is met, and what the rest is made of.
type miss struct {
	bound float64
	rest  string
}

// misses are the known ones. A sentence is on the page while its figure misses.
var misses = map[string]miss{
	"`git agent version`": {4, "A third is what the packages do that it is made of before it begins (Markdown, JSON Schema, gob, expressions), " +
		"another tenth the grammar of all commands; the rest is a larger program to map."},
	"`step` without a job, over http":                 {4, step1 + "Asking the remote before anything is done takes half as long as the push itself."},
	"`step` without a job, into a folder":             {5, step1},
	"`step` without a job, many files, over http":     {5, stepMany},
	"`step` without a job, many files, into a folder": {5.5, stepMany},
	"`log --json`": {1.7, "git's own walk and the start of the program are 1.0 of it; of the rest a third is encoding/json, a fifth reading the messages."},
	"`log`":        {1.7, "git's own walk is 0.8 of it, four small processes of git and the start of the program 0.2; of the rest a quarter is reading the messages, another the table."},
	"`verify`":     {1.7, "git's own walk is 0.8 of it, five small processes of git and the start of the program 0.2; the rest is reading the messages, and judging them in one walk."},
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

// judge remembers for the page, in full, a figure that is above its target,
// and fails unless that is a known miss within its bound; a target of 0 is none.
func judge(t *testing.T, what string, got, target float64) {
	t.Helper()
	if !full || target == 0 || got <= target {
		return
	}
	line, known := told(what, got, target)
	missed = append(missed, line)
	if !known {
		t.Error(line)
	}
}

// told is the page's line about a miss, and whether it is a known one.
func told(what string, got, target float64) (line string, known bool) {
	m, explained := misses[what]
	if !explained {
		return fmt.Sprintf("- %s: %.2f, not %.2f. Nobody has written down yet what the rest is.", what, got, target), false
	}
	return fmt.Sprintf("- %s: %.2f, not %.2f; bound %.2f. %s", what, got, target, m.bound, strings.TrimSpace(m.rest)), got <= m.bound
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

func TestTold(t *testing.T) {
	const what = "`git agent version`"
	for _, c := range []struct {
		what  string
		got   float64
		known bool
	}{{what, misses[what].bound, true}, {what, misses[what].bound + 0.01, false}, {"`status`", 1.51, false}} {
		if line, known := told(c.what, c.got, 1.5); known != c.known {
			t.Errorf("known %t: %s", known, line)
		}
	}
}
