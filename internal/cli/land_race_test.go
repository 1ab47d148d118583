package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestLand_raced: several clones land one run at the same moment. It lands once,
// with one marker, and everybody is told that it is there.
func TestLand_raced(t *testing.T) {
	t.Parallel()
	const racers = 3
	w := newWorld(t)
	w.must(`repo; sed -i '1i base: main\ntarget: main' ../plan.yaml; git agent -q start ../plan.yaml --run r-1 > ../log; git agent -q trust r-1
		one; two; git agent -q step s03 -- sh -c 'echo done3 > a/s03.txt' > ../log
		git checkout -q main; echo x > x; git add x; git commit -q -m x; git push -q origin main
		for i in 1 2 3; do git clone -q "file://$W/work.git" ../racer$i; done`)
	var wg sync.WaitGroup
	outs := make([]string, racers)
	for i := range racers {
		wg.Go(func() {
			c := exec.Command("git-agent", "land", "r-1", "--mode", "squash", "--trust", "--json")
			c.Dir, c.Env = filepath.Join(w.dir, fmt.Sprint("racer", i+1)), append(slices.Clone(w.env), fmt.Sprint("GIT_COMMITTER_NAME=Racer ", i+1))
			out, err := c.CombinedOutput()
			if err != nil {
				t.Errorf("racer %d: %v\n%s", i, err, out)
			}
			outs[i] = string(out)
		})
	}
	wg.Wait()
	for _, out := range outs {
		if strings.Contains(out, `"verdict":"already-landed"`) && !strings.Contains(out, `"mode":""`) {
			t.Errorf("a mode, and somebody else landed it: %s", out)
		}
	}
	won := strings.Count(strings.Join(outs, ""), `"verdict":"landed"`)
	if won != 1 {
		t.Errorf("%d landed it, want 1:\n%s", won, strings.Join(outs, ""))
	}
	if got := strings.Count(w.must("git --git-dir=../work.git log --format=%s main"), "black box"); got != 1 {
		t.Errorf("%d commits of it on the target", got)
	}
	if got := strings.Count(w.must("git --git-dir=../work.git log --format=%B refs/agent/r-1"), "Agent-Landed:"); got != 1 {
		t.Errorf("%d markers", got)
	}
}
