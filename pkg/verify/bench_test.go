package verify

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkJudge is the part of verify that is ours: 10,000 certificates.
func BenchmarkJudge(b *testing.B) {
	var messages []string
	for i := range 10_000 {
		messages = append(messages, sound(fmt.Sprintf("s%05d", i), "Agent-Tree: "+strings.Repeat("1", 40)+"\n"))
	}
	chain := history(messages...)
	b.ResetTimer()
	for b.Loop() {
		j := &judge{policy: Format, target: target{run: "r-1", chain: chain}}
		if j.run(); len(j.faults) > 0 {
			b.Fatal(j.faults[0])
		}
	}
}
