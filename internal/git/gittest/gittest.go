// Package gittest gives tests a hermetic git: an environment built from
// nothing, a frozen identity and clock, and repositories made by real git in
// temporary folders. There is no mock of git anywhere in this project.
package gittest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git"
)

// Date is the frozen author and committer date of every commit.
const Date = "2030-01-02T03:04:05Z"

// Env is an environment built from nothing: the PATH, a home folder of the
// test's own, no system configuration, a fixed identity and date.
func Env(t testing.TB, extra ...string) []string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "TMPDIR=" + os.TempDir(),
		"TZ=UTC", "LANG=C.UTF-8", "TERM=dumb", "GORACE=atexit_sleep_ms=0", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.org", "GIT_AUTHOR_DATE=" + Date,
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.org", "GIT_COMMITTER_DATE=" + Date,
	}, extra...)
}

// Repo is a real repository in a temporary folder.
type Repo struct {
	T   testing.TB
	Dir string
	Env []string
}

// New makes an empty repository on branch main; args go to git init.
func New(t testing.TB, args ...string) *Repo {
	t.Helper()
	r := &Repo{T: t, Dir: filepath.Join(t.TempDir(), "work"), Env: Env(t)}
	r.mkdir(r.Dir)
	r.Git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return r
}

// NewWithFiles is New with one commit "base" that holds these files.
func NewWithFiles(t testing.TB, files map[string]string, args ...string) *Repo {
	t.Helper()
	r := New(t, args...)
	for name, content := range files {
		r.Write(name, content)
	}
	r.Git("add", "-A")
	r.Git("commit", "-q", "-m", "base")
	return r
}

// AddRemote makes a bare repository, adds it as origin and pushes main.
func (r *Repo) AddRemote() string {
	r.T.Helper()
	bare := filepath.Join(filepath.Dir(r.Dir), filepath.Base(r.Dir)+".git")
	r.Git("init", "-q", "--bare", "-b", "main", "--object-format="+r.Git("rev-parse", "--show-object-format"), bare)
	r.Git("remote", "add", "origin", "file://"+bare)
	r.Git("push", "-q", "-u", "origin", "main")
	return bare
}

// Clone clones url into a new temporary folder; args go to git clone.
func (r *Repo) Clone(url string, args ...string) *Repo {
	r.T.Helper()
	c := &Repo{T: r.T, Dir: filepath.Join(r.T.TempDir(), "clone"), Env: r.Env}
	r.Git(append(append([]string{"clone", "-q"}, args...), url, c.Dir)...)
	return c
}

// Git runs git in the repository and returns its output without the last
// newline; any failure ends the test.
func (r *Repo) Git(args ...string) string {
	r.T.Helper()
	out, err := r.TryGit("", args...)
	if err != nil {
		r.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// GitIn is Git with standard input.
func (r *Repo) GitIn(stdin string, args ...string) string {
	r.T.Helper()
	out, err := r.TryGit(stdin, args...)
	if err != nil {
		r.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// TryGit is GitIn where failing is allowed.
func (r *Repo) TryGit(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.Env, strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		return out.String() + errs.String(), err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// Open opens the repository through internal/git.
func (r *Repo) Open() *git.Repo {
	r.T.Helper()
	opened, err := git.Open(context.Background(), git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		r.T.Fatal(err)
	}
	return opened
}

// Write writes a file, making its folders.
func (r *Repo) Write(name, content string) {
	r.T.Helper()
	path := r.Path(name)
	r.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		r.T.Fatal(err)
	}
}

// Read is a file's content; a missing file ends the test.
func (r *Repo) Read(name string) string {
	r.T.Helper()
	b, err := os.ReadFile(r.Path(name))
	if err != nil {
		r.T.Fatal(err)
	}
	return string(b)
}

// Exists reports whether something (a dangling link too) has that name.
func (r *Repo) Exists(name string) bool {
	_, err := os.Lstat(r.Path(name))
	return err == nil
}

// Path is a name in the working tree as a path of the file system.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Commit adds everything and commits; it returns the commit's id.
func (r *Repo) Commit(message string) string {
	r.T.Helper()
	r.Git("add", "-A")
	r.GitIn(message, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-F", "-")
	return r.Git("rev-parse", "HEAD")
}

func (r *Repo) mkdir(dir string) {
	r.T.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.T.Fatal(err)
	}
}
