package killat

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-agent/git-agent/internal/testkit"
)

// update writes what a sweep came to into the documentation; one that has tried
// every point is remembered without being asked.
var update = flag.Bool("update", false, "write the table of docs/reliability.md")

// tally is what a sweep came to, by scene and harm.
type tally struct {
	mu    sync.Mutex
	cells map[[2]string]*cell
}

type cell struct{ points, tried, recovered int }

func (t *tally) at(s spot) *cell {
	if t.cells == nil {
		t.cells = map[[2]string]*cell{}
	}
	key := [2]string{s.scene.name, s.harm.name}
	if t.cells[key] == nil {
		t.cells[key] = &cell{}
	}
	return t.cells[key]
}

func (t *tally) expect(row []spot) { t.at(row[0]).points += len(row) }

// known counts the points that were tried before, and answers the others.
func (t *tally) known(rows [][]spot, done *trials) [][]spot {
	left := make([][]spot, len(rows))
	for i, row := range rows {
		for _, s := range row {
			if done.before[s.String()] {
				t.count(s, true)
			} else {
				left[i] = append(left[i], s)
			}
		}
	}
	return left
}

func (t *tally) count(s spot, recovered bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.at(s)
	c.tried++
	if recovered {
		c.recovered++
	}
}

func (t *tally) sum() (all cell) {
	for _, c := range t.cells {
		all.points += c.points
		all.tried += c.tried
		all.recovered += c.recovered
	}
	return all
}

func (t *tally) String() string {
	all := t.sum()
	return fmt.Sprintf("%d of %d points tried, %d recovered", all.tried, all.points, all.recovered)
}

// table is a row for each harm and a column for each scene.
func (t *tally) table() string {
	var b strings.Builder
	b.WriteString("| harm |")
	rule := "|---|"
	for _, s := range scenes {
		b.WriteString(" " + s.name + " |")
		rule += "---|"
	}
	b.WriteString("\n" + rule + "\n")
	for _, h := range harms {
		b.WriteString("| " + h.name + " |")
		for _, s := range scenes {
			b.WriteString(" " + t.at(spot{scene: s, harm: h}).String() + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (c *cell) String() string {
	if c.recovered == c.tried && c.tried == c.points {
		return fmt.Sprintf("all %d", c.points)
	}
	return fmt.Sprintf("%d/%d of %d", c.recovered, c.tried, c.points)
}

var table = testkit.Block{Page: filepath.Join("..", "..", "docs", "reliability.md"), Begins: "<!-- kill sweep: make sweep -->", Ends: "<!-- end of kill sweep -->"}

// remember writes the table where it is published.
func (t *tally) remember(tb testing.TB, how string) {
	tb.Helper()
	if all := t.sum(); !*update && (how != "full" || all.tried < all.points) {
		return
	}
	table.Write(tb, fmt.Sprintf("`%s=%s`: %v.\n\n", sweepVar, how, t)+t.table())
}
