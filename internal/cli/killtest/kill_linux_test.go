package killtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// row is one point of the design, section 6, and what is to be true after the
// command was killed right there and the run went on in the same clone.
type row struct {
	point string
	after int // what the kill left: see below
}

const (
	nothingRan = iota // the job has not begun
	jobRan            // no check saw the work yet
	checked           // the checks ended, no certificate is on the branch
	onBranch          // certified here
	pushed            // certified for everybody
)

var rows = []row{
	{"row1", nothingRan}, {"row2", nothingRan}, {"row3", jobRan}, {"row4", jobRan}, {"row5", jobRan},
	{"row6", checked}, {"row7", checked}, {"row8", checked},
	{"row9", onBranch}, {"row10", onBranch}, {"row10-push", onBranch}, {"row11", pushed},
}

// killCase is a row with everything that can be otherwise around it.
type killCase struct {
	row
	job, half bool
	on        string // resume, again (the same command) or fresh (another clone)
}

func (c killCase) String() string {
	words := []string{c.point, "by hand", "done", c.on}
	if c.job {
		words[1] = "job"
	}
	if c.half {
		words[2] = "half"
	}
	return strings.Join(words, ", ")
}

// killCases is the whole table; short is one row of each kind.
func killCases(short bool) []killCase {
	var all []killCase
	for i, r := range rows {
		last := i == len(rows)-1 || rows[i+1].after != r.after
		for _, job := range []bool{true, false} {
			all = append(all, killCase{row: r, job: job, on: "resume"}, killCase{row: r, job: job, on: "fresh"})
			if last || r.point == "row9" {
				all = append(all, killCase{row: r, job: job, on: "again"})
			}
			if r.point == "row3" || r.point == "row5" || r.point == "row6" {
				all = append(all, killCase{row: r, job: job, half: true, on: "resume"})
			}
		}
	}
	if short {
		all = slices.DeleteFunc(all, func(c killCase) bool {
			return !c.job || !slices.Contains([]string{"row2", "row5", "row8", "row9", "row11"}, c.point)
		})
	}
	return all
}

// TestStep_killedAtEveryRow kills `step` right after every row of the design's
// table and goes on in the same clone and in a fresh one.
func TestStep_killedAtEveryRow(t *testing.T) {
	start := newKillWorld(t)
	for _, c := range killCases(testing.Short()) {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			w := start.copy(t)
			what := "done"
			if c.half {
				what = "half"
			}
			command := []string{"step", "s02"}
			if c.job {
				command = append(append(command, "--"), w.job("s02", what)...)
			} else {
				w.byHand("s02", what)
			}
			w.dies(c.point, command...)
			switch c.on {
			case "resume":
				w.must(0, "resume")
			case "again":
				w.must(0, command...)
			case "fresh":
				c.elsewhere(w, command)
				return
			}
			c.sameClone(w)
			w.finish("done")
		})
	}
}

// sameClone is the table's third column.
func (c killCase) sameClone(w *killWorld) {
	w.t.Helper()
	jobs, checks, certified := 1, 1, !c.half
	switch {
	case c.after == nothingRan && c.job:
		if c.on == "resume" {
			jobs, checks, certified = 0, 0, false
		}
	case c.after == checked:
		checks = 2
	case c.point == "row1" && c.on == "resume":
		checks = 2 // nobody said yet that the untracked files in its folder are its own: without them first
	}
	if !c.job {
		jobs = 0
	}
	w.want("jobs", w.counted("job-s02"), jobs)
	w.want("checks", w.counted("check-s02"), checks)
	w.want("checks of the first step", w.counted("check-s01"), 0)
	kept := []string{"refs/agent-stash/r-1/s02/1"}
	switch {
	case certified:
		kept = nil // row 12
	case c.half:
		kept = append(kept, "refs/agent-stash/r-1/s02/2")
		w.preserved("refs/agent-stash/r-1/s02/2", "half")
	}
	w.want("refs", w.refs(), kept)
	w.clean(certified)
}

