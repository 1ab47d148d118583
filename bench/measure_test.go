package bench

import (
	"os/exec"
	"path/filepath"
	"slices"
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

// always is an act that is the same every turn.
func (w *world) always(commands ...[]string) act {
	return act{run: func(int) []*exec.Cmd {
		var all []*exec.Cmd
		for _, c := range commands {
			all = append(all, w.command(c[0], c[1:]...))
		}
		return all
	}}
}

func words(s string) []string { return strings.Fields(s) }

// take times an act once.
func take(t testing.TB, a act, turn int) time.Duration {
	t.Helper()
	if a.before != nil {
		a.before(turn)
	}
	commands := a.run(turn)
	begin := time.Now()
	for _, c := range commands {
		if err := c.Run(); err != nil {
			t.Fatalf("%s: %v", c, err)
		}
	}
	return time.Since(begin)
}

// versus times ours and the floor in turns, so that whatever else the machine
// does hits both, and answers the best of each: noise only ever adds.
func versus(t testing.TB, turns int, floor, ours act) (best [2]time.Duration) {
	t.Helper()
	var took [2][]time.Duration
	for turn := range turns + 1 {
		for i, a := range []act{floor, ours} {
			if d := take(t, a, turn); turn > 0 { // the first warms the caches
				took[i] = append(took[i], d)
			}
		}
	}
	return [2]time.Duration{slices.Min(took[0]), slices.Min(took[1])}
}
