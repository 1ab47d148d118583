package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// size is how large a run is: rounds certificates for each step, in a tree of
// so many files. Each certificate changes four files of one folder.
type size struct{ steps, rounds, files int }

const perFolder = 100

// world is a clone with a bare origin and a run of which every step is
// certified and pushed.
type world struct {
	*gittest.Repo
	size size
	base string
}

const branch = "refs/heads/agent-run/r-1"

func newWorld(t testing.TB, of size) *world {
	t.Helper()
	w := &world{Repo: gittest.New(t), size: of}
	w.Env = append(w.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	w.GitIn(w.baseStream(), "fast-import", "--quiet")
	w.Git("reset", "-q", "--hard", "main")
	w.base = w.Git("rev-parse", "HEAD")
	w.AddRemote()
	plan := filepath.Join(filepath.Dir(w.Dir), "plan.yaml")
	if err := os.WriteFile(plan, []byte(planOf(of.steps, w.folder)), 0o600); err != nil {
		t.Fatal(err)
	}
	w.agent("start", plan, "--run", "r-1")
	w.certify()
	w.Git("push", "-q", "origin", branch)
	w.Git("repack", "-adq")
	w.agent("resume", "r-1")
	return w
}

// agent runs git-agent, which has to work.
func (w *world) agent(args ...string) string {
	w.T.Helper()
	out, err := w.command("git-agent", args...).CombinedOutput()
	if err != nil {
		w.T.Fatalf("git-agent %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func file(i int) string { return fmt.Sprintf("d%04d/f%02d", i/perFolder, i%perFolder) }

// folder is the one that a certificate's step works in.
func (w *world) folder(step int) int { return step * max(1, w.size.files/perFolder/w.size.steps) }

func (w *world) baseStream() string {
	var b strings.Builder
	fmt.Fprintf(&b, "commit refs/heads/main\ncommitter C <c@example.org> %d +0000\ndata 4\nbase\n", begin)
	for i := range w.size.files {
		content := fmt.Sprintf("file %d\n", i)
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", file(i), len(content), content)
	}
	return b.String()
}

const begin = 1893553445 // gittest.Date

func stepID(i int) string { return fmt.Sprintf("s%05d", i) }

func planOf(steps int, folder func(step int) int) string {
	var b strings.Builder
	b.WriteString("title: bench\nbase: main\nsteps:\n")
	for i := range steps {
		fmt.Fprintf(&b, "  - {id: %s, title: write %d, touches: [d%04d/], check: [\"true\"]}\n", stepID(i), i, folder(i))
	}
	return b.String()
}

// certify writes the certificates as git agent would, past its checks: first
// commits for their trees, then the same trees with messages that name them.
func (w *world) certify() {
	w.T.Helper()
	var trees strings.Builder
	n := w.size.steps * w.size.rounds
	for i := range n {
		fmt.Fprintf(&trees, "commit refs/heads/trees\ncommitter C <c@example.org> %d +0000\ndata 1\nx\n", begin)
		if i == 0 {
			trees.WriteString("from refs/heads/main^0\n")
		}
		for k := range 4 {
			content := fmt.Sprintf("certified %d\n", i)
			fmt.Fprintf(&trees, "M 100644 inline d%04d/f%02d\ndata %d\n%s\n", w.folder(i%w.size.steps), (i/w.size.steps+k)%perFolder, len(content), content)
		}
	}
	w.GitIn(trees.String(), "fast-import", "--quiet")
	var run strings.Builder
	for i, tree := range strings.Fields(w.Git("log", "--reverse", "--format=%T", "main..trees")) {
		message := w.message(i, tree)
		fmt.Fprintf(&run, "commit %s\ncommitter C <c@example.org> %d +0000\ndata %d\n%s\n", branch, begin+i, len(message), message)
		if i == 0 {
			run.WriteString("from " + w.base + "\n")
		}
		fmt.Fprintf(&run, "M 040000 %s \n", tree)
	}
	w.GitIn(run.String(), "fast-import", "--quiet")
	w.Git("branch", "-q", "-D", "trees")
	w.Git("reset", "-q", "--hard")
}

func (w *world) message(i int, tree string) string {
	w.T.Helper()
	id := stepID(i % w.size.steps)
	e := trailers.Evidence{Run: "r-1", Step: id, PlanVersion: 1, Tree: tree, Attempt: 1 + i/w.size.steps,
		Checks: []trailers.Check{{Command: "true", Outcome: trailers.Outcome{Kind: trailers.Exit}, Secs: "0.1"}}}
	block, err := e.Trailers()
	if err != nil {
		w.T.Fatal(err)
	}
	text, err := trailers.Format(trailers.Message{Subject: id + ": write", Trailers: block})
	if err != nil {
		w.T.Fatal(err)
	}
	return text
}
