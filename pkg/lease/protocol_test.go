package lease_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/testkit"
)

var update = flag.Bool("update", false, "write the numbers into docs/reliability.md")

const steps = 2

var numbers = testkit.Block{Page: "../../docs/reliability.md", Begins: "<!-- lease model: go test ./pkg/lease -update -->", Ends: "<!-- end of lease model -->"}

// TestProtocol_everyInterleaving explores the protocol and its mutants, and
// holds the numbers in docs/reliability.md to what it finds.
func TestProtocol_everyInterleaving(t *testing.T) {
	effort := unlessShort
	if *update {
		effort = forTheDocument
	} else if testing.Short() {
		effort = always
	}
	var text strings.Builder
	text.WriteString("| explored | claims | steps without a job | signs of life | a person's pushes | kills | network errors | cancels | of these overridden | states | transitions | broken |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range scenarios() {
		if s.effort <= effort {
			text.WriteString(holds(t, s))
		}
	}
	text.WriteString("\n| mutant | breaks, in how many moves | states until seen |\n|---|---|---|\n")
	for _, mutant := range mutants {
		m := newModel(t, mutant.rules, steps)
		left := handed
		left.beats = 1
		g := explore(m, left, mutant.breaks&^i6)
		if mutant.breaks&i6 != 0 {
			_, g.found[i6] = g.stuck()
		}
		fmt.Fprintf(&text, "| %s: %s | %s | %d |\n", mutant.name, mutant.what, seen(t, g, mutant.name, mutant.breaks), len(g.nodes))
	}
	t.Log("\n" + text.String())
	written(t, text.String())
}

// holds explores the protocol itself; nothing may be broken.
func holds(t *testing.T, s scenario) string {
	g := explore(newModel(t, rules{}, steps), s.left, 0)
	for b, way := range g.found {
		t.Errorf("%s: %s is broken:%s", s.name, b, way.text)
	}
	if count, way := g.stuck(); count > 0 {
		t.Errorf("%s: from %d states there is no way to the end, the first:%s", s.name, count, way.text)
	}
	b := s.left
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | none |\n", s.name, b.claims, b.passes, b.beats, b.persons,
		b.crashes, b.errors, b.cancels, b.overrides, len(g.nodes), len(g.edges))
}

// seen is what a mutant broke; it is an error if that is less than it must.
func seen(t *testing.T, g *graph, name string, breaks breach) string {
	var list []string
	for b := i1; b <= i6; b <<= 1 {
		way := g.found[b]
		switch {
		case way.moves > 0:
			list = append(list, fmt.Sprintf("%s in %d", b, way.moves))
			t.Logf("mutant %s breaks %s:%s", name, b, way.text)
		case breaks&b != 0:
			t.Errorf("mutant %s: that it breaks %s was not seen in %d states", name, b, len(g.nodes))
		}
	}
	return strings.Join(list, ", ")
}

// written holds the block of the document to what was found, or writes it.
func written(t *testing.T, text string) {
	if *update {
		numbers.Write(t, text)
		return
	}
	old := numbers.Text(t)
	for line := range strings.Lines(text) {
		if !strings.Contains(old, line) {
			t.Errorf("%s does not say so (go test ./pkg/lease -update): %s", numbers.Page, line)
		}
	}
}
