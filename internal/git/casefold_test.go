package git_test

import (
	"os"
	"slices"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestRepo_pinCase_asksTheFileSystem: what is configured does not decide, and
// neither does a folder that somebody made for us to find.
func TestRepo_pinCase_asksTheFileSystem(t *testing.T) {
	for name, prepare := range map[string]func(r *gittest.Repo){
		"told otherwise":    func(*gittest.Repo) {},
		"a folder named so": func(r *gittest.Repo) { must(t, os.Mkdir(r.Path(".GIT"), 0o700)) },
		"by GIT_WORK_TREE": func(r *gittest.Repo) {
			must(t, os.Rename(r.Path(".git"), r.Path("../kept")))
			r.Env = append(r.Env, "GIT_DIR="+r.Path("../kept"), "GIT_WORK_TREE="+r.Dir)
		},
		"told in every file": func(r *gittest.Repo) { r.Git("config", "--global", "core.ignoreCase", "true") },
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewWithFiles(t, map[string]string{"a/File": "1\n"})
			if r.Exists("A/fILE") {
				t.Skip("this file system does not tell case apart")
			}
			r.Git("config", "core.ignoreCase", "true")
			must(t, os.Rename(r.Path("a/File"), r.Path("a/file")))
			prepare(r)
			status, err := r.Open().Status(ctx)
			must(t, err)
			var seen []string
			for _, s := range status {
				seen = append(seen, string(s.Unstaged)+" "+s.Path)
			}
			if !slices.Equal(seen, []string{"D a/File", "? a/file"}) {
				t.Errorf("status: %q", seen)
			}
		})
	}
}
