package killtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestStart_killedAtEveryPoint: run again, it is the same run, once.
func TestStart_killedAtEveryPoint(t *testing.T) {
	for _, point := range []string{"start-plan", "start-branch", "start-switch", "start-push"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := emptyKillWorld(t)
			start := []string{"start", "../plan.yaml", "--run", "r-1"}
			w.dies(point, start...)
			w.must(0, start...)
			w.want("status", w.git("status", "--porcelain"), "")
			w.want("branch", w.read(".git/HEAD"), "ref: refs/heads/agent-run/r-1\n")
			w.want("plan versions", w.git("rev-list", "--count", "refs/agent/r-1"), "1")
			for _, ref := range []string{"refs/agent/r-1", "refs/heads/agent-run/r-1"} {
				w.want("the remote's "+ref, w.remote("rev-parse", ref), w.git("rev-parse", ref))
			}
			w.want("leftovers", w.leftovers(), nil)
			w.must(0, append([]string{"step", "--"}, w.job("s01", "done")...)...)
			w.want("certificates", w.certificates(), []string{"s01"})
		})
	}
}

// points of a rollback, in order: pkg/run's and, in its middle, pkg/rollback's.
var rollbackPoints = []string{"rollback-pending", "rollback-branch", "unlink", "write", "index", "verify", "rollback-moved", "rollback-recorded"}

// TestRollback_killedAtEveryPoint kills the rollback of a failed attempt, of
// one that committed, and one that a person asked for; what goes on finishes it.
func TestRollback_killedAtEveryPoint(t *testing.T) {
	start := newKillWorld(t)
	for _, how := range []string{"failed", "committed", "asked"} {
		for _, point := range rollbackPoints {
			if how != "failed" && !slices.Contains([]string{"rollback-pending", "rollback-branch", "write", "rollback-moved"}, point) {
				continue // the move itself is the same
			}
			t.Run(how+", "+point, func(t *testing.T) {
				t.Parallel()
				killRollback(start.copy(t), how, point)
			})
		}
	}
}

func killRollback(w *killWorld, how, point string) {
	w.t.Helper()
	job := w.job("s02", "half")
	if how == "committed" {
		job[2] += "; git add -A a s02; git commit -q -m wip"
	}
	w.must(1, append([]string{"step", "s02", "--"}, job...)...)
	before := w.counted("check-s02")
	again := []string{"resume"}
	if how == "asked" {
		again, before = []string{"rollback", "s02"}, before-1
	}
	w.dies(point, again...)
	w.must(0, "resume")
	w.want("checks", w.counted("check-s02")-before, 1)
	w.want("checks of the first step", w.counted("check-s01"), 0)
	w.want("refs", w.refs(), []string{"refs/agent-stash/r-1/s02/1", "refs/agent-stash/r-1/s02/2"})
	if how == "committed" {
		w.want("kept change", w.git("show", "refs/agent-stash/r-1/s02/2:a/s02.txt"), "half")
		w.want("kept new file", w.git("show", "refs/agent-stash/r-1/s02/2:s02/deep/new"), "deep half")
		w.want("the commit is kept", w.git("log", "-1", "--format=%s", "refs/agent-stash/r-1/s02/2^1"), "wip")
	} else {
		w.preserved("refs/agent-stash/r-1/s02/2", "half")
	}
	w.clean(false)
	w.want("failure records", strings.Count(w.git("log", "--format=%(trailers:key=Agent-Attempt,valueonly)", "refs/agent/r-1"), "2"), 1)
	w.want("the remote's plan", w.remote("rev-parse", "refs/agent/r-1"), w.git("rev-parse", "refs/agent/r-1"))
	w.must(0, append([]string{"step", "--"}, w.job("s02", "done")...)...)
	w.want("certificates", w.certificates(), []string{"s02", "s01"})
	w.clean(true)
}

// TestRollback_killedTwice: the second kill is in what finishes the first.
func TestRollback_killedTwice(t *testing.T) {
	start := newKillWorld(t)
	for i, first := range rollbackPoints {
		if i%3 != 0 {
			continue
		}
		t.Run(first, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.must(1, append([]string{"step", "s02", "--"}, w.job("s02", "half")...)...)
			w.dies(first, "resume")
			second := rollbackPoints[max(i, slices.Index(rollbackPoints, "index"))]
			w.dies(second, "resume")
			w.must(0, append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...)
			w.want("certificates", w.certificates(), []string{"s02", "s01"})
			w.clean(true)
		})
	}
}

// TestRollback_killedWhilePutBack: the machine fails every check, so the work
// is put back; killed there, it is still whole once the machine is mended.
func TestRollback_killedWhilePutBack(t *testing.T) {
	start := newKillWorld(t)
	for _, point := range []string{"rollback-moved", "put-back", "put-back-done"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.must(1, append([]string{"step", "s02", "--"}, w.job("s02", "half")...)...)
			w.check(os.RemoveAll(filepath.Join(w.work, ".git/agent/r-1/local.json"))) // so that the boundary is checked
			broken := filepath.Join(w.dir, "count", "broken")
			w.check(os.WriteFile(broken, nil, 0o644))
			w.dies(point, "resume")
			w.must(3, "resume")
			w.want("half work", w.read("a/s02.txt")+w.read("s02/deep/new")+w.read("a/new-s02"), "half\ndeep half\nnew half\n")
			w.want("removed file", w.exists("s02/old"), false)
			w.want("refs", w.refs(), []string{"refs/agent-stash/r-1/s02/1"})
			w.check(os.RemoveAll(broken))
			w.must(0, "resume")
			w.preserved("refs/agent-stash/r-1/s02/2", "half")
			w.clean(false)
		})
	}
}

