package stash

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/git-agent/git-agent/pkg/object"
)

// What an index has and a tree has not comes out of the message as it went in,
// whatever bytes the paths are made of.
func TestIndexMessage_roundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.SliceOfNDistinct(rapid.SliceOfN(rapid.Byte(), 1, 12), 0, 6, func(b []byte) string { return string(b) }).Draw(t, "paths")
		want := make(map[string]flag)
		sparse := make(map[string]bool)
		var entries []object.IndexEntry
		for _, b := range paths {
			p := string(b)
			e := object.IndexEntry{Entry: object.Entry{Path: p, Mode: object.ModeExecutable}, AssumeUnchanged: rapid.Bool().Draw(t, "assume"),
				SkipWorktree: rapid.Bool().Draw(t, "skip"), IntentToAdd: rapid.Bool().Draw(t, "intent")}
			sparse[p] = e.SkipWorktree && rapid.Bool().Draw(t, "sparse")
			f := flag{assume: e.AssumeUnchanged, skip: e.SkipWorktree, sparse: sparse[p]}
			if e.IntentToAdd {
				f.intent = e.Mode
			}
			if f != (flag{}) {
				want[p] = f
			}
			entries = append(entries, e)
		}
		got, ok := parseFlags(indexMessage(entries, sparse))
		if !ok || len(got) != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for p, f := range want {
			if got[p] != f {
				t.Fatalf("%q: got %+v, want %+v", p, got[p], f)
			}
		}
	})
}

func FuzzParseFlags(f *testing.F) {
	f.Add(indexSubject + "\n\nskip-worktree \"a\\nb\"\n")
	f.Add(indexSubject + "\n\nintent-to-add 100644 \"\\xff\"\n")
	f.Fuzz(func(t *testing.T, message string) {
		flags, ok := parseFlags(message)
		if ok == (flags == nil) {
			t.Errorf("flags %v, ok %v", flags, ok)
		}
	})
}
