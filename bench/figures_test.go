package bench

import (
	"fmt"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// figure is one line of the page.
type figure struct {
	what, floor string
	target      float64 // of the ratio; 0: none
	measure     func(t *testing.T) measured
}

type measured struct {
	floor, ours cost // the best of all turns
	note        string
}

func (m measured) ratio() float64 { return m.ours.wall.Seconds() / m.floor.wall.Seconds() }

func (m measured) cpu() float64 {
	return m.ours.cpu.Seconds() / max(m.floor.cpu.Seconds(), 0.0001)
}

// told is what was measured, with what it was measured on.
func (m measured) told(format string, args ...any) measured {
	m.note = fmt.Sprintf(format, args...)
	return m
}

// figures stand in the order of the page. Whoever adds a command whose cost is
// promised adds a line.
var figures = []figure{
	{what: "`git agent version`", floor: "a Go program that prints a line", target: 3, measure: startUp},
	{what: "`resume`, everything certified", floor: "`git log --raw base..branch` and `git status`", target: 1.5, measure: verbOf(large, "resume", "r-1")},
	{what: "`status`", floor: "the same", target: 1.5, measure: verbOf(large, "status", "r-1")},
	{what: "`brief`", floor: "the same", target: 1.5, measure: verbOf(large, "brief", "r-1")},
	{what: "`step` without a job, over http", floor: "`sh -c true`, `git add`, `git commit`, `git push`", target: 1.5, measure: step(true)},
	{what: "`step` without a job, into a folder", floor: "the same", measure: step(false)},
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
	return versus(t, turns(60), w.always(words("hello")), w.always(words("git-agent version")))
}

// walk is what nobody who judges a run from its history can do without.
func (w *world) walk() act {
	return w.always(words("git log --raw -z --no-renames --first-parent "+w.base+".."+branch), words("git status --porcelain=v2 -z --untracked-files=all"))
}

func verbOf(of func() size, args ...string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := worldOf(t, of())
		m := versus(t, turns(11), w.walk(), w.always(append([]string{"git-agent"}, args...)))
		return m.told("%d steps, %d files, %d processes of git", w.size.steps, w.size.files, w.children(args...))
	}
}

func history(args ...string) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := worldOf(t, long())
		floor := w.always([]string{"git", "log", "--format=%(trailers)", w.base + ".." + branch})
		m := versus(t, turns(11), floor, w.always(append([]string{"git-agent"}, args...)))
		return m.told("%d certificates of %d steps", w.size.steps*w.size.rounds, w.size.steps)
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

// step certifies one file after the other, a step each turn; the floor commits
// and pushes a file of another clone by hand, on a branch of its own.
func step(http bool) func(t *testing.T) measured {
	return func(t *testing.T) measured {
		w := newWorld(t, size{steps: 1, rounds: 1, files: stepFiles()})
		url := w.Git("remote", "get-url", "origin")
		hand := w.Clone(url)
		hand.Git("checkout", "-q", "-b", "hand", "origin/main")
		note := "the remote is a folder on the same disk"
		if http {
			url, note = serve(t, strings.TrimPrefix(url, "file://")), "git http-backend on loopback"
			w.Git("remote", "set-url", "origin", url)
			hand.Git("remote", "set-url", "origin", url)
		}
		plan := filepath.Join(filepath.Dir(w.Dir), "steps.yaml")
		if err := os.WriteFile(plan, []byte(stepPlan(40)), 0o600); err != nil {
			t.Fatal(err)
		}
		w.agent("start", plan, "--run", "r-2")
		return versus(t, turns(15), w.byHand(hand), w.certifying()).told("%d files; %s", w.size.files, note)
	}
}

func (w *world) byHand(hand *gittest.Repo) act {
	return act{
		before: func(turn int) { hand.Write(file(turn), fmt.Sprintf("turn %d\n", turn)) },
		run: func(turn int) []*exec.Cmd {
			var all []*exec.Cmd
			for _, c := range [][]string{{"sh", "-c", "true"}, {"git", "add", file(turn)}, {"git", "commit", "-q", "-m", "by hand"}, {"git", "push", "-q", "origin", "hand"}} {
				child := w.command(c[0], c[1:]...)
				child.Dir = hand.Dir
				all = append(all, child)
			}
			return all
		},
	}
}

func (w *world) certifying() act {
	return act{
		before: func(turn int) { w.Write(file(turn), fmt.Sprintf("turn %d\n", turn)) },
		run: func(turn int) []*exec.Cmd {
			return []*exec.Cmd{w.command("git-agent", "step", stepID(turn), "--run", "r-2")}
		},
	}
}

// serve makes a bare repository answer over git's own smart HTTP server.
func serve(t *testing.T, bare string) string {
	t.Helper()
	path, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "-C", bare, "config", "http.receivepack", "true").CombinedOutput(); err != nil {
		t.Fatalf("http.receivepack: %v\n%s", err, out)
	}
	server := httptest.NewServer(&cgi.Handler{Path: filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"), InheritEnv: []string{"PATH"},
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(bare), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + t.TempDir()}})
	t.Cleanup(server.Close)
	return server.URL + "/" + filepath.Base(bare)
}

// stepPlan has steps that each touch a file of their own.
func stepPlan(steps int) string {
	plan := "title: steps\nbase: main\nsteps:\n"
	for i := range steps {
		plan += fmt.Sprintf("  - {id: %s, title: write %d, touches: [%s], check: [\"true\"]}\n", stepID(i), i, file(i))
	}
	return plan
}
