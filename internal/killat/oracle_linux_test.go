package killat

import (
	"crypto/sha1" //nolint:gosec // git's names of blobs
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// The oracle knows git, files and what a step of the plan asks for, and asks
// the product nothing. It keeps no notes of its own that a kill could tear.

// history lists the remote's certificates, newest first, as "<id> <step>",
// none where there is no branch: a pattern may match nothing.
func (w *world) history() []string {
	w.t.Helper()
	log := w.remote("log", "--format=%H %(trailers:key=Agent-Step,valueonly,separator=%x2C)", "--glob=refs/heads/agent-run/r-[1]")
	return slices.DeleteFunc(strings.Split(log, "\n"), func(line string) bool { return len(strings.Fields(line)) != 2 })
}

// stepsOf lists the certified steps of a history.
func stepsOf(history []string) []string {
	steps := []string{}
	for _, line := range history {
		steps = append(steps, strings.Fields(line)[1])
	}
	return steps
}

// passed are the certificates that pass found true: a commit never changes.
var passed sync.Map

// pass requires that what is certified was done in the tree that says so.
func (w *world) pass(history []string) {
	w.t.Helper()
	for _, line := range history {
		if _, known := passed.Load(line); !known && w.passes(strings.Cut(line, " ")) {
			passed.Store(line, true)
		}
	}
}

func (w *world) passes(id, step string, _ bool) bool {
	w.t.Helper()
	tree := w.remote("ls-tree", "-r", "--name-only", id, "--", "a", step)
	text := w.remote("show", id+":a/"+step+".txt")
	done := strings.Contains(text, "done") && !strings.Contains(tree, step+"/old")
	for _, name := range []string{"a/new-" + step, step + "/deep/new"} {
		done = done && slices.Contains(strings.Split(tree, "\n"), name)
	}
	if !done {
		w.fail("%s certifies %s, which is not done: %q, %q", id, step, text, tree)
	}
	return done
}

// still requires that no certificate that was there is gone.
func (w *world) still(before []string) {
	w.t.Helper()
	now := w.history()
	if len(now) < len(before) || !slices.Equal(now[len(now)-len(before):], before) {
		w.fail("certificates were %q, are %q", before, now)
	}
}

// work is the content of the steps' files now, by name.
func (w *world) work() map[string]string {
	found := map[string]string{}
	for _, step := range all {
		for _, name := range []string{"a/" + step + ".txt", "a/new-" + step, step + "/deep/new"} {
			if text, err := os.ReadFile(w.at(name)); err == nil && len(text) > 0 {
				found[name] = string(text)
			}
		}
	}
	return found
}

// kept requires that each of these contents can be reached from some ref.
func (w *world) kept(work map[string]string) {
	w.t.Helper()
	reached := w.git("rev-list", "--objects", "--all")
	for name, text := range work {
		blob := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text)) //nolint:gosec // as above
		if !strings.Contains(reached, fmt.Sprintf("%x", blob)) {
			w.fail("%s (%q) is lost", name, text)
		}
	}
}

// once requires that the target holds what was landed once, and else nothing.
// A landing that a killed server tore has a marker of its own besides.
func (w *world) once(landed bool) {
	w.t.Helper()
	want := map[bool]int{false: 0, true: 1}[landed]
	onto := w.remote("log", "--first-parent", "--format=%s", "refs/heads/main")
	marked := strings.Count(w.remote("log", "--format=%B", "--glob=refs/agent/r-[1]"), "Agent-Landed: ")
	if w.torn {
		marked--
	}
	if landings := strings.Count(onto, "swept"); landings != want || marked != want {
		w.fail("landed %d times, with %d markers; want %d\n%s", landings, marked, want, onto)
	}
}

func (w *world) landed() { w.once(true) }

func (w *world) undone() {
	w.same("undone", w.remote("log", "-1", "--format=%(trailers:key=Agent-Undo,valueonly)", "agent-run/r-1"), "s02")
}

func (w *world) version2() {
	w.same("plan", w.remote("show", "refs/agent/r-1:plan.yaml"), strings.TrimSpace(w.beside("amended.yaml")))
	w.same("versions", w.remote("log", "--format=%(trailers:key=Agent-Plan-Version,valueonly,separator=%x2C)", "refs/agent/r-1"), "2\n1")
}

// logged requires each line that the job printed once, in the clone that ran it.
func (w *world) logged() {
	w.t.Helper()
	if w.clone != "work" {
		return
	}
	var want strings.Builder
	for i := range lines {
		fmt.Fprintf(&want, "line %d\n", i+1)
	}
	want.WriteString("last\n")
	cmd := exec.Command(filepath.Join(w.bin, "git-agent"), "logs", "s02", "--attempt", "1")
	cmd.Dir, cmd.Env = w.at(""), w.environ()
	got, err := cmd.Output()
	if err != nil || string(got) != want.String() {
		w.fail("the log has %d bytes, want %d: %v", len(got), want.Len(), err)
	}
}

func (w *world) beside(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	w.check(err)
	return string(text)
}

func (w *world) remoteLocks() []string {
	w.t.Helper()
	remote, err := filepath.EvalSymlinks(filepath.Join(w.dir, "work.git"))
	w.check(err)
	return w.find(remote, isLock)
}

func isLock(path string) bool {
	return strings.HasSuffix(path, ".lock") && filepath.Base(path) != "worktree.lock"
}

// leftovers lists what a killed command may not leave for ever. A file under
// construction goes with the next write of the same name.
func (w *world) leftovers() []string {
	private, kept := w.at(".git/agent/r-1"), w.at(".git/refs/agent-stash/")
	return w.find(w.at(".git"), func(path string) bool {
		name, below := strings.CutPrefix(path, private+"/")
		return isLock(path) || strings.HasPrefix(path, kept) && strings.HasSuffix(path, "/pending") ||
			below && !strings.HasSuffix(name, ".keep") && !strings.HasPrefix(name, "attempts/.") && (strings.HasPrefix(name, "tmp/") || strings.HasPrefix(name, "scratch/") || strings.HasPrefix(name, "attempts/"))
	})
}

func (w *world) find(root string, wanted func(path string) bool) []string {
	w.t.Helper()
	var found []string
	w.check(filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && wanted(path) {
			found = append(found, path)
		}
		return err
	}))
	return found
}
