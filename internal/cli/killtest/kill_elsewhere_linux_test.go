package killtest

import "testing"

// TestResume_rollbackKilledAndDoneElsewhere kills the rollback of a step's work;
// another clone does the step; the first one comes back, follows, and what is
// left of its rollback does not touch what is certified now.
func TestResume_rollbackKilledAndDoneElsewhere(t *testing.T) {
	start := newKillWorld(t)
	start.must(1, append([]string{"step", "s02", "--"}, start.job("s02", "half")...)...)
	start.forget()
	for i, point := range rollbackPoints {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.must(0, "trust", "r-1")
			w.dies(point, "resume")
			c := w.clone()
			c.must(0, "resume", "r-1", "--trust")
			c.must(0, append([]string{"step", "s02", "--"}, c.job("s02", "done")...)...)
			w.must(0, "resume")
			w.want("certificates", w.certificates(), []string{"s02", "s01"})
			w.want("branch", w.git("rev-parse", "HEAD"), w.remote("rev-parse", "agent-run/r-1"))
			w.want("status", w.git("status", "--porcelain", "-uno"), "")
			w.want("file", w.read("a/s02.txt"), "done\n")
			w.want("leftovers", w.leftovers(), nil)
			kept := false
			for _, ref := range w.refs() {
				kept = kept || w.git("show", ref+":a/s02.txt") == "half"
			}
			w.want("the work is kept", kept, true)
		})
	}
}
