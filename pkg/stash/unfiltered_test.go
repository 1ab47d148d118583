package stash_test

import (
	"slices"
	"testing"
)

// Line ends are nobody's secret; whatever else git stores otherwise may be one.
func TestStore_Unfiltered(t *testing.T) {
	w := newWork(t, map[string]string{"base": "1\n", ".gitattributes": "*.crlf text\n"})
	w.Git("config", "filter.f.clean", "tr a-z n-za-m")
	w.reopen()
	w.Write("base", "half\n")
	w.Write("n.crlf", "1\r\n2\r\n")
	w.Write("n.x", "secret\r\n")
	w.Write(".gitattributes", "*.crlf text\n*.x filter=f\n")
	for _, c := range []struct{ paths, want []string }{
		{[]string{"base"}, nil},
		{[]string{"base", "n.crlf"}, nil},
		{[]string{"base", "n.crlf", "n.x", ".gitattributes"}, []string{"n.x"}},
	} {
		commit, err := w.snapshot(c.paths...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.store.Unfiltered(ctx, commit)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("of %q: %q, %v, want %q", c.paths, got, err, c.want)
		}
	}
}
