package rollback_test

import (
	"os"
	"testing"
)

// modules is a working tree with submodules, each changed in another way.
func modules(t *testing.T) (*work, []string) {
	t.Helper()
	w := newWork(t, map[string]string{"a": "base\n", "file": "base\n"})
	for _, name := range []string{"moved", "staged", "gone", "swapped", "same"} {
		w.module(name)
		w.Git("add", name)
	}
	w.Git("commit", "-q", "-m", "submodules")
	w.base = w.Git("rev-parse", "HEAD")
	for _, name := range []string{"moved", "staged"} {
		w.Git("-C", name, "commit", "-q", "--allow-empty", "-m", "more")
	}
	w.Git("add", "staged")
	w.Git("rm", "-q", "--cached", "gone")
	w.remove("gone", "swapped")
	w.Write("swapped", "a file now\n")
	w.module("added")
	w.Git("add", "added")
	w.Write("a", "half\n")
	return w, []string{"a", "moved", "staged", "gone", "swapped", "same", "added"}
}

func (w *work) module(name string) {
	w.T.Helper()
	w.Git("init", "-q", name)
	w.Git("-C", name, "commit", "-q", "--allow-empty", "-m", "one")
}

// Of a submodule the index entry is preserved, moved and put back; its folder
// stays as it is, and an empty one is made where there is none.
func TestRoller_Move_submodules(t *testing.T) {
	t.Parallel()
	w, paths := modules(t)
	before, heads := w.photo(), w.heads("moved", "staged", "same", "added")
	if err := w.roller.Refuse(ctx, "", paths); err != nil {
		t.Fatal(err)
	}
	commit := w.preserve(paths...)
	if got, want := w.Git("rev-parse", commit+":moved"), w.Git("-C", "moved", "rev-parse", "HEAD"); got != want {
		t.Errorf("the stash holds moved at %s, want %s", got, want)
	}
	if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
		t.Fatal(err)
	}
	if out := w.Git("diff", "--cached", "--name-only"); out != "" {
		t.Errorf("the index differs from the boundary: %s", out)
	}
	for _, name := range []string{"gone", "swapped"} {
		if entries, err := os.ReadDir(w.Path(name)); err != nil || len(entries) > 0 {
			t.Errorf("%s: %v, %v, want an empty folder", name, entries, err)
		}
	}
	if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
		t.Errorf("once more: %v", err)
	}
	if _, err := w.roller.PutBack(ctx, w.request(commit, paths...)); err != nil {
		t.Fatal(err)
	}
	same(t, "after PutBack", w.photo(), before)
	same(t, "submodules", w.heads("moved", "staged", "same", "added"), heads)
}

func (w *work) heads(names ...string) map[string]string {
	heads := map[string]string{}
	for _, name := range names {
		heads[name] = w.Git("-C", name, "rev-parse", "HEAD")
	}
	return heads
}

// What lies inside a submodule beside its commits is in no commit here.
func TestRoller_Refuse_dirtyInsideSubmodule(t *testing.T) {
	t.Parallel()
	w, paths := modules(t)
	w.Write("same/untracked", "x")
	refused(t, w.roller.Refuse(ctx, "", paths), "changes inside")
	if err := w.roller.Refuse(ctx, "", []string{"a", "moved"}); err != nil {
		t.Errorf("elsewhere: %v", err)
	}
}

// A file where a submodule is, or the other way round below it, is refused.
func TestRoller_Move_submoduleInTheWay(t *testing.T) {
	t.Parallel()
	w := newWork(t, map[string]string{"a": "base\n"})
	w.remove("a")
	w.module("a")
	w.Git("add", "a")
	refused(t, w.roller.Room(ctx, w.base, []string{"a"}), "repository of its own")
	commit := w.preserve("a")
	_, err := w.roller.Move(ctx, w.request(commit, "a"))
	refused(t, err, "repository of its own")
	if head := w.Git("-C", "a", "rev-parse", "HEAD"); head == "" {
		t.Error("the submodule is gone")
	}
}
