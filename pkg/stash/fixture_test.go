package stash_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/stash"
)

var (
	ctx           = context.Background()
	_   stash.Git = (*git.Repo)(nil)
)

const ref = "refs/agent-stash/r-1/s07/1"

type work struct {
	*gittest.Repo
	store   *stash.Store
	scratch string
}

func newWork(t testing.TB, files map[string]string) *work {
	t.Helper()
	r := gittest.NewWithFiles(t, files)
	return &work{Repo: r, store: &stash.Store{Git: r.Open(), Top: r.Open().Top}, scratch: t.TempDir()}
}

// reopen reads the configuration anew.
func (w *work) reopen() { w.store.Git = w.Open() }

func (w *work) snapshot(paths ...string) (string, error) {
	return w.store.Snapshot(ctx, stash.Request{Head: w.Git("rev-parse", "HEAD"), Paths: paths, Message: "s07 partial\n", Scratch: w.scratch})
}

// save preserves the paths at ref.
func (w *work) save(paths ...string) string {
	w.T.Helper()
	commit, err := w.snapshot(paths...)
	if err != nil {
		w.T.Fatal(err)
	}
	if err := w.store.Save(ctx, ref, commit); err != nil {
		w.T.Fatal(err)
	}
	return commit
}

// wipe takes the whole tree back by hand, as no code of ours may.
func (w *work) wipe() {
	w.T.Helper()
	w.Git("reset", "-q", "--hard")
	w.Git("clean", "-fdq")
}

func refused(t *testing.T, err error, says string) {
	t.Helper()
	var r *stash.Refusal
	if !errors.As(err, &r) || !strings.Contains(r.Reason, says) {
		t.Errorf("err = %v, want a refusal that names %q", err, says)
	}
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}
