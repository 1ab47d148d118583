package run

import "testing"

func TestQuoteArg(t *testing.T) {
	for in, want := range map[string]string{
		"a/b.txt":   "a/b.txt",
		"":          "''",
		"it's":      `'it'\''s'`,
		"für alle":  "'für alle'",
		"st\xffray": `$'st\377ray'`,
		"a\nb'\\c":  `$'a\012b\047\134c'`,
	} {
		if got := quoteArg(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
