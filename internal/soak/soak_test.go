package soak

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// TestSoak_anyHistory tries random histories; rapid shrinks one that fails.
func TestSoak_anyHistory(t *testing.T) {
	from := origin(t)
	t.Run("lanes", func(t *testing.T) {
		for lane := range lanes {
			t.Run(fmt.Sprint("lane", lane), func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(rt *rapid.T) {
					for range lane { // both have the same seed: without a draw more this one would do what the other does
						rapid.Bool().Draw(rt, "lane")
					}
					w := newWorld(t, rt, from)
					w.live()
					w.tally.Certificates = len(w.seen)
					done.add(lane, w.story, w.tally)
				})
			})
		}
	})
	done.remember(t)
}

type action struct {
	name   string
	weight int
	do     func(w *world, clone string)
}

// actions begins with what should happen most: rapid likes the first ones.
func actions() []action {
	return []action{
		{"step with a job", 6, (*world).stepWithJob}, {"edit", 4, (*world).edit}, {"step by hand", 4, (*world).stepByHand},
		{"resume", 6, (*world).resume}, {"fresh clone", 2, (*world).freshClone}, {"stray", 1, (*world).strayEdit},
		{"rollback", 2, (*world).rollback}, {"amend", 2, (*world).amend}, {"race", 1, (*world).race},
		{"lose the private folder", 1, (*world).losePrivate}, {"a person commits", 1, (*world).personCommits},
		{"a person reverts", 1, (*world).personReverts}, {"a person merges", 1, (*world).personMerges}, {"a person rebases", 1, (*world).personRebases},
	}
}

func (w *world) live() {
	var all []action
	for _, a := range actions() {
		for range a.weight {
			all = append(all, a)
		}
	}
	for range rapid.IntRange(3, 12).Draw(w.rt, "length") {
		a := rapid.SampledFrom(all).Draw(w.rt, "action")
		clone := rapid.SampledFrom(w.clones).Draw(w.rt, "clone")
		w.note("%s in %s", a.name, clone)
		w.begin(a.name, clone)
		a.do(w, clone)
		w.judgeRemote()
	}
	w.finish()
}

// begin says what the next commands belong to.
func (w *world) begin(action, clone string) {
	w.doing = action
	w.story += action + " in " + clone + "\n"
	w.tally.did(action)
}

// command runs git agent and judges what it did to the clone's work. A killed
// one is judged too: nothing may be gone in between.
func (w *world) command(clone string, args ...string) (int, string) {
	w.rt.Helper()
	kill := 0
	if rapid.IntRange(0, 3).Draw(w.rt, "killed") == 0 {
		kill = rapid.IntRange(1, 14).Draw(w.rt, "at point")
	}
	before, certified, missing := w.work(clone), w.count(), w.missing(clone)
	code, out := w.agent(clone, kill, args...)
	w.note("  %s: git agent %s (killed at %d): exit %d: %s", clone, strings.Join(args, " "), kill, code, summary(out))
	if code == -1 {
		w.outlive(clone)
	}
	// A brand-new clone whose first resume was killed holds no run yet, and says so.
	noRun := code == 128 && w.git(clone, "for-each-ref", "refs/agent/") == ""
	if !slices.Contains([]int{0, 1, 3, 4, 5, 6, 7, -1}, code) && !noRun || code == -1 && kill == 0 {
		w.failf("exit %d\n%s", code, out)
	}
	now := w.count()
	w.judgeWork(clone, before, func(path string) bool {
		for n := range most {
			if owns(n, path) && now[stepID(n)] > certified[stepID(n)] {
				return true // which lets go of that step's partial work
			}
		}
		return false
	}, func(path string, was file) string { return w.jobsVersion(clone, path, was, args) })
	w.tell(clone, missing, args, out)
	return code, out
}

func owns(step int, path string) bool {
	id := stepID(step)
	return path == "a/"+id+".txt" || strings.HasPrefix(path, "b/"+id+"/")
}

// summary is what a command said, in a line.
func summary(out string) string {
	if r, ok := parseReport(out); ok {
		var said []string
		for _, step := range r.Steps {
			said = append(said, strings.TrimSpace(step.ID+" "+step.Status+" "+step.How+" "+step.Reason))
		}
		return strings.Join(said, ", ")
	}
	var said []string
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "git-agent:") && !strings.Contains(line, " hint: ") || strings.HasPrefix(line, "{") {
			said = append(said, line)
		}
	}
	return strings.Join(said, " / ")
}

