package soak

import (
	"fmt"

	"pgregory.net/rapid"
)

// person is a clone in which somebody works with plain git.
func (w *world) person() string {
	w.tokens++
	name := fmt.Sprintf("person%d", w.tokens)
	w.git("c0", "clone", "-q", "--template=", "-b", "agent-run/"+run, "file://"+w.path("work.git", ""), "../"+name)
	return name
}

// personCommits writes something beside the steps, or over one.
func (w *world) personCommits(string) {
	p := w.person()
	name := rapid.SampledFrom([]string{"c/other", "c/more", "a/s01.txt"}).Draw(w.rt, "what")
	text := fmt.Sprintf("a person's %d\n", w.tokens)
	if err := w.write(p, name, text); err != nil {
		w.failf("%v", err)
	}
	if name == "c/more" {
		w.theirs[name] = text
	}
	w.git(p, "add", "-A")
	w.git(p, "commit", "-q", "-m", "by a person")
	w.git(p, "push", "-q", "origin", "HEAD:"+branch)
}

func (w *world) personReverts(string) {
	found := w.certificates()
	if len(found) == 0 {
		return
	}
	p := w.person()
	c := rapid.SampledFrom(found).Draw(w.rt, "certificate")
	if _, err := w.tryGit(p, "revert", "--no-edit", c.commit); err != nil {
		w.note("  it does not apply")
		return // conflicts: the person gives up
	}
	w.git(p, "push", "-q", "origin", "HEAD:"+branch)
}

// personMerges brings news of main into the run's branch.
func (w *world) personMerges(string) {
	p := w.person()
	w.theirs["news"] = w.newsOnMain(p)
	w.git(p, "switch", "-q", "agent-run/"+run)
	w.git(p, "merge", "-q", "--no-edit", "origin/main")
	w.git(p, "push", "-q", "origin", "HEAD:"+branch)
}

// personRebases puts the run's branch on news of main, by force: the
// certificates' words stay, their trees do not.
func (w *world) personRebases(string) {
	p := w.person()
	news := w.newsOnMain(p)
	w.git(p, "switch", "-q", "agent-run/"+run)
	if _, err := w.tryGit(p, "rebase", "-q", "origin/main"); err != nil {
		w.note("  it does not apply")
		return
	}
	w.git(p, "push", "-q", "--force", "origin", "HEAD:"+branch)
	w.theirs["news"] = news
	w.forgotten()
}

func (w *world) newsOnMain(p string) (text string) {
	text = fmt.Sprintf("news %d\n", w.tokens)
	w.git(p, "switch", "-q", "main")
	if err := w.write(p, "news", text); err != nil {
		w.failf("%v", err)
	}
	w.git(p, "add", "-A")
	w.git(p, "commit", "-q", "-m", "news")
	w.git(p, "push", "-q", "origin", "main")
	return text
}
