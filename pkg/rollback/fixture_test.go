package rollback_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	"github.com/sirupsen/logrus/hooks/test"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/rollback"
	"github.com/git-agent/git-agent/pkg/stash"
)

var (
	ctx              = context.Background()
	_   rollback.Git = (*git.Repo)(nil)
)

const (
	run, step = "r-1", "s07"
	subject   = "s07 partial, attempt 2\n"
)

// work is a repository with a half-done step in it.
type work struct {
	*gittest.Repo
	git     *git.Repo
	roller  *rollback.Roller
	store   *stash.Store
	scratch string
	base    string
	trace   *test.Hook
}

func open(t testing.TB, r *gittest.Repo) *work {
	t.Helper()
	log, trace := test.NewNullLogger()
	log.SetLevel(logrus.DebugLevel)
	repo, err := git.Open(ctx, git.Options{Dir: r.Dir, Env: r.Env, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC) }
	return &work{Repo: r, git: repo, trace: trace, scratch: t.TempDir(), base: r.Git("rev-parse", "HEAD"),
		roller: &rollback.Roller{Git: repo, Top: repo.Top, Now: now}, store: &stash.Store{Git: repo, Top: repo.Top}}
}

func newWork(t testing.TB, files map[string]string, args ...string) *work {
	t.Helper()
	return open(t, gittest.NewWithFiles(t, files, args...))
}

// preserve snapshots and saves at pending.
func (w *work) preserve(paths ...string) string {
	w.T.Helper()
	commit, err := w.store.Snapshot(ctx, stash.Request{Head: w.Git("rev-parse", "HEAD"), Paths: paths, Message: subject, Scratch: w.scratch})
	if err != nil {
		w.T.Fatal(err)
	}
	if err := w.store.Save(ctx, stash.PendingRef(run, step), commit); err != nil {
		w.T.Fatal(err)
	}
	return commit
}

func (w *work) request(commit string, paths ...string) rollback.Request {
	return rollback.Request{Run: run, Step: step, Stash: commit, Target: w.base, Paths: paths, Scratch: w.scratch}
}

// discard is the whole sequence of a failed step.
func (w *work) discard(paths ...string) string {
	w.T.Helper()
	if err := w.roller.Refuse(ctx, "", paths); err != nil {
		w.T.Fatal(err)
	}
	commit := w.preserve(paths...)
	if _, err := w.roller.Move(ctx, w.request(commit, paths...)); err != nil {
		w.T.Fatal(err)
	}
	ref, err := w.roller.Settle(ctx, run, step)
	if err != nil {
		w.T.Fatal(err)
	}
	return ref
}

// photo is all there is: files with bytes and git's idea of their mode, the
// index with its flags, the person's stash list.
func (w *work) photo() map[string]string {
	w.T.Helper()
	all := map[string]string{"stash list": w.Git("stash", "list")}
	err := filepath.WalkDir(w.Dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if e.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		rel, _ := filepath.Rel(w.Dir, name)
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			text, err := os.Readlink(name)
			all["file "+rel] = "-> " + text
			return err
		}
		content, err := os.ReadFile(name)
		all["file "+rel] = fmt.Sprintf("%v %q", info.Mode()&0o100 != 0, content)
		return err
	})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, rec := range strings.Split(w.Git("ls-files", "-s", "-v", "-z"), "\x00") {
		if meta, path, ok := strings.Cut(rec, "\t"); ok {
			all["index "+path] = meta
		}
	}
	for _, rec := range strings.Split(w.Git("diff", "--no-ext-diff", "--cached", "--name-status", "-z", "--no-renames", "HEAD"), "\x00") {
		all["staged "+rec] = "" // tells an intent to add from an empty file
	}
	return all
}

// reporter is what a test and a property's run have in common.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

func same(t reporter, what string, got, want map[string]string) {
	t.Helper()
	for k, v := range want {
		if g, ok := got[k]; !ok || g != v {
			t.Errorf("%s: %q is %q, want %q", what, k, g, v)
		}
	}
	for k, v := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s: %q is there (%q)", what, k, v)
		}
	}
}

func (w *work) chmod(name string, mode os.FileMode) {
	w.T.Helper()
	if err := os.Chmod(w.Path(name), mode); err != nil {
		w.T.Fatal(err)
	}
}

func (w *work) remove(names ...string) {
	w.T.Helper()
	for _, n := range names {
		if err := os.RemoveAll(w.Path(n)); err != nil {
			w.T.Fatal(err)
		}
	}
}

func (w *work) link(text, name string) {
	w.T.Helper()
	if err := os.MkdirAll(filepath.Dir(w.Path(name)), 0o755); err != nil {
		w.T.Fatal(err)
	}
	if err := os.Symlink(text, w.Path(name)); err != nil {
		w.T.Fatal(err)
	}
}
