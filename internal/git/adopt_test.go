package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/object"
)

// TestRepo_SnapshotTree_lineEnds: what becomes of CR LF, where git tells what is
// text, goes by the entry in the person's index.
func TestRepo_SnapshotTree_lineEnds(t *testing.T) {
	const kept, lost = "3", "2"
	for name, c := range map[string]struct {
		stage func(r *gittest.Repo)
		size  string
	}{
		"as in HEAD":          {func(*gittest.Repo) {}, kept},
		"renormalised":        {func(r *gittest.Repo) { r.Git("add", "--renormalize", "f") }, lost},
		"left":                {func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", "f") }, lost},
		"left, intent to add": {func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", "f"); r.Git("add", "-N", "f") }, lost},
		"renormalised, flagged": {func(r *gittest.Repo) {
			r.Git("add", "--renormalize", "f")
			r.Git("update-index", "--assume-unchanged", "f")
		}, lost},
		"a link in the index":            {func(r *gittest.Repo) { stageLink(r, "f") }, lost},
		"executable, nothing of content": {func(r *gittest.Repo) { r.Git("update-index", "--chmod=+x", "f") }, kept},
	} {
		for _, setting := range []string{"", "core.autocrlf=input", "core.autocrlf=true", "core.fileMode=false"} {
			if setting == "core.fileMode=false" && (strings.HasPrefix(name, "left") || strings.HasPrefix(name, "a link")) {
				continue // there only HEAD knows the bit
			}
			t.Run(name+", "+setting, func(t *testing.T) {
				t.Parallel()
				r := gittest.NewWithFiles(t, map[string]string{"f": "a\r\n"})
				if key, value, set := strings.Cut(setting, "="); set {
					r.Git("config", key, value)
				}
				if !strings.HasPrefix(setting, "core.autocrlf") {
					r.Write(".gitattributes", "* text=auto\n")
				}
				c.stage(r)
				tree, _ := snapshotNow(t, r, "f")
				if got := r.Git("cat-file", "-s", tree+":f"); got != c.size {
					t.Errorf("%s bytes, want %s", got, c.size)
				}
			})
		}
	}
}

// TestRepo_SnapshotTree_noMoreChildren: what is staged costs a child only where a
// file has line ends that it may decide about.
func TestRepo_SnapshotTree_noMoreChildren(t *testing.T) {
	for content, want := range map[string]int{"b\n": 1, "b\r\n": 2} {
		r := gittest.NewWithFiles(t, map[string]string{"f": "a\n"})
		r.Write("f", content)
		r.Git("add", "f")
		if _, children := snapshotNow(t, r, "f"); children != want {
			t.Errorf("%q: %d children, want %d", content, children, want)
		}
	}
}

// snapshotNow takes the tree as a step does, and counts the children that wrote
// into its index file.
func snapshotNow(t *testing.T, r *gittest.Repo, paths ...string) (tree string, children int) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "trace")
	r.Env = append(r.Env, "GIT_TRACE="+log)
	repo, index := r.Open(), filepath.Join(t.TempDir(), "index")
	status, err := repo.Status(ctx)
	must(t, err)
	var staged []object.Entry
	for _, f := range status {
		if f.Staged != '.' && !f.Untracked() {
			staged = append(staged, object.Entry{Path: f.Path, Mode: f.IndexMode, ID: f.IndexID})
		}
	}
	must(t, repo.SnapshotBase(ctx, index, "HEAD"))
	tree, err = repo.SnapshotTree(ctx, index, paths, nil, staged)
	must(t, err)
	said, err := os.ReadFile(log)
	must(t, err)
	return tree, strings.Count(string(said), "built-in: git update-index")
}

func stageLink(r *gittest.Repo, path string) {
	r.Git("update-index", "--cacheinfo", object.ModeSymlink+","+r.GitIn("to", "hash-object", "-w", "--stdin")+","+path)
}
