package killtest

import (
	"strings"
	"testing"
)

// landPoints are the places at which `land` can be killed, and whether the
// target holds the run by then.
var landPoints = []struct {
	point string
	in    bool
}{
	{"locked", false}, {"land-fetched", false}, {"land-verified", false}, {"land-integrated", false}, {"land-checked", false},
	{"land-marker", false}, {"land-pushed", true}, {"land-noted", true},
}

// landWorld is a run whose three steps are certified, and a target that moved
// on meanwhile.
func landWorld(t *testing.T) *killWorld {
	t.Helper()
	w := newKillWorld(t)
	for _, step := range []string{"s02", "s03"} {
		w.must(0, append([]string{"step", step, "--"}, w.job(step, "done")...)...)
	}
	w.git("checkout", "-q", "main")
	w.write("aside", "aside\n")
	w.git("add", "aside")
	w.git("commit", "-q", "-m", "aside")
	w.git("push", "-q", "origin", "main")
	w.forget()
	return w
}

// TestLand_killedAtEveryPoint kills `land` everywhere, in each mode, and lands
// again, here or in a fresh clone: once, with one marker, and nothing of
// anybody's is touched.
func TestLand_killedAtEveryPoint(t *testing.T) {
	start := landWorld(t)
	for _, mode := range []string{"merge", "squash"} {
		for i, p := range landPoints {
			if testing.Short() && i%3 != 0 {
				continue
			}
			t.Run(mode+", "+p.point, func(t *testing.T) {
				t.Parallel()
				w := start.copy(t)
				before := w.git("status", "--porcelain=v1", "-uall") + w.git("for-each-ref", "refs/heads", "refs/stash")
				w.dies(p.point, "land", "r-1", "--trust", "--mode", mode)
				w.landedTimes(map[bool]int{false: 0, true: 1}[p.in])
				again, args := w, []string{"land", "r-1", "--mode", mode}
				if i%2 == 1 {
					again, args = w.clone(), append(args, "--trust")
				}
				out := again.must(0, args...)
				if want := map[bool]string{false: "landed", true: "already-landed (marker)"}[p.in]; !strings.Contains(out, "run r-1: "+want) {
					t.Errorf("it says %q, want %q", out, want)
				}
				again.must(0, "land", "r-1", "--mode", mode)
				again.must(1, "preflight", "r-1")
				w.landedTimes(1)
				w.must(1, "preflight", "r-1")
				w.want("the person's checkout", w.git("status", "--porcelain=v1", "-uall")+w.git("for-each-ref", "refs/heads", "refs/stash"), before)
				w.must(0, "land", "r-1")
				w.want("leftovers", w.leftovers(), nil)
				w.want("fsck", w.remote("fsck", "--no-progress", "--no-dangling"), "")
			})
		}
	}
}

// landedTimes counts landings on the target and markers on the plan ref.
func (w *killWorld) landedTimes(n int) {
	w.t.Helper()
	w.want("commits on the target", strings.Count("\n"+w.remote("log", "--first-parent", "--format=%s", "main")+"\n", "killed\n"), n)
	w.want("markers", strings.Count(w.remote("log", "--format=%B", "refs/agent/r-1"), "Agent-Landed: "), n)
}

// TestResume_killedAtTheMissingMarker: somebody else landed the run; the marker
// that is missing is written once, wherever that is interrupted.
func TestResume_killedAtTheMissingMarker(t *testing.T) {
	w := landWorld(t)
	w.git("merge", "-q", "--no-ff", "-m", "by hand: killed", "agent-run/r-1")
	w.git("push", "-q", "origin", "main")
	w.dies("land-marked", "resume", "r-1")
	w.must(0, "resume", "r-1")
	w.must(0, "resume", "r-1")
	w.landedTimes(1)
	w.must(1, "preflight", "r-1")
}
