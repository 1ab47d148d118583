package bench

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// mostProcesses is what the design allows a resume, whatever its size.
const mostProcesses = 12

// grid is the table of a resume where everything is certified, by steps and
// files: against the floor, and against the loop of the source documents, a
// `git diff --quiet` for each step. The ratio is judged at its far corner, the
// size that the design promises it for; the processes everywhere.
func grid(t *testing.T) *table {
	b := tableOf("| steps | files | floor took | `resume` took | ratio | target | processes of git | one `git diff` a step took | times `resume` |")
	for _, files := range fullOr([]int{1000, 10_000, 100_000}, []int{few(), many()}) {
		for _, steps := range fullOr([]int{10, 100, 1000}, []int{10}) {
			at := size{steps: steps, rounds: 1, files: files}
			b.row(t, fmt.Sprintf("%d steps %d files", steps, files), func(t *testing.T) string { return cell(t, at) })
		}
	}
	return b
}

func cell(t *testing.T, of size) string {
	w := worldOf(t, of)
	m := versus(t, turns(5), w.walk(), w.act("git-agent resume {run}"))
	loop := take(t, w.loop(), 0)
	processes := w.children("resume {run}")
	judged := 0.0
	if of == large() {
		judged = 1.5
	}
	if full && processes > mostProcesses {
		t.Errorf("%d processes of git, at most %d", processes, mostProcesses)
	}
	judge(t, "`resume`, everything certified", m.ratio(), judged)
	return fmt.Sprintf("| %d | %d | %s | %s | %.2f | %s | %d | %s | %.1f |", of.steps, of.files, millis(m.floor.wall), millis(m.ours.wall),
		m.ratio(), target(judged), processes, millis(loop.wall), loop.wall.Seconds()/m.ours.wall.Seconds())
}

// loop asks for each step by itself whether its files are still what its
// certificate has.
func (w *world) loop() act {
	certificates := strings.Fields(w.Git("rev-list", "--reverse", "--first-parent", w.base+".."+w.branch()))
	return act{run: func(int) []*exec.Cmd {
		var all []*exec.Cmd
		for step, c := range certificates {
			all = append(all, w.command("git", "diff", "--quiet", c, "--", fmt.Sprintf("d%04d/", w.size.folder(step))))
		}
		return all
	}}
}