// count is how many certificates each step has on the remote.
func (w *world) count() map[string]int {
	n := map[string]int{}
	for _, c := range w.certificates() {
		n[c.step]++
	}
	return n
}

// likelyStep is mostly the one that is next: work on another one seldom counts.
func (w *world) likelyStep() int {
	certified := w.count()
	for _, s := range w.newest() {
		if certified[stepID(s.step)] == 0 && rapid.IntRange(0, 3).Draw(w.rt, "the next") > 0 {
			return s.step
		}
	}
	return w.anyStep()
}

func (w *world) anyStep() int { return rapid.SampledFrom(w.newest()).Draw(w.rt, "step").step }

// content is what somebody writes for a step: enough for its check, or half.
func (w *world) content(step int) map[string]string {
	w.tokens++
	id, level := stepID(step), w.level(len(w.plans), step)
	files := map[string]string{"a/" + id + ".txt": fmt.Sprintf("level %d\ntoken %d\n", level, w.tokens), "b/" + id + "/new": fmt.Sprintf("new %d\n", w.tokens)}
	switch rapid.IntRange(0, 3).Draw(w.rt, "quality") {
	case 2:
		delete(files, "b/"+id+"/new")
	case 3:
		files["a/"+id+".txt"] = fmt.Sprintf("half\ntoken %d\n", w.tokens)
	}
	return files
}

func (w *world) edit(clone string) {
	w.missing(clone)
	for name, text := range w.content(w.likelyStep()) {
		if err := w.write(clone, name, text); err != nil {
			w.failf("%v", err)
		}
	}
}

func (w *world) strayEdit(clone string) {
	w.tokens++
	name := rapid.SampledFrom([]string{"c/other", "c/untracked"}).Draw(w.rt, "stray")
	if err := w.write(clone, name, fmt.Sprintf("stray %d\n", w.tokens)); err != nil {
		w.failf("%v", err)
	}
}

func (w *world) policy() []string {
	return rapid.SampledFrom([][]string{nil, {"--stray=set-aside"}, {"--stray=include"}}).Draw(w.rt, "stray policy")
}

func (w *world) stepByHand(clone string) {
	w.command(clone, append([]string{"step"}, w.policy()...)...)
}

func (w *world) stepWithJob(clone string) {
	w.command(clone, append(append([]string{"step"}, w.policy()...), "--", "sh", "-c", w.job())...)
}

// job is a shell line that does a step's work, or half of it.
func (w *world) job() string {
	var script []string
	files := w.content(w.likelyStep())
	for _, name := range sorted(files) {
		script = append(script, fmt.Sprintf("mkdir -p %s; printf '%s' > %s", filepath.Dir(name), strings.ReplaceAll(files[name], "\n", "\\n"), name))
	}
	script = append(script, rapid.SampledFrom([]string{"true", "exit 1", "kill -9 $$", "git add -A; git commit -q -m mine"}).Draw(w.rt, "job ends with"))
	return strings.Join(script, "; ")
}

