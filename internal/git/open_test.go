package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestCase123_IsAncestor_threeOutcomes: "cannot answer" (exit 128) is neither yes
// nor no.
func TestCase123_IsAncestor_threeOutcomes(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	base := r.Git("rev-parse", "HEAD")
	tip := r.Commit("more")
	g := r.Open()
	for _, test := range []struct {
		a, b    string
		yes, ok bool
	}{
		{base, tip, true, true},
		{tip, base, false, true},
		{strings.Repeat("1", 40), tip, false, false},
		{r.Git("rev-parse", "HEAD^{tree}"), tip, false, false},
	} {
		if yes, err := g.IsAncestor(ctx, test.a, test.b); yes != test.yes || (err == nil) != test.ok {
			t.Errorf("IsAncestor(%s, %s) = %v, %v; want %v, known %v", test.a, test.b, yes, err, test.yes, test.ok)
		}
	}
}

// TestOpen_linkedHook: what git gives to a hook of a linked working tree names the
// tree, not the folder below it, nor another repository, where the hook happens to be.
func TestOpen_linkedHook(t *testing.T) {
	r, other := gittest.NewWithFiles(t, map[string]string{"sub/a": "1\n"}), gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	linked := filepath.Join(t.TempDir(), "linked\nby a newline")
	r.Git("worktree", "add", "-q", "--detach", linked)
	env := append(r.Env, "GIT_DIR="+strings.TrimSpace(gitDirOf(t, linked)), "GIT_INDEX_FILE=index")
	for dir, want := range map[string]string{linked: linked, filepath.Join(linked, "sub"): linked, other.Dir: other.Dir} {
		g, err := git.Open(ctx, git.Options{Dir: dir, Env: env})
		if err != nil {
			t.Fatal(err)
		}
		if g.Top != want {
			t.Errorf("from %q the top is %q, want %q", dir, g.Top, want)
		}
	}
}

func gitDirOf(t *testing.T, tree string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(tree, ".git"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(string(text), "gitdir: ")
}
