package plan

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// One walk of the tree finds what asking each pair about each file finds.
func TestMeetings_asPairByPair(t *testing.T) {
	entries := []string{"a", "a/", "a/b", "a/b/", "a/**", "**", "**/*.go", "*.go", "a/*.go", "a/**/c.go", "**/b/**", "b/*.md", "a/b/c.go", "ab/", "ab/*"}
	files := []string{"a", "a.go", "a/c.go", "a/b", "a/b/c.go", "a/b/d.md", "ab/x", "ab/c.go", "b/c.md", "b/c.go", "a/b/b/c.go"}
	rapid.Check(t, func(t *rapid.T) {
		compiled, err := CompilePaths(rapid.SliceOfN(rapid.SampledFrom(entries), 1, 8).Draw(t, "entries"))
		if err != nil {
			t.Fatal(err)
		}
		tracked := rapid.SliceOfDistinct(rapid.SampledFrom(files), rapid.ID).Draw(t, "files")
		var set PathSet
		for _, f := range tracked {
			set.Add(f)
		}
		m := newMeetings(compiled.patterns, &set)
		for _, a := range compiled.patterns {
			for _, b := range compiled.patterns {
				want := slices.ContainsFunc(tracked, func(f string) bool { return a.match(f) && b.match(f) })
				if got := m.of(a, b); a != b && got != want {
					t.Fatalf("%+v and %+v in %q: %v, want %v", a, b, tracked, got, want)
				}
			}
		}
	})
}
