package killat

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// begins brings a copy to where the scene's command is to run.
func (w *world) begins(s scene) {
	w.t.Helper()
	if s.begin == nil {
		return
	}
	w.t.Cleanup(w.letGo) // nothing that was begun outlives its test
	s.begin(w)
}

// survives does the harm and requires that all is well afterwards.
func (w *world) survives(at spot) {
	w.t.Helper()
	s := at.scene
	w.what = at.String()
	w.begins(s)
	work := w.work()
	r := w.run(s, append(slices.Clone(at.harm.args), "-n", fmt.Sprint(at.n)))
	w.what = fmt.Sprintf("%v of %d (%s), exit %d", at, r.Points, r.At, r.Exit)
	if w.after != nil {
		w.after()
	} else {
		work = w.work()
	}
	if at.harm.whole && r.Exit != 0 && strings.HasPrefix(r.At, "git-agent ") { // git's own standard I/O gives up
		w.fail("a signal that interrupts a call is no reason to end")
	}
	if s.release != nil {
		s.release(w)
	}
	before := w.history()
	if at.harm.fresh {
		w.goesOnElsewhere(s, work)
	} else {
		w.goesOn(s.goesOn(false))
		w.kept(work)
		w.finish(s)
	}
	w.still(before)
	w.same("fsck of the remote", w.remote("fsck", "--no-progress", "--no-dangling"), "")
}

// goesOnElsewhere: the machine is gone, a new one goes on, and then the old one
// comes back.
func (w *world) goesOnElsewhere(s scene, work map[string]string) {
	w.t.Helper()
	old := w.clone
	w.another("other")
	w.goesOn(s.goesOn(true))
	w.finish(s)
	w.clone = old
	if s.begin != nil {
		w.letGo()
	}
	w.comesBack(s)
	w.kept(work)
	w.whole(s)
}

// comesBack: the clone that was harmed follows. It says once that it lost,
// where it did; a cancel that it could not take to the remote stands here until
// a person orders otherwise.
func (w *world) comesBack(s scene) {
	w.t.Helper()
	args := resumed.args
	if slices.Equal(s.certified(), all) && s.check != nil { // landed: there is nothing to resume
		args = s.goesOn(true)[0].args
	}
	code, out := w.agent(args...)
	if s.name == "cancel" && code == 3 && strings.Contains(out, "was cancelled by") {
		args = append(slices.Clone(args), "--takeover")
		code, out = w.agent(args...)
	}
	if code == 4 {
		code, out = w.agent(args...)
	}
	if code != 0 {
		w.fail("the old clone: git agent %s: exit %d\n%s", strings.Join(args, " "), code, out)
	}
}

// goesOn calls one after the other.
func (w *world) goesOn(calls []call) {
	w.t.Helper()
	for _, c := range calls {
		code, out := w.agent(c.args...)
		for code != c.exit && (w.halfLanded(out, &c) || w.stale(out)) {
			code, out = w.agent(c.args...)
		}
		if code != c.exit {
			w.fail("git agent %s: exit %d, want %d\n%s", strings.Join(c.args, " "), code, c.exit, out)
		}
	}
}

// halfLanded reports whether the server was killed between the two refs of a
// landing: its lock on the target is still there. From elsewhere that looks
// like a target that somebody took back, so a person has to decide, by the
// command that the hint names; nothing has to be repaired.
func (w *world) halfLanded(out string, c *call) bool {
	w.t.Helper()
	locked := slices.ContainsFunc(w.remoteLocks(), func(l string) bool { return strings.HasSuffix(l, "/refs/heads/main.lock") })
	if w.torn || !locked || !strings.Contains(out, "hint: git agent land r-1 --again ") {
		return false
	}
	w.torn = true
	c.args = append(slices.Clone(c.args), "--again")
	return true
}

// stale reports whether locks of a server that was killed too are in the
// remote. Such a lock is the remote's: what met with it has to name it, and
// only a person takes it away, one after the other as git meets with them.
func (w *world) stale(out string) bool {
	w.t.Helper()
	locks := w.remoteLocks()
	named := slices.DeleteFunc(slices.Clone(locks), func(l string) bool { return !strings.Contains(out, filepath.Base(l)) })
	for _, l := range named {
		w.check(os.Remove(l))
	}
	if len(locks) > 0 && len(named) == 0 {
		w.fail("the remote's locks %s are not named:\n%s", locks, out)
	}
	return len(named) > 0
}

// lastStep does the second step where it is not certified yet. A lock in the
// remote can be met with only now; what is certified here by then is pushed
// when the run goes on.
func (w *world) lastStep() {
	w.t.Helper()
	if slices.Contains(stepsOf(w.history()), "s02") {
		return
	}
	args := append([]string{"step", "s02", "--"}, job("s02", "done")...)
	code, out := w.agent(args...)
	if code != 0 && w.stale(out) {
		w.goesOn([]call{resumed})
		w.lastStep()
	} else if code != 0 {
		w.fail("git agent %s: exit %d\n%s", strings.Join(args, " "), code, out)
	}
}

// finish does what is left and looks at the whole.
func (w *world) finish(s scene) {
	w.t.Helper()
	if w.t.Failed() {
		return
	}
	if s.rest == nil {
		s.rest = (*world).lastStep
	}
	s.rest(w)
	w.whole(s)
}

// whole: everything is there once, here and on the remote, and nothing is left over.
func (w *world) whole(s scene) {
	w.t.Helper()
	history := w.history()
	w.same("certificates in "+w.clone, fmt.Sprint(stepsOf(history)), fmt.Sprint(s.certified()))
	w.pass(history)
	refs := []string{"rev-parse", "refs/agent/r-1", "refs/heads/agent-run/r-1"}
	if s.name == "land" && w.clone != "work" {
		refs = refs[:2] // landing needs no branch of its own
	}
	w.same("pushed", w.remote(refs...), w.git(refs...))
	w.same("status", w.git("status", "--porcelain", "-uall"), "")
	w.same("fsck", w.git("fsck", "--no-progress", "--no-dangling"), "")
	w.same("leftovers", fmt.Sprint(w.leftovers()), "[]")
	if s.check != nil {
		s.check(w)
	}
	if s.name != "land" {
		w.once(false)
	}
}
