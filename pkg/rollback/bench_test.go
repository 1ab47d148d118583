package rollback_test

import (
	"fmt"
	"testing"

	"github.com/git-agent/git-agent/pkg/stash"
)

// Preserve, move and put back 5,000 files, half of them tracked. A ratio to
// `git add` of the same files is what to look at, never the bare time.
func BenchmarkThereAndBack5000(b *testing.B) {
	files := map[string]string{}
	var paths []string
	for i := range 5000 {
		name := fmt.Sprintf("d%d/f%d", i%50, i)
		paths = append(paths, name)
		if i%2 == 0 {
			files[name] = fmt.Sprintf("base %d\n", i)
		}
	}
	w := newWork(b, files)
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		for i, p := range paths {
			w.Write(p, fmt.Sprintf("half %d of %d\n", i, n))
		}
		b.StartTimer()
		commit := w.preserve(paths...)
		if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
			b.Fatal(err)
		}
		if _, err := w.roller.PutBack(ctx, w.request(commit, paths...)); err != nil {
			b.Fatal(err)
		}
		if err := w.store.Drop(ctx, stash.PendingRef(run, step)); err != nil {
			b.Fatal(err)
		}
	}
	for _, e := range w.trace.AllEntries()[:60] {
		if testing.Verbose() {
			b.Log(e.Data["took"], e.Message[:min(len(e.Message), 70)])
		}
	}
}
