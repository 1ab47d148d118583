package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// act is something that is timed: commands one after the other. before runs
// ahead of each time and is not part of it.
type act struct {
	before func(turn int)
	run    func(turn int) []*exec.Cmd
}

// command prepares a child in the world's folder and environment.
func (w *world) command(name string, args ...string) *exec.Cmd {
	path := name
	if name == "git-agent" || name == "hello" {
		path = filepath.Join(bin, name)
	}
	c := exec.Command(path, args...)
	c.Dir, c.Env = w.Dir, w.Env
	return c
}

// act is what is the same every turn: each line a command, {run} in it the
// world's run.
func (w *world) act(lines ...string) act {
	return act{run: func(int) []*exec.Cmd {
		var all []*exec.Cmd
		for _, line := range lines {
			c := w.words(line)
			all = append(all, w.command(c[0], c[1:]...))
		}
		return all
	}}
}

func (w *world) words(line string) []string {
	return strings.Fields(strings.ReplaceAll(line, "{run}", w.run))
}

// children counts the processes of git that a command starts.
func (w *world) children(line string) int {
	trace := filepath.Join(w.T.TempDir(), "trace")
	c := w.command("git-agent", w.words(line)...)
	c.Env = append(c.Env, "GIT_AGENT_TRACE="+trace)
	if out, err := c.CombinedOutput(); err != nil {
		w.T.Fatalf("%s: %v\n%s", c, err, out)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		w.T.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// cost is what an act took: by the clock, and of the processors, its children
// included.
type cost struct{ wall, cpu time.Duration }

// take does an act once.
func take(t testing.TB, a act, turn int) (c cost) {
	t.Helper()
	if a.before != nil {
		a.before(turn)
	}
	commands := a.run(turn)
	begin := time.Now()
	for _, one := range commands {
		if err := one.Run(); err != nil {
			t.Fatalf("%s: %v", one, err)
		}
	}
	c.wall = time.Since(begin)
	for _, one := range commands {
		c.cpu += one.ProcessState.UserTime() + one.ProcessState.SystemTime()
	}
	return c
}

// versus does ours and the floor in turns, so that whatever else the machine
// does hits both, and answers the best of each: noise only ever adds.
func versus(t testing.TB, turns int, floor, ours act) measured {
	t.Helper()
	best := [2]cost{{time.Hour, time.Hour}, {time.Hour, time.Hour}}
	for turn := range turns + 1 {
		for i, a := range []act{floor, ours} {
			c := take(t, a, turn)
			if turn > 0 || turns == 0 { // the first warms the caches
				best[i].wall, best[i].cpu = min(best[i].wall, c.wall), min(best[i].cpu, c.cpu)
			}
		}
	}
	return measured{floor: best[0], ours: best[1]}
}
