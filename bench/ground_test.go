package bench

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// ground is what runs stand on: a clone whose main has so many files, in
// folders of so many, and so many commits below it. Checking 100,000 files out
// takes seconds, so that all runs of the same ground share one clone.
type ground struct{ files, inFolder, below int }

func groundOf(t *testing.T, g ground) *world {
	t.Helper()
	repo := kept(t, g, func(k keeper) *gittest.Repo {
		r := gittest.New(k)
		r.Env = append(r.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		r.GitIn(g.stream(), "fast-import", "--quiet")
		r.Git("reset", "-q", "--hard", "main")
		r.AddRemote()
		return r
	})
	return &world{Repo: repo, base: repo.Git("rev-parse", "main")}
}

const begin = 1893553445 // gittest.Date

// stream has a date for each commit: of many with the same one, git's walk
// cannot tell which end it has reached, and visits all. It has a file that sorts before all folders, as most repositories have:
// `git diff <tree> -- <the index's first folder>` is quadratic (git 2.39), and
// no floor of ours is to gain by that.
func (g ground) stream() string {
	var b strings.Builder
	for i := range g.below + 1 {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter C <c@example.org> %d +0000\ndata 4\nbase\nM 100644 inline CHANGES\ndata 8\n%8d\n", begin-g.below+i, i)
	}
	for i := range g.files {
		content := fmt.Sprintf("file %d\n", i)
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", file(i, g.inFolder), len(content), content)
	}
	return b.String()
}

// repos are made once for all figures.
var repos = map[any]*gittest.Repo{}

// kept is the repository with that key, made by the first who asks.
func kept(t *testing.T, key any, make func(keeper) *gittest.Repo) *gittest.Repo {
	t.Helper()
	if repos[key] == nil {
		repos[key] = make(keeper{t})
	}
	repo := *repos[key]
	repo.T = t
	return &repo
}

// keeper is a test whose folders live as long as the package's.
type keeper struct{ *testing.T }

func (k keeper) TempDir() string {
	dir, err := os.MkdirTemp(bin, "world")
	if err != nil {
		k.Fatal(err)
	}
	return dir
}
