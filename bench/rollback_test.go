package bench

import (
	"fmt"
	"strings"
	"testing"
)

// rollback takes back a half step that changed all files. The floor moves the
// same files, and preserves nothing or in git's own way.
func rollback(floor string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := worldOf(t, size{steps: 1, rounds: 1, files: fullOr(10_000, 200)})
		w.run = "back"
		if _, err := w.TryGit("", "checkout", "-q", "agent-run/back"); err != nil {
			w.start(w.wholePlan())
		}
		half := func(act act) act {
			act.before = w.changeAll
			return act
		}
		m := versus(t, turns(3), half(w.act(floor)), half(w.act("git-agent rollback s00000 --run {run}")))
		if left := w.Git("status", "--porcelain"); left != "" {
			t.Errorf("left behind: %.200s", left)
		}
		return m.told("%d files", w.size.files)
	}
}

// changeAll changes each file anew; what is preserved is never the same twice.
func (w *world) changeAll(turn int) {
	w.changes++
	for i := range w.size.files {
		w.Write(file(i, perFolder), fmt.Sprintf("turn %d: %d of %d\n", turn, i, w.changes))
	}
}

// wholePlan has one step, of all folders.
func (w *world) wholePlan() string {
	var folders []string
	for i := range w.size.files / perFolder {
		folders = append(folders, fmt.Sprintf("d%04d/", i))
	}
	return planHead + "  - {id: s00000, title: all of it, touches: [" + strings.Join(folders, ", ") + "], check: [\"true\"]}\n"
}