func sorted(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (w *world) resume(clone string) {
	w.note("status:\n%s", w.git(clone, "status", "--short", "-b"))
	code, out := w.command(clone, append([]string{"resume", run, "--trust", "--json"}, w.policy()...)...)
	if code == 0 {
		w.judgeResumed(clone, out)
	}
}

func (w *world) freshClone(string) {
	if len(w.clones) > 3 {
		return
	}
	w.resume(w.another(rapid.SampledFrom([][]string{nil, {"--depth=1"}, {"--single-branch"}}).Draw(w.rt, "shape")...))
}

func (w *world) rollback(clone string) {
	args := []string{"rollback", stepID(w.anyStep()), "--run", run}
	if rapid.Bool().Draw(w.rt, "certified too") {
		args = append(args, "--yes")
	}
	w.command(clone, args...)
}

// amended is another plan: it asks more of a step than before, has one more or
// one less, or them in another order.
func (w *world) amended() []asked {
	plan := slices.Clone(w.newest())
	at := rapid.IntRange(0, len(plan)-1).Draw(w.rt, "place in the plan")
	switch how := rapid.SampledFrom([]string{"more", "add", "drop", "first"}).Draw(w.rt, "amended"); {
	case how == "add" && w.steps < most:
		w.steps++
		return slices.Insert(plan, at, asked{w.steps - 1, 1})
	case how == "drop" && len(plan) > 1:
		return slices.Delete(plan, at, at+1)
	case how == "first" && at > 0:
		plan[0], plan[at] = plan[at], plan[0]
	default:
		plan[at].level++
	}
	return plan
}

func (w *world) amend(clone string) {
	plan := w.amended()
	file := filepath.Join(w.dir, "amended.yaml")
	if err := os.WriteFile(file, []byte(planText(plan)), 0o600); err != nil {
		w.failf("%v", err)
	}
	w.note("  to %v", plan)
	before := len(w.versions())
	w.plans[len(w.plans)+1] = plan // a killed one may have got there
	w.command(clone, "plan", "amend", run, file)
	if len(w.versions()) == before {
		w.git(clone, "fetch", "-q", "origin") // it is not on the remote: bring the clone back
		delete(w.plans, len(w.plans))
		w.git(clone, "update-ref", "-d", "refs/agent/"+run)
	}
	w.resume(clone)
}

// versions are the plan versions that the remote has.
func (w *world) versions() []string {
	return strings.Fields(w.remote("log", "--format=%(trailers:key=Agent-Plan-Version,valueonly)", "refs/agent/"+run, "--", "plan.yaml"))
}

// race: two clones do the same step at once.
func (w *world) race(clone string) {
	other := rapid.SampledFrom(w.clones).Draw(w.rt, "against")
	if other == clone {
		other = w.another()
		w.resume(other)
	}
	lines := []string{w.job(), w.job()}
	var both sync.WaitGroup
	codes := make([]int, 2)
	for i, c := range []string{clone, other} {
		both.Add(1)
		go func() {
			defer both.Done()
			codes[i], _ = w.agent(c, 0, "step", "--stray=set-aside", "--", "sh", "-c", lines[i])
		}()
	}
	both.Wait()
	w.forgetAttempts()
	w.note("  race of %s and %s: exits %v", clone, other, codes)
}

func (w *world) losePrivate(clone string) {
	if err := os.RemoveAll(w.path(clone, ".git/agent")); err != nil {
		w.failf("%v", err)
	}
	w.forgetAttempts()
}

// finish: whatever happened, a fresh clone brings the run to its end, and the
// repositories are sound.
func (w *world) finish() {
	w.rt.Helper()
	clone := w.another()
	w.note("the end, in %s", clone)
	w.begin(theEnd, clone)
	for range 4 * most {
		code, out := w.agent(clone, 0, "resume", run, "--trust", "--json", "--stray=set-aside")
		w.note("  resume: exit %d: %s", code, summary(out))
		w.judgeRemote()
		todo := w.todo(code, out)
		if todo < 0 {
			w.sound()
			return
		}
		w.tokens++
		id := stepID(todo)
		line := fmt.Sprintf("printf 'level %d\\ntoken %d\\n' > a/%s.txt; mkdir -p b/%[3]s; echo new %[2]d > b/%[3]s/new", w.level(len(w.plans), todo), w.tokens, id)
		code, out = w.agent(clone, 0, "step", id, "--run", run, "--stray=set-aside", "--", "sh", "-c", line)
		w.note("  step %s: exit %d: %s", id, code, summary(out))
	}
	w.failf("the run does not come to its end")
}

// todo is the step to do next, -1 where all is done.
func (w *world) todo(code int, out string) int {
	w.rt.Helper()
	r, ok := parseReport(out)
	if code == 0 {
		w.judgeResumed(w.clones[len(w.clones)-1], out)
		if r.Next == nil {
			return -1
		}
	}
	for _, s := range r.Steps {
		if s.Status != "certified" {
			return stepOf(s.ID)
		}
	}
	if !ok {
		w.failf("resume answers exit %d without a report:\n%s", code, out)
	}
	return w.newest()[0].step
}

func (w *world) sound() {
	w.rt.Helper()
	for _, clone := range append([]string{"work.git"}, w.clones...) {
		w.git(clone, "fsck", "--strict", "--no-dangling", "--no-progress")
		if clone == "work.git" {
			continue
		}
		if stashes := w.git(clone, "stash", "list"); stashes != "" {
			w.failf("%s has a stash that nobody made: %s", clone, stashes)
		}
	}
}