// finish does the step where it is not certified, and looks at the whole.
func (w *killWorld) finish(what string) {
	w.t.Helper()
	if len(w.certificates()) == 1 {
		w.must(0, append([]string{"step", "s02", "--"}, w.job("s02", what)...)...)
		w.clean(true)
	}
	w.want("certificates", w.certificates(), []string{"s02", "s01"})
	w.want("refs at the end", w.refs(), nil)
}

// elsewhere is the table's last column; then the first clone comes back.
func (c killCase) elsewhere(w *killWorld, command []string) {
	w.t.Helper()
	f := w.clone()
	before := f.counted("check-s02")
	f.must(0, "resume", "r-1", "--trust")
	f.want("checks in the fresh clone", f.counted("check-s02")-before, 0)
	f.want("checks of the first step", f.counted("check-s01"), 0)
	f.clean(c.after == pushed)
	f.finish("done elsewhere") // so that it differs from what lies in the first clone
	f.must(0, append([]string{"step", "--"}, w.job("s03", "done")...)...)
	c.comeBack(w)
}

// comeBack: the clone that was killed finds the run done elsewhere; what it
// held is kept, not pushed and not dropped.
func (c killCase) comeBack(w *killWorld) {
	w.t.Helper()
	want := 0
	if c.after == onBranch {
		want = 4
		w.must(want, "resume")
		if !slices.Contains(w.refs(), "refs/agent-stash/r-1/lost/1") {
			w.t.Fatalf("the lost certificate is kept nowhere: %v", w.refs())
		}
	}
	w.must(0, "resume")
	w.clean(true)
	if c.after == jobRan || c.after == checked {
		w.preserved("refs/agent-stash/r-1/s02/2", "done")
	}
	w.want("certificates", w.certificates(), []string{"s03", "s02", "s01"})
}

// clean: the tree is HEAD's, which holds the step or not; the index is HEAD's;
// what is a person's is as it was; nothing is left behind.
func (w *killWorld) clean(certified bool) {
	w.t.Helper()
	w.want("status", w.git("status", "--porcelain=v1", "-uall"), strings.Join(w.others(), "\n"))
	for name, there := range map[string]bool{"s02/old": !certified, "a/new-s02": certified, "s02/deep/new": certified, "s02/deep": certified} {
		w.want(name+" exists", w.exists(name), there)
	}
	w.want("branch", w.read(".git/HEAD"), "ref: refs/heads/agent-run/r-1\n")
	w.want("leftovers", w.leftovers(), nil)
	w.want("fsck", w.git("fsck", "--no-progress", "--no-dangling"), "")
}

// others is what lies here untracked beside the run, and the stash of a person.
func (w *killWorld) others() []string {
	if strings.HasSuffix(w.work, "fresh") {
		return nil
	}
	w.want("a person's stash", w.git("show", "refs/stash:mine"), "2")
	return []string{"?? notes"}
}

// preserved: partial work is whole in the ref, untracked files and deletions too.
func (w *killWorld) preserved(ref, what string) {
	w.t.Helper()
	w.want("kept change", w.git("show", ref+":a/s02.txt"), what)
	w.want("kept new file", w.git("show", ref+"^3:a/new-s02"), "new "+what)
	w.want("kept deep file", w.git("show", ref+"^3:s02/deep/new"), "deep "+what)
	w.want("kept deletion", w.git("ls-tree", "-r", "--name-only", ref, "s02/old"), "")
}

func (w *killWorld) want(what string, got, want any) {
	w.t.Helper()
	if g, n := fmt.Sprint(got), fmt.Sprint(want); g != n {
		if list, ok := want.([]string); ok && len(list) == 0 && g == "[]" || want == nil && g == "[]" {
			return
		}
		w.t.Errorf("%s: %s, want %s", what, g, n)
	}
}
