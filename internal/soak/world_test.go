package soak

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const (
	run    = "r-1"
	branch = "refs/heads/agent-run/" + run
	most   = 6 // steps that a run has in its life
)

// world is one history: a bare remote and the clones of several people, each
// with a home of its own.
type world struct {
	rt     *rapid.T
	dir    string
	clones []string
	tokens int               // so that no two edits are alike
	plans  map[int][]asked   // by version
	steps  int               // that were in some plan: no id is given twice
	seen   map[string]bool   // certificates that the remote had, by commit
	made   map[string]bool   // what attempts made, by clone and path
	theirs map[string]string // what persons put on the branch where nobody else writes, by path
	log    []string          // what happened, for the report
	tally  *tally            // of this history; nil before it begins
	doing  string            // the action that is under way
	story  string            // the actions so far, a line each
}

// asked is a step of a plan, and the level that its check wants.
type asked struct{ step, level int }

// first is what every run is started with.
var first = []asked{{0, 1}, {1, 1}, {2, 1}}

func stepID(n int) string { return fmt.Sprintf("s%02d", n+1) }

// stepOf is the number of a step, -1 where nobody gave it this id.
func stepOf(id string) int {
	for n := range most {
		if stepID(n) == id {
			return n
		}
	}
	return -1
}

// planText asks for a level of each step; the files say which they reached.
func planText(steps []asked) string {
	text := "title: soaked\nbase: main\ntarget: main\nsteps:\n"
	for _, s := range steps {
		text += fmt.Sprintf("  - id: %s\n    title: reach a level\n    touches: [a/%[1]s.txt, b/%[1]s/]\n    check: ['grep -qx \"level %d\" a/%[1]s.txt && test -f b/%[1]s/new']\n", stepID(s.step), s.level)
	}
	return text
}

// newest is the plan that is amended last.
func (w *world) newest() []asked { return w.plans[len(w.plans)] }

// level is what a version of the plan asks of a step, 0 where it has none such.
func (w *world) level(version, step int) int {
	for _, s := range w.plans[version] {
		if s.step == step {
			return s.level
		}
	}
	return 0
}

// origin is the world that all histories begin with: a run that was started.
func origin(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	w := &world{dir: dir, clones: []string{"c0"}}
	fatal := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := range most {
		fatal(w.write("c0", "a/"+stepID(n)+".txt", "todo\n"))
		fatal(w.write("c0", "b/"+stepID(n)+"/old", "old\n"))
	}
	fatal(w.write("c0", "c/other", "other\n"))
	fatal(os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(planText(first)), 0o600))
	for _, args := range [][]string{
		{"init", "-q", "--template=", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "base"},
		{"init", "-q", "--template=", "--bare", "-b", "main", "../work.git"},
		{"remote", "add", "origin", "file:///nowhere"}, {"config", "agent.leaseTTL", "300ms"},
	} {
		_, err := w.tryGit("c0", args...)
		fatal(err)
	}
	fatal(w.point("c0"))
	_, err := w.tryGit("c0", "push", "-q", "-u", "origin", "main")
	fatal(err)
	if code, out := w.agent("c0", 0, "start", "../plan.yaml", "--run", run); code != 0 {
		t.Fatalf("start: exit %d\n%s", code, out)
	}
	return dir
}

// newWorld is a copy of the origin for one history.
func newWorld(t *testing.T, rt *rapid.T, from string) *world {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("cp", "-a", from+"/.", dir).CombinedOutput(); err != nil {
		t.Fatalf("copy: %v\n%s", err, out)
	}
	rt.Cleanup(func() { _ = os.RemoveAll(dir) })
	w := &world{rt: rt, dir: dir, clones: []string{"c0"}, plans: map[int][]asked{1: first}, steps: len(first), seen: map[string]bool{}, made: map[string]bool{}, theirs: map[string]string{}}
	if err := w.point("c0"); err != nil {
		t.Fatal(err)
	}
	// The plan was trusted for another folder.
	w.must(w.agent("c0", 0, "trust", run))
	w.tally = newTally()
	return w
}

// point makes the clone's remote the one of this world.
func (w *world) point(clone string) error {
	_, err := w.tryGit(clone, "config", "remote.origin.url", "file://"+filepath.Join(w.dir, "work.git"))
	return err
}

// another is a brand-new clone, of whatever depth.
func (w *world) another(depth ...string) string {
	name := fmt.Sprintf("c%d", len(w.clones))
	w.clones = append(w.clones, name)
	w.git("c0", append(append([]string{"clone", "-q", "--template=", "-c", "agent.leaseTTL=300ms"}, depth...), "file://"+filepath.Join(w.dir, "work.git"), "../"+name)...)
	return name
}

func (w *world) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

func (w *world) failf(format string, args ...any) {
	w.rt.Helper()
	w.rt.Fatalf("%s\nafter:\n  %s", fmt.Sprintf(format, args...), strings.Join(w.log, "\n  "))
}

func (w *world) must(code int, out string) {
	w.rt.Helper()
	if code != 0 {
		w.failf("exit %d\n%s", code, out)
	}
}

func (w *world) path(clone, name string) string {
	return filepath.Join(w.dir, clone, filepath.FromSlash(name))
}

func (w *world) write(clone, name, content string) error {
	path := w.path(clone, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}

func (w *world) environ(clone string, kill int) []string {
	home := filepath.Join(w.dir, "home-"+clone)
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + home + "/state", "TZ=UTC", "LANG=C.UTF-8", "TERM=dumb",
		"GORACE=atexit_sleep_ms=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.org",
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.org", fmt.Sprintf("KILL_NTH=%d", kill)}
}

// agent runs git agent in a clone, to die at its kill-th point (0: never).
func (w *world) agent(clone string, kill int, args ...string) (int, string) {
	cmd := exec.Command("git-agent", args...)
	cmd.Dir, cmd.Env = w.path(clone, ""), w.environ(clone, kill)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	w.tally.ended(w.doing, cmd.ProcessState.ExitCode())
	return cmd.ProcessState.ExitCode(), out.String()
}

func (w *world) tryGit(clone string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	if err := os.MkdirAll(w.path(clone, ""), 0o755); err != nil {
		return "", err
	}
	cmd.Dir, cmd.Env = w.path(clone, ""), w.environ(clone, 0)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

func (w *world) git(clone string, args ...string) string {
	w.rt.Helper()
	out, err := w.tryGit(clone, args...)
	if err != nil {
		w.failf("%v", err)
	}
	return out
}

// remote asks the bare repository itself.
func (w *world) remote(args ...string) string {
	w.rt.Helper()
	return w.git("work.git", args...)
}
