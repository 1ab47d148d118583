package trace

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestPropose(t *testing.T) {
	tracked := []string{"go.mod", "main.go", "a/x.go", "a/y.go", "a/in/z.go", "b/u.txt", "b/v.txt", "b/w.txt"}
	for _, c := range []struct {
		name    string
		use     Use
		covered string // a folder that the step declares
		want    []string
	}{
		{"nothing", Use{}, "", nil},
		{"one file", Use{Read: []string{"a/x.go"}}, "", []string{"a/x.go"}},
		{"all of a folder", Use{Read: []string{"a/x.go", "a/y.go", "a/in/z.go"}}, "", []string{"a/**"}},
		{"not all of it", Use{Read: []string{"b/u.txt", "b/v.txt"}}, "", []string{"b/u.txt", "b/v.txt"}},
		{"names matter", Use{Listed: []string{"b"}, Read: []string{"b/u.txt"}}, "", []string{"b/*"}},
		{"names of the top", Use{Listed: []string{""}}, "", []string{"*"}},
		{"everything listed", Use{Listed: []string{"a", "a/in"}}, "", []string{"a/**"}},
		{"declared", Use{Read: []string{"a/x.go", "go.mod"}, Listed: []string{"a"}}, "a/", []string{"go.mod"}},
		{"partly declared", Use{Read: []string{"a/x.go", "a/y.go", "a/in/z.go"}}, "a/in/", []string{"a/**"}},
		{"all", Use{Read: tracked}, "", []string{"**"}},
		{"one file alone in its folder", Use{Read: []string{"a/in/z.go"}}, "", []string{"a/in/z.go"}},
	} {
		c.use.Tracked = tracked
		if c.covered != "" {
			c.use.Covered = func(p string) bool { return strings.HasPrefix(p, c.covered) }
		}
		if got := Propose(c.use); !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestGroups(t *testing.T) {
	paths := []string{"/usr/lib/a", "/usr/lib/b", "/home/p/go/x/1", "/home/p/go/x/2", "/home/p/go/y/3"}
	if got := Groups(paths, 3); !maps.Equal(got, map[string]int{"/usr/lib": 2, "/home/p/go/x": 2, "/home/p/go/y/3": 1}) {
		t.Errorf("groups %v", got)
	}
	if got := Groups(paths, 2); !maps.Equal(got, map[string]int{"/usr/lib": 2, "/home/p/go": 3}) {
		t.Errorf("groups of two: %v", got)
	}
	if got := Groups([]string{"/a/b"}, 5); !maps.Equal(got, map[string]int{"/a/b": 1}) {
		t.Errorf("a single path: %v", got)
	}
	total := 0
	for _, n := range Groups(paths, 4) {
		total += n
	}
	if total != len(paths) {
		t.Errorf("groups hold %d paths, want %d", total, len(paths))
	}
}
