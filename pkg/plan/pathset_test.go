package plan_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
	"pgregory.net/rapid"
)

// TestPathSet_isASet runs random operations beside a plain map.
func TestPathSet_isASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var set plan.PathSet
		model := map[string]bool{}
		for range rapid.IntRange(0, 30).Draw(t, "operations") {
			path := smallPath().Draw(t, "path")
			if rapid.Bool().Draw(t, "add") {
				set.Add(path)
				model[path] = true
			} else {
				set.Remove(path)
				delete(model, path)
			}
		}
		probe := smallPath().Draw(t, "probe")
		under := func(dir string) bool {
			for path := range model {
				if dir == "" || strings.HasPrefix(path, dir+"/") {
					return true
				}
			}
			return false
		}
		if set.Has(probe) != model[probe] || set.HasUnder(probe) != under(probe) || set.HasUnder("") != under("") || set.Len() != len(model) {
			t.Fatalf("%q: Has %v, HasUnder %v, Len %d; model %v", probe, set.Has(probe), set.HasUnder(probe), set.Len(), model)
		}
		if got, want := slices.Collect(set.All()), slices.Sorted(maps.Keys(model)); !slices.Equal(got, want) {
			t.Fatalf("All %q, want %q", got, want)
		}
	})
}

func TestPathSet_zeroValue(t *testing.T) {
	var set plan.PathSet
	set.Remove("a")
	if set.Has("a") || set.Has("") || set.HasUnder("") || set.Len() != 0 {
		t.Error("the zero value is not the empty set")
	}
}

// BenchmarkPaths_Touches is the guard of 1,000 steps against 30,000 differing
// paths, none of which is theirs: the worst case, all must be asked.
func BenchmarkPaths_Touches(b *testing.B) {
	var set plan.PathSet
	for i := range 30_000 {
		set.Add(fmt.Sprintf("src/p%d/q%d/file%d.go", i%100, i%1000, i))
	}
	for _, shape := range []string{"own/p%d/file.go", "own/p%d/", "own/p%d/**", "own/**/p%d/*.go", "**/p%d.md"} {
		steps := make([]plan.Paths, 1000)
		for i := range steps {
			steps[i] = compile(b, fmt.Sprintf(shape, i))
		}
		b.Run(strings.NewReplacer("/", "|", "%d", "N").Replace(shape), func(b *testing.B) {
			for b.Loop() {
				for _, p := range steps {
					if p.Touches(&set) {
						b.Fatal("a foreign path matched")
					}
				}
			}
		})
	}
}
