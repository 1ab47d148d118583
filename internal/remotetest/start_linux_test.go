package remotetest

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// TestRace_start: a fleet begins one run at the same moment, with one plan. It
// is one run, which all of them have; nobody is left with a plan of their own.
func TestRace_start(t *testing.T) {
	w := newWorld(t, 2).over("http")
	all, ends := startTogether(w, "../plan.yaml", "../plan.yaml", "../plan.yaml", "../plan.yaml")
	for i, c := range all {
		w.want(c.name+" starts", ends[i].code, 0)
		w.want(c.name+" has the plan", c.git("rev-parse", "refs/agent/r-1"), w.remote("rev-parse", "refs/agent/r-1"))
		c.level()
		if t.Failed() {
			t.Logf("%s", ends[i].out)
		}
	}
	all[0].must(0, all[0].does("s01")...)
	all[1].must(0, "resume")
	all[1].must(0, all[1].does("s02")...)
	w.want("certificates", w.certificates(), []string{"s02", "s01"})
	w.want("plan versions and records", w.remote("rev-list", "--count", "refs/agent/r-1"), 1)
}

// TestRace_startOfTwoPlans: under one id the later one is refused, and the way
// on that it is told takes it to the run that there is.
func TestRace_startOfTwoPlans(t *testing.T) {
	w := newWorld(t, 1).over("http")
	w.write("other.yaml", "# another\n"+planText(1))
	all, ends := startTogether(w, "../plan.yaml", "../other.yaml")
	codes := map[int]int{}
	for i, c := range all {
		codes[ends[i].code]++
		if ends[i].code != 0 {
			c.pastes(ends[i].out, "git branch plan-r-1-")
			c.must(0, "resume", "r-1", "--trust")
			w.want(c.name+" has the plan", c.git("rev-parse", "refs/agent/r-1"), w.remote("rev-parse", "refs/agent/r-1"))
		}
	}
	w.want("exit codes", codes, map[int]int{0: 1, 3: 1})
	w.want("plan versions", w.remote("rev-list", "--count", "refs/agent/r-1"), 1)
	if t.Failed() {
		t.Log(ends)
	}
}

// startTogether starts run r-1 on a machine for each plan, all at once.
func startTogether(w *world, plans ...string) ([]*clone, []end) {
	w.t.Helper()
	all, ends := make([]*clone, len(plans)), make([]end, len(plans))
	for i := range all {
		all[i] = w.clone(fmt.Sprint("m", i+1))
		// No two first versions are one object by chance.
		all[i].env = []string{fmt.Sprintf("GIT_COMMITTER_DATE=2026-01-02T03:04:0%d+0000", i)}
	}
	var over sync.WaitGroup
	for i, c := range all {
		over.Go(func() {
			code, out := c.run("start", plans[i], "--run", "r-1")
			ends[i] = end{code, out}
		})
	}
	over.Wait()
	return all, ends
}

// pastes runs the hint that begins so, where it was given.
func (c *clone) pastes(out, begin string) {
	c.t.Helper()
	_, hint, found := strings.Cut(out, "git-agent: hint: "+begin)
	if !found {
		return
	}
	line, _, _ := strings.Cut(begin+hint, "\n")
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = c.path(c.name), c.environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("%s: %v\n%s", line, err, out)
	}
}
