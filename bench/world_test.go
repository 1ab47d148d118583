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
// so many files, on a base with so many commits below it. Each certificate
// changes four files of its step's folder, or all where it has fewer.
type size struct{ steps, rounds, files, below int }

// perFolder is how many files a folder has at most.
const perFolder = 100

// inFolder leaves each step a folder of its own.
func (s size) inFolder() int { return min(perFolder, s.files/s.steps) }

// folder is the one that a step works in.
func (s size) folder(step int) int { return step * (s.files / s.inFolder() / s.steps) }

func file(i, inFolder int) string { return fmt.Sprintf("d%04d/f%02d", i/inFolder, i%inFolder) }

// world is a clone with a bare origin and a run of which every step is
// certified and pushed; its branch is checked out.
type world struct {
	*gittest.Repo
	size size
	run  string
	base string
	// changes counts what changeAll did.
	changes int
}

// worldOf makes a world, or finds the one that another figure made.
func worldOf(t *testing.T, of size) *world {
	t.Helper()
	w := groundOf(t, ground{files: of.files, inFolder: of.inFolder(), below: of.below})
	w.size, w.run = of, fmt.Sprintf("r-%dx%d", of.steps, of.rounds)
	if _, err := w.TryGit("", "rev-parse", "--quiet", "--verify", w.branch()); err == nil {
		w.Git("checkout", "-q", "agent-run/"+w.run)
		return w
	}
	w.start(planOf(of))
	w.certify()
	w.Git("push", "-q", "origin", w.branch())
	w.Git("repack", "-adq")
	w.agent("resume", w.run)
	return w
}

func (w *world) branch() string { return "refs/heads/agent-run/" + w.run }

// start begins the world's run and checks its branch out.
func (w *world) start(plan string) {
	w.T.Helper()
	name := filepath.Join(w.T.TempDir(), "plan.yaml")
	if err := os.WriteFile(name, []byte(plan), 0o600); err != nil {
		w.T.Fatal(err)
	}
	w.agent("start", name, "--run", w.run)
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

func stepID(i int) string { return fmt.Sprintf("s%05d", i) }

func planOf(s size) string {
	var b strings.Builder
	b.WriteString(planHead)
	for i := range s.steps {
		fmt.Fprintf(&b, "  - {id: %s, title: write %d, touches: [d%04d/], check: [\"true\"]}\n", stepID(i), i, s.folder(i))
	}
	return b.String()
}

const planHead = "title: bench\nbase: main\nsteps:\n"

// certify writes the certificates as git agent would, past its checks: first
// commits for their trees, then the same trees with messages that name them.
func (w *world) certify() {
	w.T.Helper()
	var trees strings.Builder
	s := w.size
	for i := range s.steps * s.rounds {
		fmt.Fprintf(&trees, "commit refs/heads/trees\ncommitter C <c@example.org> %d +0000\ndata 1\nx\n", begin)
		if i == 0 {
			trees.WriteString("from refs/heads/main^0\n")
		}
		for k := range min(4, s.inFolder()) {
			content := fmt.Sprintf("certified %d\n", i)
			fmt.Fprintf(&trees, "M 100644 inline d%04d/f%02d\ndata %d\n%s\n", s.folder(i%s.steps), (i/s.steps+k)%s.inFolder(), len(content), content)
		}
	}
	w.GitIn(trees.String(), "fast-import", "--quiet")
	var run strings.Builder
	for i, tree := range strings.Fields(w.Git("log", "--reverse", "--format=%T", "main..trees")) {
		message := w.message(i, tree)
		fmt.Fprintf(&run, "commit %s\ncommitter C <c@example.org> %d +0000\ndata %d\n%s\n", w.branch(), begin+i, len(message), message)
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
	e := trailers.Evidence{Run: w.run, Step: id, PlanVersion: 1, Tree: tree, Attempt: 1 + i/w.size.steps,
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
