package killtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// locked makes git locks in the clone, as a killed git leaves them.
func (w *killWorld) locked(at time.Time, names ...string) {
	w.t.Helper()
	for _, name := range names {
		path := filepath.Join(w.work, ".git", name)
		w.check(os.WriteFile(path, nil, 0o644))
		w.check(os.Chtimes(path, at, at))
	}
}

// TestLock_ofAKilledGit: what a killed command's own children left is removed
// by the next command, also where that one is killed before it gets there.
func TestLock_ofAKilledGit(t *testing.T) {
	start := newKillWorld(t)
	for _, again := range []int{0, 1, 3} {
		t.Run(strings.Repeat("killed again, ", again), func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.dies("row5", append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...)
			w.locked(time.Now(), "index.lock", "HEAD.lock", "packed-refs.lock", "refs/heads/agent-run/r-1.lock", "refs/remotes/origin/agent-run/r-1.lock",
				"refs/agent/r-1.lock", "refs/agent-stash/r-1/s02/2.lock", "refs/agent-remote/origin/branch/r-1.lock")
			for range again {
				w.dies("locked", "resume")
			}
			w.must(0, "resume")
			w.want("certificates", w.certificates(), []string{"s02", "s01"})
			w.clean(true)
		})
	}
}

// TestLock_ofSomebodyElse: it is named and left alone, again and again, until
// a person removed it.
func TestLock_ofSomebodyElse(t *testing.T) {
	start := newKillWorld(t)
	for name, killed := range map[string]bool{"nobody was killed": false, "older than what was killed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			at := time.Now()
			if killed {
				at = at.Add(-time.Hour)
				w.dies("row5", append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...)
			}
			w.locked(at, "index.lock")
			for range 2 {
				out := w.must(3, "resume")
				w.want("names it", strings.Contains(out, "rm -f "), true)
				w.want("is there", w.exists(".git/index.lock"), true)
			}
			w.check(os.Remove(filepath.Join(w.work, ".git", "index.lock")))
			if killed { // what was ours is mended all the same
				w.locked(time.Now(), "HEAD.lock")
			}
			w.must(0, "resume")
			w.clean(killed)
		})
	}
}

// TestLock_onTheTarget: git moves the target's remote-tracking ref by itself when
// `land` pushes. A lock on it that a killed command left is removed; one of
// somebody else's there is in nobody's way.
func TestLock_onTheTarget(t *testing.T) {
	const lock = "refs/remotes/origin/main.lock"
	start := landWorld(t)
	for name, age := range map[string]time.Duration{"of the killed one": 0, "of somebody else": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.must(0, "trust", "r-1")
			w.dies("land-pushed", "land", "r-1", "--mode", "merge")
			w.locked(time.Now().Add(-age), lock)
			w.must(0, "land", "r-1", "--mode", "merge")
			w.landedTimes(1)
			w.want("is there", w.exists(".git/"+lock), age > 0)
		})
	}
}
