package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestRepo_SnapshotTree_byContent changes a path after the tree was built, one
// way each, with the time stamps put back where there are some.
func TestRepo_SnapshotTree_byContent(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *gittest.Repo)
		same   bool
	}{
		"nothing":        {func(*gittest.Repo) {}, true},
		"touched":        {func(r *gittest.Repo) { must(t, os.Chtimes(r.Path("a"), epoch, epoch)) }, true},
		"same size":      {func(r *gittest.Repo) { sameStamps(t, r, "a", "3\n") }, false},
		"second zero":    {func(r *gittest.Repo) { sameStamps(t, r, "zero", "8\n") }, false},
		"untracked":      {func(r *gittest.Repo) { sameStamps(t, r, "new", "m\n") }, false},
		"became a link":  {func(r *gittest.Repo) { must(t, os.Remove(r.Path("a"))); must(t, os.Symlink("b", r.Path("a"))) }, false},
		"executable":     {func(r *gittest.Repo) { must(t, os.Chmod(r.Path("a"), 0o755)) }, false},
		"gone":           {func(r *gittest.Repo) { must(t, os.Remove(r.Path("new"))) }, false},
		"there again":    {func(r *gittest.Repo) { r.Write("b", "1\n") }, false},
		"another's path": {func(r *gittest.Repo) { r.Write("c", "2\n") }, true},
	} {
		for _, setting := range []string{"core.trustctime=false", "core.ignoreStat=true", "core.checkStat=minimal", "core.splitIndex=true"} {
			t.Run(name+", "+setting, func(t *testing.T) {
				t.Parallel()
				r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", "b": "1\n", "c": "1\n", "zero": "0\n"})
				key, value, _ := strings.Cut(setting, "=")
				r.Git("config", key, value)
				r.Write("a", "2\n")
				r.Write("new", "n\n")
				r.Write("zero", "9\n")
				must(t, os.Chtimes(r.Path("zero"), epoch, epoch))
				must(t, os.Remove(r.Path("b")))
				repo, index := r.Open(), filepath.Join(t.TempDir(), "index")
				paths := []string{"a", "b", "new", "zero"}
				must(t, repo.SnapshotBase(ctx, index, "HEAD"))
				tree, err := repo.SnapshotTree(ctx, index, paths, nil, nil)
				must(t, err)
				c.change(r)
				again, err := repo.SnapshotTree(ctx, index, paths, nil, nil)
				must(t, err)
				if (again == tree) != c.same {
					t.Errorf("tree %s after %s", again, tree)
				}
			})
		}
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

var epoch = time.Unix(0, 0)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
