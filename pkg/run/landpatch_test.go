package run

import (
	"fmt"
	"testing"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
)

// certified is a run of so many steps, each of which changed a file of its own.
func certified(steps int) *subject {
	var chain []object.Commit
	for i := range steps {
		id := fmt.Sprintf("%040x", i+1)
		chain = append(chain, object.Commit{ID: id, Tree: id, Changes: []object.Change{{Path: fmt.Sprintf("f%04d", i), OldID: "1", NewID: "2"}},
			Message: fmt.Sprintf("x\n\nAgent-Run: r-1\nAgent-Step: s%04d\nAgent-Check: true exit=0 secs=1\nAgent-Plan-Version: 1\nAgent-Tree: %s\n", i, id)})
	}
	return &subject{run: "r-1", base: "base", baseTree: "tree", ledger: ledger.Read("r-1", "base", chain)}
}

// A run of many steps is looked for in time that grows as they do: what it
// changed is known, and no message is read for it again.
func TestFinder_segments_growWithTheSteps(t *testing.T) {
	allocations := func(steps int) float64 {
		f := &finder{o: certified(steps)}
		return testing.AllocsPerRun(1, func() {
			found, err := f.segments(t.Context())
			if err != nil || len(found) != steps+1 || len(found[0].changes) != 1 || len(found[1].changes) != steps {
				t.Fatalf("%d segments of %d steps, %v", len(found), steps, err)
			}
		})
	}
	if few, many := allocations(50), allocations(400); many > 16*few {
		t.Errorf("50 steps take %.0f allocations, 400 steps %.0f", few, many)
	}
}
