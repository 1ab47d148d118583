package soak

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// reaches reports, without any help of the product, whether a tree satisfies
// the check of a step at a level.
func (w *world) reaches(treeish string, step, level int) bool {
	id := stepID(step)
	text, err := w.tryGit("work.git", "cat-file", "blob", treeish+":a/"+id+".txt")
	if err != nil || !slices.Contains(strings.Split(text, "\n"), fmt.Sprintf("level %d", level)) {
		return false
	}
	_, err = w.tryGit("work.git", "cat-file", "-e", treeish+":b/"+id+"/new")
	return err == nil
}

// certificate is what the oracle reads of one commit.
type certificate struct {
	commit, tree, step, claimed string
	version                     int
}

const certificateFormat = "--format=%H%x09%T%x09%(trailers:key=Agent-Step,valueonly,separator=%x2C)%x09%(trailers:key=Agent-Tree,valueonly,separator=%x2C)%x09%(trailers:key=Agent-Plan-Version,valueonly,separator=%x2C)%x09%(trailers:key=Agent-Check,valueonly,separator=%x2C)"

// certificates are those on the remote's branch, oldest first.
func (w *world) certificates() []certificate {
	var found []certificate
	for _, line := range strings.Split(w.remote("log", "--reverse", "--first-parent", certificateFormat, branch), "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 6 || f[2] == "" || f[5] == "" {
			continue
		}
		version, _ := strconv.Atoi(f[4])
		found = append(found, certificate{commit: f[0], tree: f[1], step: f[2], claimed: f[3], version: version})
	}
	return found
}

// judgeRemote: what is certified was true, is there once, and stays; and so does
// what persons put on the branch.
func (w *world) judgeRemote() {
	w.rt.Helper()
	last := map[string]certificate{}
	now := map[string]bool{}
	for _, c := range w.certificates() {
		now[c.commit] = true
		if c.tree != c.claimed {
			continue // moved by a person, who keeps the words and not the tree
		}
		step := stepOf(c.step)
		level := w.level(c.version, step)
		if level == 0 {
			w.failf("certificate %s is of step %q, plan version %d", c.commit, c.step, c.version)
		}
		if !w.seen[c.commit] && !w.reaches(c.tree, step, level) {
			w.failf("%s certifies %s at level %d, which its tree does not reach", c.commit, c.step, level)
		}
		if before, twice := last[c.step]; twice && before.tree == c.tree && before.version == c.version && !w.refuted(before.commit) {
			w.failf("%s is certified twice on one tree: %s and %s", c.step, before.commit, c.commit)
		}
		last[c.step] = c
	}
	for commit := range w.seen {
		if !now[commit] {
			w.failf("certificate %s was on the remote and is not any more", commit)
		}
	}
	w.seen = now
	for path, text := range w.theirs {
		if got, err := w.tryGit("work.git", "cat-file", "blob", branch+":"+path); err != nil || got+"\n" != text {
			w.failf("a person put %q into %s; the run's branch has %q (%v)", text, path, got, err)
		}
	}
	if got := w.remote("for-each-ref", "--format=%(refname)", "refs/heads"); strings.Contains(got, "refs/heads/agent-plan") {
		w.failf("the plan is under heads: %s", got)
	}
}

// refuted reports whether some clone saw the check fail over what the
// certificate promises, so that it has to be shown anew.
func (w *world) refuted(certificate string) bool {
	w.rt.Helper()
	return strings.Contains(w.remote("log", "--format=%(trailers:key=Agent-Refutes,valueonly)", "refs/agent/"+run), certificate)
}

// forgotten is called by a person who took certificates off the branch.
func (w *world) forgotten() { w.seen = map[string]bool{} }

// file is one that is changed or untracked.
type file struct {
	text      string
	untracked bool
}

// work is every changed or untracked file of a clone.
func (w *world) work(clone string) map[string]file {
	w.rt.Helper()
	found := map[string]file{}
	for _, entry := range strings.Split(w.git(clone, "status", "--porcelain", "-z", "-uall", "--no-renames"), "\x00") {
		if len(entry) < 4 {
			continue
		}
		if text, err := os.ReadFile(w.path(clone, entry[3:])); err == nil {
			found[entry[3:]] = file{string(text), entry[:2] == "??"}
		}
	}
	return found
}

// judgeWork: what lay in the tree before a command lies there still, or can be
// reached from some ref; unless it may be gone, or a job's version of it is kept
// instead ("" where no job wrote over it).
func (w *world) judgeWork(clone string, before map[string]file, mayBeGone func(path string) bool, job func(path string, was file) string) {
	w.rt.Helper()
	var reached string
	kept := func(path, text string) bool {
		if now, err := os.ReadFile(w.path(clone, path)); err == nil && string(now) == text {
			return true
		}
		if reached == "" {
			reached = w.git(clone, "rev-list", "--objects", "--all")
		}
		temp := w.path("", "blob")
		if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
			w.failf("%v", err)
		}
		return strings.Contains(reached, w.git(clone, "hash-object", "--no-filters", temp))
	}
	for path, was := range before {
		if kept(path, was.text) || mayBeGone(path) {
			continue
		}
		if instead := job(path, was); instead == "" || !kept(path, instead) {
			w.failf("%s in %s (%q) is lost", path, clone, was.text)
		}
	}
}

type report struct {
	Next  *string `json:"next"`
	Steps []struct {
		ID, Status, How, Reason string
	} `json:"steps"`
	Error struct{ Code, Message string } `json:"error"`
}

func parseReport(out string) (report, bool) {
	var r report
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &r) == nil && r.Steps != nil {
			return r, true
		}
	}
	return r, false
}

// judgeResumed: a resume that ended with 0 says what is so. HEAD's tree
// reaches every step that is said to be certified, and no other, but for those
// that were not asked: nobody worked on a pending step since the boundary.
func (w *world) judgeResumed(clone, out string) {
	w.rt.Helper()
	r, ok := parseReport(out)
	if !ok {
		w.failf("resume in %s: no report in\n%s", clone, out)
	}
	w.git(clone, "push", "-q", "../work.git", "+HEAD:refs/soak/head") // so that one place knows all objects
	if len(r.Steps) != len(w.newest()) {
		w.failf("resume in %s: of %d steps\n%s", clone, len(w.newest()), out)
	}
	for n, s := range r.Steps {
		want := w.newest()[n]
		if s.ID != stepID(want.step) {
			w.failf("resume in %s: step %d is %s\n%s", clone, n+1, s.ID, out)
		}
		if done := w.reaches("refs/soak/head", want.step, want.level); done != (s.Status == "certified") && s.Status != "pending" {
			w.failf("%s: resume says %s (%s %s), and its check would say %v\n%s", s.ID, s.Status, s.How, s.Reason, done, out)
		}
	}
	w.remote("update-ref", "-d", "refs/soak/head")
}
