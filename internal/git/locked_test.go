package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/object"
)

// TestRepo_locked: the lock that stopped git is named where git names it, and
// where it does not, also in a folder or of a ref whose name has quotes; a lock that
// is in nobody's way is no reason.
func TestRepo_locked(t *testing.T) {
	for _, folder := range []string{"plain", `it's <a>: "b"`} {
		t.Run(folder, func(t *testing.T) { repoLocked(t, folder) })
	}
}

func repoLocked(t *testing.T, folder string) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	dir := filepath.Join(filepath.Dir(r.Dir), folder)
	if err := os.Rename(r.Dir, dir); err != nil {
		t.Fatal(err)
	}
	r.Dir = dir
	g, tip := r.Open(), r.Git("rev-parse", "HEAD")
	lock := func(name string) string {
		path := filepath.Join(g.GitDir, filepath.FromSlash(name))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Remove(path) })
		return path
	}
	stops := func(path string, err error) {
		t.Helper()
		var locked *object.LockedError
		if !errors.As(err, &locked) || locked.Path != path {
			t.Errorf("%v; want it stopped by %s", err, path)
		}
	}
	stops(lock("config.lock"), g.SetConfig(ctx, "agent.remote", "up"))
	stops(lock("refs/heads/other.lock"), g.UpdateRefs(ctx, "test", object.RefUpdate{Name: "refs/heads/other", New: tip}))
	stops(lock("refs/heads/it's.lock"), g.UpdateRefs(ctx, "test", object.RefUpdate{Name: "refs/heads/it's", New: tip}))
	var locked *object.LockedError
	if err := g.UpdateRefs(ctx, "test", object.RefUpdate{Name: "refs/heads/x", Old: tip, New: tip}); err == nil || errors.As(err, &locked) {
		t.Errorf("a ref that is not there: %v", err)
	}
}
