package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBench measures everything and, in full, judges it. Its parts and their
// lines are tests of their own, so that `-run` measures one:
//
//	GIT_AGENT_BENCH=full go test ./bench -count=1 -v -run 'TestBench/figures/^log$'
func TestBench(t *testing.T) {
	text, whole := page, true
	for _, part := range []struct {
		name    string
		measure func(t *testing.T) *table
	}{{"figures", measuredFigures}, {"network", crossed}, {"grid", grid}, {"growth", growth}} {
		b := &table{holes: true} // as long as -run leaves it out
		t.Run(part.name, func(t *testing.T) { b = part.measure(t) })
		whole = whole && !b.holes
		text = strings.Replace(text, "{{"+part.name+"}}", b.String(), 1)
	}
	text = strings.Replace(text, "{{misses}}", missing(), 1)
	t.Log("\n" + text)
	if full && *update {
		write(t, text, whole)
	}
}

func measuredFigures(t *testing.T) *table {
	b := tableOf("| what | floor | floor took | git agent took | ratio | target | processor time | |")
	for _, f := range figures {
		b.row(t, f.what, func(t *testing.T) string {
			m := f.measure(t)
			judge(t, f.what, m.ratio(), f.target)
			return fmt.Sprintf("| %s | %s | %s | %s | %.2f | %s | %.2f | %s |", f.what, f.floor, millis(m.floor.wall), millis(m.ours.wall),
				m.ratio(), target(f.target), m.cpu(), m.note)
		})
	}
	return b
}

// table is one of the page's.
type table struct {
	strings.Builder
	holes bool // a row was not measured
}

func tableOf(head string) *table {
	b := &table{}
	b.WriteString(head + "\n" + strings.Repeat("|---", strings.Count(head, "|")-1) + "|\n")
	return b
}

// row is a test that measures a line of the table.
func (b *table) row(t *testing.T, what string, measure func(t *testing.T) string) {
	text := ""
	t.Run(strings.ReplaceAll(what, "`", ""), func(t *testing.T) {
		text = measure(t)
		t.Log(text)
	})
	if text == "" {
		b.holes = true
		return
	}
	b.WriteString(text + "\n")
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

func target(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return fmt.Sprintf("≤ %.1f", ratio)
}

// write writes the page, if it is whole.
func write(t *testing.T, text string, whole bool) {
	t.Helper()
	name := filepath.Join("..", "docs", "performance.md")
	if !whole {
		t.Fatalf("%s stays as it is: not every line was measured", name)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
