package reconcile

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// TestGuards_equalsGitDiffQuiet asks git itself, as the essay does, for every
// step of a real history: `git diff --quiet <certificate> HEAD -- <paths>`.
func TestGuards_equalsGitDiffQuiet(t *testing.T) {
	defer few(t, "12")()
	p := steps(step("s01", []string{"a"}, "go.mod"), step("s02", []string{"b/"}), step("s03", []string{"c", "b/y"}), step("s04", nil))
	rapid.Check(t, func(rt *rapid.T) {
		r := gittest.NewWithFiles(t, map[string]string{"go.mod": "1\n", "a/x": "1\n", "b/y/z": "1\n"})
		base := r.Git("rev-parse", "HEAD")
		for range rapid.IntRange(1, 6).Draw(rt, "commits") {
			edit(rt, r)
			id := rapid.SampledFrom([]string{"", "s01", "s02", "s03", "s04"}).Draw(rt, "step")
			if id == "" {
				r.Commit("x\n")
				continue
			}
			r.Git("add", "-A")
			r.Commit(certificate(rt, id, r.Git("write-tree")))
		}
		chain, err := r.Open().Chain(context.Background(), base, r.Git("rev-parse", "HEAD"))
		if err != nil {
			rt.Fatal(err)
		}
		l := ledger.Read(runID, base, chain)
		guards, err := Guards(GuardFacts{Plan: p, Versions: map[int]*plan.Plan{1: p}, Ledger: l})
		if err != nil {
			rt.Fatal(err)
		}
		for id, g := range guards {
			if g.Void {
				continue // said by the history, not by one comparison
			}
			if want := unchanged(r, l, p, id); g.Holds != want {
				rt.Fatalf("%s: the guard is %+v, git says unchanged: %v", id, g, want)
			}
		}
	})
}

// few lets a property that starts processes run less often.
func few(t *testing.T, checks string) (restore func()) {
	f := flag.Lookup("rapid.checks")
	was := f.Value.String()
	if err := f.Value.Set(checks); err != nil {
		t.Fatal(err)
	}
	return func() { _ = f.Value.Set(was) }
}

// edit does something to one file: content, mode, deletion, file to folder.
func edit(t *rapid.T, r *gittest.Repo) {
	name := rapid.SampledFrom([]string{"go.mod", "a/x", "a", "b/y/z", "b/n", "c", "d"}).Draw(t, "name")
	switch rapid.SampledFrom([]string{"write", "write", "chmod", "delete"}).Draw(t, "edit") {
	case "write":
		if name == "a" {
			_ = os.RemoveAll(r.Path("a")) // the folder becomes a file
		} else if info, err := os.Lstat(r.Path("a")); name == "a/x" && err == nil && !info.IsDir() {
			_ = os.Remove(r.Path("a"))
		}
		r.Write(name, rapid.SampledFrom([]string{"1\n", "2\n", "3\n"}).Draw(t, "text"))
	case "chmod":
		if info, err := os.Stat(r.Path(name)); err == nil && info.Mode().IsRegular() {
			_ = os.Chmod(r.Path(name), info.Mode()^0o111)
		}
	case "delete":
		_ = os.RemoveAll(r.Path(name))
	}
}

func certificate(t *rapid.T, id, tree string) string {
	block, err := trailers.Evidence{Run: runID, Step: id, PlanVersion: 1, Tree: tree, Checks: []trailers.Check{passed}}.Trailers()
	if err != nil {
		t.Fatal(err)
	}
	text, err := trailers.Format(trailers.Message{Subject: id + ": work", Trailers: block})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// unchanged is what git says of a step's touches, its reads and every path
// between a boundary and a certificate of it.
func unchanged(r *gittest.Repo, l *ledger.Ledger, p *plan.Plan, id string) bool {
	s, _ := p.Step(id)
	paths := slices.Concat(s.Touches, s.Reads)
	for _, record := range l.Of(id) {
		for _, c := range record.Span {
			paths = append(paths, c.Path)
		}
	}
	args := []string{"--literal-pathspecs", "diff", "--quiet", l.Newest(id).Commit.ID, "HEAD"}
	if len(s.Touches)+len(s.Reads) > 0 {
		args = append(append(args, "--"), paths...)
	}
	_, err := r.TryGit("", args...)
	if err != nil && fmt.Sprint(err) != "exit status 1" {
		r.T.Fatal(err)
	}
	return err == nil
}
