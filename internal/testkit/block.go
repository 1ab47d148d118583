package testkit

import (
	"os"
	"strings"
	"testing"
)

// Block is the part of a page that a test writes: what stands between two lines.
type Block struct{ Page, Begins, Ends string }

// Text is what stands there.
func (b Block) Text(t testing.TB) string {
	t.Helper()
	_, text, _ := b.cut(t)
	return text
}

// Write replaces it.
func (b Block) Write(t testing.TB, text string) {
	t.Helper()
	before, _, after := b.cut(t)
	if err := os.WriteFile(b.Page, []byte(before+text+after), 0o644); err != nil { //nolint:gosec // a page of the project
		t.Fatal(err)
	}
}

func (b Block) cut(t testing.TB) (before, text, after string) {
	t.Helper()
	page, err := os.ReadFile(b.Page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begun := strings.Cut(string(page), b.Begins+"\n")
	text, tail, ended := strings.Cut(rest, b.Ends+"\n")
	if !begun || !ended {
		t.Fatalf("%s has no place between %q and %q", b.Page, b.Begins, b.Ends)
	}
	return head + b.Begins + "\n", text, b.Ends + "\n" + tail
}
