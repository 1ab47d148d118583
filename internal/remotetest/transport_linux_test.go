package remotetest

import "testing"

// TestTransports_twoMachines: start, trust, step with and without a job, and
// resume, between two machines that share nothing but a remote.
func TestTransports_twoMachines(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 3).over(transport)
			a := w.started("a")
			w.want("certificates", len(w.certificates()), 0)
			a.must(0, a.does("s01")...)
			a.level()

			b := w.clone("b")
			w.says(b.must(3, "resume", "r-1"), "git agent trust r-1")
			w.want("checks before trust", w.counted("check-s01"), 1)
			b.must(0, "trust", "r-1")
			b.must(0, "resume", "r-1")
			w.want("checks in a fresh clone", w.counted("check-s01"), 1)
			w.write("b/a/s02.txt", "done by b\n")
			b.must(0, "step", "s02")
			b.level()

			a.must(0, "resume")
			a.level()
			a.must(0, a.does("s03")...)
			w.want("certificates", w.certificates(), []string{"s03", "s02", "s01"})
			w.says(w.lease(), "Agent-State: released")
			w.want("locks of the remote", w.locks(), []string{})
			b.must(0, "resume")
			b.level()
		})
	}
}
