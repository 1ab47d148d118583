package bench

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBench measures every figure and, in full, judges it.
func TestBench(t *testing.T) {
	var page strings.Builder
	page.WriteString("| what | floor | floor took | git agent took | ratio | target | processor time | |\n|---|---|---|---|---|---|---|---|\n")
	for _, f := range figures {
		t.Run(strings.Trim(f.what, "`"), func(t *testing.T) {
			m := f.measure(t)
			line := fmt.Sprintf("| %s | %s | %s | %s | %.2f | %s | %.2f | %s |", f.what, f.floor, millis(m.floor.wall), millis(m.ours.wall),
				m.ratio(), target(f.target), m.cpu(), m.note)
			page.WriteString(line + "\n")
			t.Log(line)
			if full && f.target > 0 && m.ratio() > f.target {
				t.Errorf("ratio %.2f, target %.1f", m.ratio(), f.target)
			}
		})
	}
	text := page.String() + "\n" + growth(t)
	fmt.Println(text)
	if *update {
		write(t, text)
	}
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

func target(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return fmt.Sprintf("≤ %.1f", ratio)
}

// growth says how the time of the commands that everybody waits for grows with
// the size of the run: the exponent of a power between two sizes.
func growth(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| what | grows with | from | to | exponent | of the floor |\n|---|---|---|---|---|---|\n")
	for _, g := range grown() {
		small, big := worldOf(t, g.from), worldOf(t, g.to)
		for _, args := range [][]string{{"resume", "r-1"}, {"status", "r-1"}, {"log", "r-1"}, {"verify", "agent-run/r-1"}} {
			command := append([]string{"git-agent"}, args...)
			a := versus(t, turns(5), small.walk(), small.always(command))
			z := versus(t, turns(5), big.walk(), big.always(command))
			n := math.Log(float64(g.count(g.to)) / float64(g.count(g.from)))
			fmt.Fprintf(&b, "| `%s` | %s | %d | %d | %.2f | %.2f |\n", args[0], g.what, g.count(g.from), g.count(g.to),
				exponent(a.ours, z.ours, n), exponent(a.floor, z.floor, n))
		}
	}
	return b.String()
}

// exponent is of processor time, which says the same on a busy machine.
func exponent(small, big cost, n float64) float64 {
	return math.Log(big.cpu.Seconds()/max(small.cpu.Seconds(), 0.0001)) / n
}

type growing struct {
	what     string
	from, to size
	count    func(size) int
}

func grown() []growing {
	steps := func(s size) int { return s.steps }
	files := func(s size) int { return s.files }
	if !full {
		return []growing{{"steps", size{10, 1, 200}, size{20, 1, 200}, steps}}
	}
	return []growing{
		{"steps", size{125, 1, 2000}, size{1000, 1, 2000}, steps},
		{"files", size{125, 1, 12_500}, size{125, 1, 100_000}, files},
	}
}

func write(t *testing.T, text string) {
	t.Helper()
	name := filepath.Join("..", "docs", "performance.md")
	page := strings.Replace(head, "{{table}}", text, 1)
	if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

const head = `# What it costs

Measured by ` + "`make bench`" + `, which writes this page and fails where a target (the design, section 15) is missed. A ratio
compares with the floor that was measured in the same run, turn by turn beside it, each the best of several turns: noise
only ever adds. Times are of one machine and worth little elsewhere; ratios are what is promised. *Processor time* is the ratio of
the time that all processes of both spent computing, children included: what a second core hides is in it.

{{table}}
An exponent of 1 is a cost (of processor time) that grows as the size does; less is better than that. What has no target is told, not promised.
`
