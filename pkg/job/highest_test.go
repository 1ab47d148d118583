package job

import "testing"

// named is a folder of which only the names are asked.
type named struct {
	Folder
	names []string
}

func (n named) List(string) ([]string, error) { return n.names, nil }

func TestHighest_onlyTheStepsOwn(t *testing.T) {
	f := named{names: []string{"s01-2-0123abcd", "s01-10-89abcdef", "s01-1-7-0123abcd", "s01-11-0123abcd-x", "s01-012-0123abcd", "s01-x-0123abcd", "xs01-99-0123abcd", "s01", ".keep"}}
	for step, want := range map[string]int{"s01": 10, "s01-1": 7, "s": 0, "s02": 0} {
		if got := Highest(f, "r-1", step); got != want {
			t.Errorf("%s: %d, want %d", step, got, want)
		}
	}
}
