package git_test

import (
	"os"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// inTheWay is a repository on main with files that git calls modified and nobody
// changed, and a commit that changes some of them: f, alike as git would have
// stored it anyway, and gone.
func inTheWay(t *testing.T) (r *gittest.Repo, from, to string) {
	t.Helper()
	r = gittest.NewWithFiles(t, map[string]string{"f.txt": "a\r\n", "alike.txt": "a\r\n", "gone.txt": "a\r\n", "stays.txt": "a\r\n",
		"other": "1\n", "out/of/cone": "1\n"})
	r.Write(".gitattributes", "*.txt text\n")
	r.Git("add", ".gitattributes")
	r.Git("commit", "-q", "-m", "attributes")
	from = r.Git("rev-parse", "HEAD")
	r.Write("f.txt", "a\r\nb\r\n")
	r.Write("other", "2\n")
	r.Write("new", "2\n")
	r.Write("out/of/cone", "2\n")
	r.Git("add", "--renormalize", "alike.txt")
	r.Git("rm", "-q", "--cached", "gone.txt")
	r.Git("add", "f.txt", "other", "new", "out")
	r.Git("commit", "-q", "-m", "to")
	to = r.Git("rev-parse", "HEAD")
	r.Git("reset", "-q", "--hard", from)
	for _, name := range []string{"f.txt", "alike.txt", "gone.txt", "stays.txt"} {
		must(t, os.Chtimes(r.Path(name), epoch, epoch))
	}
	return r, from, to
}

func TestRepo_PassUntouched(t *testing.T) {
	for name, prepare := range map[string]func(r *gittest.Repo){
		"all of them":    func(*gittest.Repo) {},
		"assumed":        func(r *gittest.Repo) { r.Git("update-index", "--assume-unchanged", "f.txt") },
		"staged beside":  func(r *gittest.Repo) { r.Write("mine", "1\n"); r.Git("add", "mine") },
		"changed beside": func(r *gittest.Repo) { r.Write("stays.txt", "mine\r\n") },
		"a split index": func(r *gittest.Repo) {
			r.Git("config", "core.splitIndex", "true")
			r.Git("update-index", "--split-index")
		},
		"a sparse checkout": func(r *gittest.Repo) { r.Git("sparse-checkout", "set", "--no-cone", "/*", "!/out/") },
		"CR LF here":        func(r *gittest.Repo) { r.Git("config", "core.eol", "crlf") },
		"no bits":           func(r *gittest.Repo) { r.Git("config", "core.fileMode", "false") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, from, to := inTheWay(t)
			prepare(r)
			repo := r.Open()
			if err := repo.Follow(ctx, from, to); err == nil {
				t.Fatal("git did not refuse: nothing is tried here")
			}
			passed, err := repo.PassUntouched(ctx, t.TempDir(), from, to)
			if err != nil || !passed {
				t.Fatalf("passed: %v, %v", passed, err)
			}
			must(t, repo.Follow(ctx, from, to))
			r.Git("update-ref", "HEAD", to)
			left, err := repo.Status(ctx)
			must(t, err)
			if want := map[string]int{"staged beside": 1, "changed beside": 1}[name]; len(left) != want {
				t.Errorf("status: %+v", left)
			}
			end := "\n"
			if name == "CR LF here" {
				end = "\r\n"
			}
			if f, alike := r.Read("f.txt"), r.Read("alike.txt"); f != "a"+end+"b"+end || alike != "a"+end {
				t.Errorf("%q, %q", f, alike)
			}
			if r.Exists("gone.txt") || r.Read("new") != "2\n" {
				t.Error("not as the commit has it")
			}
			if name == "a sparse checkout" && (r.Exists("out/of/cone") || r.Git("ls-files", "-t", "out") != "S out/of/cone") {
				t.Error("it came out of its cone")
			}
		})
	}
}

// TestRepo_PassUntouched_refused: where anything else is in the way as well, or
// alone, nothing moves.
func TestRepo_PassUntouched_refused(t *testing.T) {
	for name, prepare := range map[string]func(r *gittest.Repo){
		"a change":            func(r *gittest.Repo) { r.Write("other", "mine\n") },
		"a change, same size": func(r *gittest.Repo) { sameStamps(r.T.(*testing.T), r, "other", "9\n") },
		"a change in one":     func(r *gittest.Repo) { r.Write("f.txt", "a\r\nmine\r\n") },
		"its bit":             func(r *gittest.Repo) { must(r.T.(*testing.T), os.Chmod(r.Path("f.txt"), 0o755)) },
		"an assumed change": func(r *gittest.Repo) {
			r.Git("update-index", "--assume-unchanged", "other")
			r.Write("other", "mine\n")
		},
		"an untracked file": func(r *gittest.Repo) { r.Write("new", "mine\n") },
		"staged":            func(r *gittest.Repo) { r.Write("other", "mine\n"); r.Git("add", "other"); r.Write("other", "1\n") },
		"staged and assumed": func(r *gittest.Repo) {
			r.Git("add", "--renormalize", "f.txt")
			r.Git("update-index", "--assume-unchanged", "f.txt")
		},
		"no such file": func(r *gittest.Repo) {
			r.Git("rm", "-q", "--cached", ".gitattributes")
			must(r.T.(*testing.T), os.Remove(r.Path(".gitattributes")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, from, to := inTheWay(t)
			prepare(r)
			repo := r.Open()
			look := func() string {
				return r.Git("status", "--porcelain") + r.Git("ls-files", "-s", "-v") + r.Read("f.txt") + r.Read("alike.txt") + r.Read("gone.txt") + r.Read("other")
			}
			before := look()
			passed, err := repo.PassUntouched(ctx, t.TempDir(), from, to)
			if passed || (err == nil) != (name == "no such file") {
				t.Errorf("passed: %v, %v", passed, err)
			}
			if after := look(); after != before {
				t.Errorf("it was\n%s\nand is\n%s", before, after)
			}
		})
	}
}
