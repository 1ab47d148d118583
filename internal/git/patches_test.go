package git

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// However the answer comes in pieces, each pair gets exactly its own lines.
func TestPatchCutter(t *testing.T) {
	id := strings.Repeat("0123abcd", 5)
	pair := id + " " + id + "\n"
	want := []string{"diff --git a/x b/x\n@@ -1 +1 @@\n-" + id + " " + id + "\n+" + strings.Repeat("long ", 200) + "\n", "", "last, no newline"}
	text := pair + want[0] + pair + pair + want[2]
	for _, size := range []int{1, 7, 40, 81, 82, 83, 130, 1000, len(text)} {
		var got []*strings.Builder
		c := &patchCutter{each: func(n int) io.Writer {
			if n != len(got) {
				t.Errorf("pair %d comes after %d", n, len(got))
			}
			got = append(got, &strings.Builder{})
			return got[n]
		}}
		for part := range slices.Chunk([]byte(text), size) {
			if n, err := c.Write(part); err != nil || n != len(part) {
				t.Fatalf("pieces of %d: %d, %v", size, n, err)
			}
		}
		if err := c.end(); err != nil || len(got) != len(want) {
			t.Fatalf("pieces of %d: %d pairs, %v", size, len(got), err)
		}
		for i := range want {
			if got[i].String() != want[i] {
				t.Errorf("pieces of %d, pair %d: %q, want %q", size, i, got[i].String(), want[i])
			}
		}
	}
	if _, err := (&patchCutter{}).Write([]byte("diff --git a/x b/x\n")); err == nil {
		t.Error("an answer that begins with no pair is taken")
	}
}
