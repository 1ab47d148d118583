package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// figure is one line of the page.
type figure struct {
	what, floor string
	target      float64 // of the ratio; 0: none
	measure     func(t *testing.T) measured
}

type measured struct {
	floor, ours float64 // seconds, the best of all turns
	note        string
}

func (m measured) ratio() float64 { return m.ours / m.floor }

// figures stand in the order of the page. Whoever adds a command whose cost is
// promised adds a line.
var figures = []figure{
	{what: "`git agent version`", floor: "a Go program that prints a line", target: 3, measure: startUp},
	{what: "`resume`, everything certified", floor: "`git log --raw base..branch` and `git status`", target: 1.5, measure: verbOf(large, "resume", "r-1")},
	{what: "`status`", floor: "the same", target: 1.5, measure: verbOf(large, "status", "r-1")},
	{what: "`brief`", floor: "the same", target: 1.5, measure: verbOf(large, "brief", "r-1")},
	{what: "`step` without a job", floor: "`sh -c true`, `git add`, `git commit`, `git push`", target: 1.5, measure: step},
	{what: "`log`", floor: "`git log --format='%(trailers)'`", target: 1.5, measure: history("log", "r-1")},
	{what: "`log --json`", floor: "the same", target: 1.5, measure: history("log", "r-1", "--json")},
	{what: "`verify`", floor: "the same", target: 1.5, measure: history("verify", "agent-run/r-1")},
	{what: "`preflight`", floor: "`git for-each-ref` and `git log` of the target", measure: preflight("r-7")},
	{what: "`preflight --item`", floor: "the same", measure: preflight("--item", "ITEM-X")},
}

// The sizes of the design, section 15, and small ones that only try the bench.
func large() size {
	if full {
		return size{steps: 1000, rounds: 1, files: 100_000}
	}
	return size{steps: 20, rounds: 1, files: 200}
}

func long() size {
	if full {
		return size{steps: 1000, rounds: 10, files: 1000}
	}
	return size{steps: 20, rounds: 3, files: 200}
}

func turns(n int) int {
	if full {
		return n
	}
	return 1
}

func stepFiles() int {
	if full {
		return 1000
	}
	return 200
}

// worlds are made once for all figures.
var worlds = map[size]*world{}

func worldOf(t *testing.T, of size) *world {
	t.Helper()
	if worlds[of] == nil {
		worlds[of] = newWorld(keeper{t}, of)
	}
	w, repo := *worlds[of], *worlds[of].Repo
	repo.T = t
	w.Repo = &repo
	return &w
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

func startUp(t *testing.T) measured {
	w := worldOf(t, large())
	best := versus(t, turns(60), w.always(words("hello")), w.always(words("git-agent version")))
	return measured{floor: best[0].Seconds(), ours: best[1].Seconds()}
}

// walk is what nobody who judges a run from its history can do without.
func (w *world) walk() act {
	return w.always(words("git log --raw -z --no-renames --first-parent "+w.base+".."+branch), words("git status --porcelain=v2 -z --untracked-files=all"))
}

func verbOf(of func() size, args ...string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := worldOf(t, of())
		best := versus(t, turns(11), w.walk(), w.always(append([]string{"git-agent"}, args...)))
		return measured{best[0].Seconds(), best[1].Seconds(), fmt.Sprintf("%d steps, %d files, %d processes of git", w.size.steps, w.size.files, w.children(args...))}
	}
}

func history(args ...string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := worldOf(t, long())
		floor := w.always([]string{"git", "log", "--format=%(trailers)", w.base + ".." + branch})
		best := versus(t, turns(11), floor, w.always(append([]string{"git-agent"}, args...)))
		return measured{best[0].Seconds(), best[1].Seconds(), fmt.Sprintf("%d certificates of %d steps", w.size.steps*w.size.rounds, w.size.steps)}
	}
}

// children counts the processes of git that a command starts.
func (w *world) children(args ...string) int {
	trace := filepath.Join(w.T.TempDir(), "trace")
	c := w.command("git-agent", args...)
	c.Env = append(c.Env, "GIT_AGENT_TRACE="+trace)
	if out, err := c.CombinedOutput(); err != nil {
		w.T.Fatalf("%s: %v\n%s", c, err, out)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		w.T.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// step certifies one file after the other in a run of one step each turn; the
// floor commits and pushes a file of the same clone by hand, on a branch of
// its own.
func step(t *testing.T) measured {
	w := worldOf(t, size{steps: 1, rounds: 1, files: stepFiles()})
	hand := w.Clone("file://" + strings.TrimPrefix(w.Git("remote", "get-url", "origin"), "file://"))
	hand.Git("checkout", "-q", "-b", "hand", "origin/main")
	plan := filepath.Join(filepath.Dir(w.Dir), "steps.yaml")
	if err := os.WriteFile(plan, []byte(planOf(200, func(int) int { return 0 })), 0o600); err != nil {
		t.Fatal(err)
	}
	w.agent("start", plan, "--run", "r-2")
	byHand := act{
		before: func(turn int) { hand.Write("d0000/f00", fmt.Sprintf("turn %d\n", turn)) },
		run: func(turn int) []*exec.Cmd {
			var all []*exec.Cmd
			for _, c := range [][]string{{"sh", "-c", "true"}, {"git", "add", "d0000/f00"}, {"git", "commit", "-q", "-m", "by hand"}, {"git", "push", "-q", "origin", "hand"}} {
				child := w.command(c[0], c[1:]...)
				child.Dir = hand.Dir
				all = append(all, child)
			}
			return all
		},
	}
	ours := act{
		before: func(turn int) { w.Write("d0000/f00", fmt.Sprintf("turn %d\n", turn)) },
		run: func(turn int) []*exec.Cmd {
			return []*exec.Cmd{w.command("git-agent", "step", stepID(turn), "--run", "r-2")}
		},
	}
	best := versus(t, turns(15), byHand, ours)
	return measured{floor: best[0].Seconds(), ours: best[1].Seconds(), note: fmt.Sprintf("%d files; the remote is a folder", w.size.files)}
}
