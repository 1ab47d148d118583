package killat

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// What scenes begin from.

func (w *world) byHand(step, what string) {
	w.t.Helper()
	cmd := exec.Command("sh", "-c", fmt.Sprintf(doStep, step, what))
	cmd.Dir = w.at("")
	w.check(cmd.Run())
}

// half: a job failed its check, its work is in the tree.
func (w *world) half() {
	w.t.Helper()
	if code, out := w.agent(append([]string{"step", "s02", "--"}, job("s02", "half")...)...); code != 1 {
		w.t.Fatalf("a failing step: exit %d\n%s", code, out)
	}
}

func (w *world) does(step string) {
	w.t.Helper()
	w.must(append([]string{"step", step, "--"}, job(step, "done")...)...)
}

func (w *world) done() { w.does("s02") }

// fresh: the clone is brand new, another machine's.
func (w *world) fresh() { w.another("fresh") }

// another makes a clone beside this one and goes on there.
func (w *world) another(name string) {
	w.t.Helper()
	w.git("clone", "-q", "--template=", "file://"+filepath.Join(w.dir, "work.git"), "../"+name)
	w.clone = name
}

// follow: the run went on elsewhere, over the files of the work here.
func (w *world) follow() {
	w.fresh()
	w.must(resumed.args...)
	w.must(append([]string{"step", "s02", "--"}, job("s02", "done elsewhere")...)...)
	w.clone = "work"
	w.byHand("s02", "half")
}

// unstarted: there never was a run.
func (w *world) unstarted() {
	w.git("switch", "-q", "main")
	for _, ref := range strings.Fields(w.git("for-each-ref", "--format=%(refname)", "refs/agent", "refs/agent-lease", "refs/agent-remote", "refs/agent-stash", "refs/heads/agent-run")) {
		w.git("update-ref", "-d", ref)
	}
	for _, ref := range strings.Fields(w.remote("for-each-ref", "--format=%(refname)", "refs/agent", "refs/agent-lease", "refs/heads/agent-run")) {
		w.remote("update-ref", "-d", ref)
	}
	w.check(os.RemoveAll(w.at(".git/agent")))
}

// begun: nothing is certified yet.
func (w *world) begun() {
	w.unstarted()
	w.must(start.args...)
	w.must("trust", "r-1")
}

// amended: the new version may run here.
func (w *world) amended() {
	w.must("trust", "r-1")
}

// finished: every step is certified, and the target moved on meanwhile.
func (w *world) finished() {
	w.does("s02")
	w.does("s03")
	w.git("switch", "-q", "main")
	w.write("aside", "aside\n")
	w.git("add", "aside")
	w.git("commit", "-q", "-m", "aside")
	w.git("push", "-q", "origin", "main")
}

// lines is how much the job of detached prints.
const lines = 3000

// detached: a job does the step's work, prints, and waits until it is let go.
// It ends by itself after a while where a failed test forgets it.
func (w *world) detached() {
	w.t.Helper()
	job := fmt.Sprintf(doStep, "s02", "done") + fmt.Sprintf(`; i=0; while [ $((i+=1)) -le %d ]; do echo line $i; done; touch ../printed; `, lines) +
		`i=0; until [ -e ../go ] || [ $((i+=1)) -gt 3000 ]; do sleep 0.02; done; echo last`
	w.must("step", "s02", "--detach", "--", "sh", "-c", job)
	w.appears("printed")
}

func (w *world) letGo() { w.write("../go", "") }

// appears waits for a file beside the clones.
func (w *world) appears(name string) {
	w.t.Helper()
	for range 3000 {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.t.Fatalf("%s: %s does not appear", w.what, name)
}
