package git_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestRepo_SnapshotHolds_byContent changes a path after the tree was built, one
// way each, with the time stamps put back where there are some.
func TestRepo_SnapshotHolds_byContent(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *gittest.Repo)
		holds  bool
	}{
		"nothing":        {func(*gittest.Repo) {}, true},
		"touched":        {func(r *gittest.Repo) { must(t, os.Chtimes(r.Path("a"), stamp, stamp)) }, true},
		"same size":      {func(r *gittest.Repo) { sameStamps(t, r, "a", "3\n") }, false},
		"untracked":      {func(r *gittest.Repo) { sameStamps(t, r, "new", "m\n") }, false},
		"became a link":  {func(r *gittest.Repo) { must(t, os.Remove(r.Path("a"))); must(t, os.Symlink("b", r.Path("a"))) }, false},
		"executable":     {func(r *gittest.Repo) { must(t, os.Chmod(r.Path("a"), 0o755)) }, false},
		"gone":           {func(r *gittest.Repo) { must(t, os.Remove(r.Path("new"))) }, false},
		"there again":    {func(r *gittest.Repo) { r.Write("b", "1\n") }, false},
		"another's path": {func(r *gittest.Repo) { r.Write("c", "2\n") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", "b": "1\n", "c": "1\n"})
			r.Write("a", "2\n")
			r.Write("new", "n\n")
			must(t, os.Remove(r.Path("b")))
			repo, index := r.Open(), filepath.Join(t.TempDir(), "index")
			paths := []string{"a", "b", "new"}
			tree, err := repo.SnapshotTree(ctx, index, "HEAD", paths)
			must(t, err)
			c.change(r)
			holds, err := repo.SnapshotHolds(ctx, index, paths)
			must(t, err)
			if holds && !c.holds {
				t.Error("took a change for none")
			}
			again, err := repo.SnapshotTree(ctx, index, "HEAD", paths)
			must(t, err)
			if (again == tree) != c.holds {
				t.Errorf("tree %s after %s", again, tree)
			}
		})
	}
}

// TestRepo_SnapshotHolds_inOneLook: without deletions an unchanged tree is known
// for that at once.
func TestRepo_SnapshotHolds_inOneLook(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", "b": "1\n"})
	r.Write("a", "2\n")
	r.Write("new", "n\n")
	repo, index := r.Open(), filepath.Join(t.TempDir(), "index")
	_, err := repo.SnapshotTree(ctx, index, "HEAD", []string{"a", "new"})
	must(t, err)
	if holds, err := repo.SnapshotHolds(ctx, index, []string{"a", "new"}); err != nil || !holds {
		t.Errorf("holds %v, %v", holds, err)
	}
}

// sameStamps gives a file other bytes, and the time of its last change back.
func sameStamps(t *testing.T, r *gittest.Repo, name, content string) {
	t.Helper()
	before, err := os.Stat(r.Path(name))
	must(t, err)
	r.Write(name, content)
	must(t, os.Chtimes(r.Path(name), before.ModTime(), before.ModTime()))
}

var stamp = time.Unix(1_700_000_000, 0)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
