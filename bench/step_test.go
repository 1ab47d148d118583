package bench

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// The two ways to the remote.
const (
	overHTTP   = "git http-backend on loopback"
	intoFolder = "the remote is a folder on the same disk"
)

// step certifies one file after the other, a step each turn; the floor commits
// and pushes a file of another clone by hand, on a branch of its own.
func step(files func() int, way string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := worldOf(t, size{steps: 1, rounds: 1, files: files()})
		url, run := w.Git("remote", "get-url", "origin"), "into-folder"
		if way == overHTTP {
			url, run = w.serve().url, "over-http"
		}
		hand := w.pair(run, url)
		return versus(t, turns(min(11, 500_000/w.size.files)), w.byHand(hand), w.certifying()).told("%d files; %s", w.size.files, way)
	}
}

// pair begins a run of small steps in this clone, and answers another clone of
// the same remote, to do the same by hand in.
func (w *world) pair(run, url string) *gittest.Repo {
	w.T.Helper()
	hand := w.Clone(url)
	hand.Git("checkout", "-q", "-b", "hand-"+run, "origin/main")
	w.run = run
	w.start(stepPlan(40))
	return hand
}

func (w *world) byHand(hand *gittest.Repo) act {
	lines := []string{"git commit -q -m by-hand", "git push -q origin hand-{run}"}
	return act{
		before: func(turn int) { hand.Write(file(turn, perFolder), fmt.Sprintf("turn %d\n", turn)) },
		run: func(turn int) []*exec.Cmd {
			all := []*exec.Cmd{w.command("sh", "-c", "true")}
			for _, line := range append([]string{"git add " + file(turn, perFolder)}, lines...) {
				c := w.words(line)
				all = append(all, w.command(c[0], c[1:]...))
				all[len(all)-1].Dir = hand.Dir
			}
			return all
		},
	}
}

func (w *world) certifying() act {
	return act{
		before: func(turn int) { w.Write(file(turn, perFolder), fmt.Sprintf("turn %d\n", turn)) },
		run: func(turn int) []*exec.Cmd {
			return []*exec.Cmd{w.command("git-agent", "step", stepID(turn), "--run", w.run)}
		},
	}
}

// stepPlan has steps that each touch a file of their own.
func stepPlan(steps int) string {
	var b strings.Builder
	b.WriteString(planHead)
	for i := range steps {
		fmt.Fprintf(&b, "  - {id: %s, title: write %d, touches: [%s], check: [\"true\"]}\n", stepID(i), i, file(i, perFolder))
	}
	return b.String()
}
