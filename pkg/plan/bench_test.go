package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
)

// BenchmarkParse is a plan of 1,000 steps, which every command reads once.
func BenchmarkParse(b *testing.B) {
	var text strings.Builder
	text.WriteString("title: x\nsteps:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "  - id: s%d\n    title: step %d\n    touches: [a/%d.go, b/%d/]\n    reads: [go.mod]\n    check:\n      - go test ./...\n      - {run: lint, timeout: 2m, env: {CI: \"1\"}}\n    brief: |\n      do it\n", i, i, i, i)
	}
	data := []byte(text.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := plan.Parse("p", data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLint_globs is a plan of 1,000 steps with a glob each, over 30,000 files.
func BenchmarkLint_globs(b *testing.B) {
	var text strings.Builder
	text.WriteString("title: x\nsteps:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "  - {id: s%d, title: step %d, touches: ['src/**/*%d.go'], check: [make test]}\n", i, i, i)
	}
	var tracked []string
	for i := range 30_000 {
		tracked = append(tracked, fmt.Sprintf("src/p%d/q%d/file%d.go", i%100, i%1000, i))
	}
	for b.Loop() {
		if _, err := plan.Lint("p", []byte(text.String()), plan.LintFacts{Tracked: tracked}); err != nil {
			b.Fatal(err)
		}
	}
}
