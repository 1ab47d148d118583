package git_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/object"
)

// asNobody opens a repository with the real git, run by somebody whom file
// modes bind: root, as whom containers run tests, may look everywhere.
func asNobody(t *testing.T, r *gittest.Repo) *git.Repo {
	t.Helper()
	bin, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		setpriv, err := exec.LookPath("setpriv")
		if err != nil {
			t.Skip("root may look everywhere, and there is no setpriv(1)")
		}
		wrapper := filepath.Join(filepath.Dir(r.Dir), "git")
		script := "#!/bin/sh\nexec " + setpriv + " --reuid=65534 --regid=65534 --clear-groups " + bin + " -c safe.directory='*' \"$@\"\n"
		if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		bin = wrapper
		for dir := filepath.Dir(r.Dir); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	repo, err := git.Open(ctx, git.Options{Dir: r.Dir, Env: r.Env, Bin: bin})
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// TestRepo_Status_whatItCannotLookAtIsNoAnswer: git leaves out what it cannot
// look at, and exits 0.
func TestRepo_Status_whatItCannotLookAtIsNoAnswer(t *testing.T) {
	files := map[string]string{"d/x": "1\n", "d/.gitignore": "*.o\n", "top": "1\n"}
	for name, c := range map[string]struct {
		path string
		mode os.FileMode
		want string // "": harmless
	}{
		"tracked, closed":       {"d", 0o000, "d/"},
		"tracked, no search":    {"d", 0o444, "d/"},
		"tracked, no list":      {"d", 0o311, "d/"},
		"untracked, closed":     {"u", 0o000, "u/"},
		"untracked, below":      {"u/below", 0o000, "u/below/"},
		"ignored, closed":       {"ignored", 0o000, ""},
		"untracked ignore file": {"u/.gitignore", 0o000, "u/.gitignore"},
		"exclude":               {".git/info/exclude", 0o000, ".git/info/exclude"},
		"a file":                {"d/x", 0o000, ""}, // it is listed, and cannot be added
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.mode == 0o444 && os.Geteuid() == 0 {
				t.Skip("our own look is root's")
			}
			r := gittest.NewWithFiles(t, files)
			r.Write("u/below/new", "1\n")
			r.Write("u/.gitignore", "*.o\n")
			r.Write("ignored/file", "1\n")
			r.Write(".git/info/exclude", "/ignored/\n")
			repo := asNobody(t, r)
			if err := os.Chmod(r.Path(c.path), c.mode); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(r.Path(c.path), 0o755) })
			_, err := repo.Status(ctx)
			var unread *object.UnreadError
			errors.As(err, &unread)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("err = %v", err)
			case c.want != "" && (unread == nil || unread.Path != c.want):
				t.Errorf("err = %v, want %q named", err, c.want)
			}
		})
	}
}

// TestRepo_Status_otherWordsAreHarmless: what a filter says, a trace, a link
// that git does not follow, and an ignore file of the person's that git itself goes on without.
func TestRepo_Status_otherWordsAreHarmless(t *testing.T) {
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n", ".gitattributes": "a filter=loud\n"})
	r.Git("config", "filter.loud.clean", "echo 'a: Permission denied' >&2; cat")
	r.Write("a", "2\n")
	home := filepath.Join(filepath.Dir(r.Dir), "closed")
	r.Git("config", "core.excludesFile", home+"/ignore")
	if err := os.Mkdir(home, 0o000); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("rules", r.Path(".gitignore")), os.WriteFile(r.Path("rules"), []byte("*.o\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	r.Git("add", ".gitignore", "rules")
	r.Git("commit", "-q", "-m", "links")
	r.Write("new", "1\n") // else git asks no ignore file
	r.Env = append(r.Env, "GIT_TRACE=1")
	status, err := asNobody(t, r).Status(ctx)
	if err != nil || len(status) != 2 {
		t.Errorf("status = %v, %v", status, err)
	}
}

// TestRepo_ScratchLook_whatACheckClosed: diff-index says nothing of a file that
// it cannot look at.
func TestRepo_ScratchLook_whatACheckClosed(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may look everywhere")
	}
	r := gittest.NewWithFiles(t, map[string]string{"d/x": "1\n"})
	dir, head := filepath.Join(t.TempDir(), "scratch"), r.Git("rev-parse", "HEAD")
	if err := r.Open().Scratch(ctx, dir, head); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "d"), 0o444); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "d"), 0o755) })
	_, _, err := r.Open().ScratchLook(ctx, dir, head)
	var unread *object.UnreadError
	if !errors.As(err, &unread) || unread.Path != "d/x" {
		t.Errorf("err = %v", err)
	}
}