// TestStep_killedWhileSettingStraysAside: they are kept once, whole.
func TestStep_killedWhileSettingStraysAside(t *testing.T) {
	start := newKillWorld(t)
	for _, point := range []string{"strays-preserved", "unlink", "write", "index", "verify", "row4"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			job := w.job("s02", "done")
			job[2] += "; echo stray > a/one-more; echo changed > mine"
			w.dies(point, append([]string{"step", "s02", "--stray", "set-aside", "--"}, job...)...)
			w.must(0, "resume", "--stray", "set-aside")
			w.want("certificates", w.certificates(), []string{"s02", "s01"})
			w.want("jobs", w.counted("job-s02"), 1)
			w.want("kept change", w.git("show", "refs/agent-stash/r-1/strays/1:mine"), "changed")
			w.want("kept file", w.git("show", "refs/agent-stash/r-1/strays/1^3:a/one-more"), "stray")
			w.want("refs", w.refs()[0], "refs/agent-stash/r-1/strays/1")
			w.clean(true)
		})
	}
}

// TestResume_killedBetweenPhases: what it certified is certified once.
func TestResume_killedBetweenPhases(t *testing.T) {
	start := newKillWorld(t)
	for _, point := range []string{"phaseA", "phaseB", "row8", "row9", "row10", "row11"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.dies("row5", append([]string{"step", "s02", "--"}, w.job("s02", "done")...)...)
			w.dies(point, "resume")
			w.must(0, "resume")
			w.want("certificates", w.certificates(), []string{"s02", "s01"})
			w.want("jobs", w.counted("job-s02"), 1)
			w.want("refs", w.refs(), nil)
			w.clean(true)
		})
	}
}

// TestResume_killedWhileItFollows: the run went on elsewhere, over the same
// files as the work here; that work is kept, the branch followed.
func TestResume_killedWhileItFollows(t *testing.T) {
	start := newKillWorld(t)
	f := start.clone()
	f.must(0, "resume", "r-1", "--trust")
	f.must(0, append([]string{"step", "--"}, f.job("s02", "done")...)...)
	start.must(0, "log") // start's clone knows nothing of it yet
	for _, point := range []string{"follow-way", "follow-tree", "phaseA"} {
		for _, dirty := range []bool{true, false} {
			t.Run(point, func(t *testing.T) {
				t.Parallel()
				w := start.copy(t)
				if dirty {
					w.byHand("s02", "half")
				}
				w.dies(point, "resume")
				w.must(0, "resume")
				w.want("tree", w.git("rev-parse", "HEAD"), w.remote("rev-parse", "agent-run/r-1"))
				if dirty {
					w.preserved("refs/agent-stash/r-1/s02/2", "half")
				}
				w.want("refs", len(w.refs()), map[bool]int{true: 2, false: 1}[dirty])
				w.clean(true)
			})
		}
	}
}

// TestRollback_killedWhileUndoing: certified work taken back by a commit, once.
func TestRollback_killedWhileUndoing(t *testing.T) {
	start := newKillWorld(t)
	start.must(0, append([]string{"step", "s02", "--"}, start.job("s02", "done")...)...)
	for _, point := range []string{"undo-tree", "undo-branch"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			w.dies(point, "rollback", "s02", "--yes")
			w.must(0, "rollback", "s02", "--yes")
			w.want("undone", w.remote("log", "-2", "--format=%(trailers:key=Agent-Undo,valueonly)%(trailers:key=Agent-Step,valueonly)", "agent-run/r-1"), "s02\n\ns02")
			w.want("kept", w.git("show", "refs/agent-stash/r-1/lost/1:a/s02.txt"), "done")
			w.want("refs", len(w.refs()), 1)
			w.clean(false)
			w.must(0, append([]string{"step", "--"}, w.job("s02", "done")...)...)
			w.clean(true)
		})
	}
}

// TestResume_moveCutOff: git was killed while it wrote the files of the commits
// to come, before its index: one is there, one is gone, one is torn.
func TestResume_moveCutOff(t *testing.T) {
	start := newKillWorld(t)
	f := start.clone()
	f.must(0, "resume", "r-1", "--trust")
	f.must(0, append([]string{"step", "--"}, f.job("s02", "done")...)...)
	start.check(os.RemoveAll(f.work))
	for name, begin := range map[string]func(w *killWorld) *killWorld{
		"follow": func(w *killWorld) *killWorld { return w },
		"switch": (*killWorld).clone,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := begin(start.copy(t))
			w.write("a/s02.txt", "done\n")
			w.write("a/new-s02", "new done\n")
			w.check(os.Remove(filepath.Join(w.work, "s02", "old")))
			w.write("s02/deep/new", "deep d")
			w.must(0, "resume", "r-1", "--trust")
			w.want("tree", w.git("rev-parse", "HEAD"), w.remote("rev-parse", "agent-run/r-1"))
			w.want("the torn file", w.git("show", "refs/agent-stash/r-1/strays/1^3:s02/deep/new"), "deep d")
			w.clean(true)
		})
	}
}
