package stash_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-agent/git-agent/pkg/stash"
)

func TestRefNames(t *testing.T) {
	for got, want := range map[string]string{
		stash.StepRef("r", "s", 3):          "refs/agent-stash/r/s/3",
		stash.PendingRef("r", "s"):          "refs/agent-stash/r/s/pending",
		stash.StepRef("r", stash.Strays, 1): "refs/agent-stash/r/strays/1",
		stash.StepRef("r", stash.Lost, 12):  "refs/agent-stash/r/lost/12",
		stash.StepPrefix("r", "s.1"):        "refs/agent-stash/r/s.1/",
	} {
		equal(t, "ref", got, want)
	}
}

func TestStore_SaveNext_numbersAndFindsTheSame(t *testing.T) {
	w := newWork(t, map[string]string{"a": "base\n"})
	prefix := stash.StepPrefix("r-1", "s07")
	for i, c := range []struct{ content, want string }{{"one\n", "1"}, {"two\n", "2"}, {"one\n", "1"}, {"three\n", "3"}} {
		w.Write("a", c.content)
		commit, err := w.store.Snapshot(ctx, stash.Request{Head: w.Git("rev-parse", "HEAD"), Paths: []string{"a"},
			Message: fmt.Sprintf("message %d\n", i), Scratch: w.scratch})
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.store.SaveNext(ctx, prefix, commit)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, c.content, got, prefix+c.want)
	}
	w.Git("add", "a")
	commit, err := w.snapshot("a")
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.store.SaveNext(ctx, prefix, commit)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the same file, but staged", got, prefix+"4")
}

func TestStore_SaveNext_manyAtOnceLoseNothing(t *testing.T) {
	w := newWork(t, map[string]string{"a": "base\n"})
	prefix := stash.StepPrefix("r-1", stash.Strays)
	var commits []string
	for i := range 6 {
		w.Write("a", fmt.Sprintln("work", i))
		commit, err := w.snapshot("a")
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, commit)
	}
	var wg sync.WaitGroup
	for _, c := range commits {
		wg.Go(func() {
			if _, err := w.store.SaveNext(ctx, prefix, c); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	kept := strings.Fields(w.Git("for-each-ref", "--format=%(objectname)", prefix))
	slices.Sort(kept)
	slices.Sort(commits)
	if !slices.Equal(kept, commits) {
		t.Errorf("kept %q, want %q", kept, commits)
	}
}

func TestStore_Save_isACompareAndSwap(t *testing.T) {
	w := newWork(t, map[string]string{"a": "base\n"})
	w.Write("a", "half\n")
	commit := w.save("a")
	if err := w.store.Save(ctx, ref, commit); err != nil {
		t.Errorf("the same again: %v", err)
	}
	w.Write("a", "other half\n")
	other, err := w.snapshot("a")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.store.Save(ctx, ref, other); err == nil {
		t.Error("a ref was overwritten")
	}
	equal(t, "ref", w.Git("rev-parse", ref), commit)
	equal(t, "reflog", w.Git("reflog", "show", "--format=%gs", ref), "git-agent: preserve r-1/s07")
}

func TestStore_Drop(t *testing.T) {
	w := newWork(t, map[string]string{"a": "base\n"})
	w.Write("a", "half\n")
	w.save("a")
	if err := w.store.Drop(ctx, "refs/heads/main"); err == nil {
		t.Error("dropped a branch")
	}
	if err := w.store.Drop(ctx, ref); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Drop(ctx, ref); err == nil {
		t.Error("dropped twice")
	}
	equal(t, "refs", w.Git("for-each-ref", stash.Root), "")
}

func TestStore_List(t *testing.T) {
	w := newWork(t, map[string]string{"a": "base\n"})
	boundary := w.Git("rev-parse", "HEAD")
	save := func(ref, message string) {
		commit, err := w.store.Snapshot(ctx, stash.Request{Head: w.Git("rev-parse", "HEAD"), Paths: []string{"a"}, Message: message, Scratch: w.scratch})
		if err == nil {
			err = w.store.Save(ctx, ref, commit)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.Write("a", "half\n")
	trailer := "\n\nAgent-Boundary: " + boundary + "\n"
	save(stash.StepRef("r-1", "s1", 1), "at the boundary"+trailer)
	save(stash.PendingRef("r-1", "s2"), "under way")
	w.Commit("an uncertified commit\n")
	w.Write("a", "more\n")
	save(stash.StepRef("r-1", "s1", 2), "above it"+trailer)
	if err := w.store.Save(ctx, stash.StepRef("r-1", stash.Lost, 1), w.Git("rev-parse", "HEAD")); err != nil {
		t.Fatal(err)
	}
	save(stash.StepRef("r-2", "s1", 1), "another run")
	list, err := w.store.List(ctx, "r-1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		got = append(got, fmt.Sprintf("%s %d %q based=%v commits=%v", s.Step, s.N, s.Subject, s.Base != "", s.HoldsCommits))
	}
	equal(t, "list", strings.Join(got, "\n"), strings.Join([]string{
		`lost 1 "an uncertified commit" based=false commits=true`,
		`s1 1 "at the boundary" based=true commits=false`,
		`s1 2 "above it" based=true commits=true`,
		`s2 0 "under way" based=true commits=false`}, "\n"))
	all, err := w.store.List(ctx, "")
	if err != nil || len(all) != 5 || all[0].Time.IsZero() {
		t.Errorf("all = %+v, %v", all, err)
	}
	if _, err := w.store.Show(ctx, stash.StepRef("r-1", stash.Lost, 1)); err == nil {
		t.Error("a plain commit was shown as preserved work")
	}
}
