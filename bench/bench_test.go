package bench

import (
	"flag"
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
	parts := strings.NewReplacer(
		"{{figures}}", part(t, "figures", measuredFigures),
		"{{crossings}}", part(t, "network", crossed),
		"{{grid}}", part(t, "grid", grid),
		"{{growth}}", part(t, "growth", growth),
		"{{misses}}", missing(), // what is replaced was measured by now
	)
	text := parts.Replace(page)
	t.Log("\n" + text)
	if full && *update && flag.Lookup("test.run").Value.String() == "" {
		write(t, text)
	}
}

// part measures one table of the page.
func part(t *testing.T, name string, table func(t *testing.T) string) (text string) {
	t.Run(name, func(t *testing.T) { text = table(t) })
	return text
}

func measuredFigures(t *testing.T) string {
	b := tableOf("| what | floor | floor took | git agent took | ratio | target | processor time | |")
	for _, f := range figures {
		t.Run(plain(f.what), func(t *testing.T) {
			m := f.measure(t)
			b.line(t, "| %s | %s | %s | %s | %.2f | %s | %.2f | %s |", f.what, f.floor, millis(m.floor.wall), millis(m.ours.wall),
				m.ratio(), target(f.target), m.cpu(), m.note)
			judge(t, f.what, m.ratio(), f.target)
		})
	}
	return b.String()
}

// table is one of Markdown, told as it grows.
type table struct{ strings.Builder }

func tableOf(head string) *table {
	b := &table{}
	b.WriteString(head + "\n" + strings.Repeat("|---", strings.Count(head, "|")-1) + "|\n")
	return b
}

func (b *table) line(t *testing.T, format string, args ...any) {
	t.Helper()
	text := fmt.Sprintf(format, args...)
	t.Log(text)
	b.WriteString(text + "\n")
}

// plain is a figure's name as one of a test.
func plain(what string) string { return strings.ReplaceAll(what, "`", "") }

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

func target(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return fmt.Sprintf("≤ %.1f", ratio)
}

func write(t *testing.T, text string) {
	t.Helper()
	name := filepath.Join("..", "docs", "performance.md")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
