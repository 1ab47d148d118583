package killat

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

const planStep = `  - id: %[1]s
    title: write %[1]s
    touches: [a/%[1]s.txt, a/new-%[1]s, "%[1]s/"]
    retry: 0
    check: ['grep -q done a/%[1]s.txt && test -f a/new-%[1]s && test -f %[1]s/deep/new && test ! -e %[1]s/old']
`

const doStep = `echo %[2]s > a/%[1]s.txt; echo new %[2]s > a/new-%[1]s; rm -f %[1]s/old; mkdir -p %[1]s/deep; echo deep %[2]s > %[1]s/deep/new`

// world is a run in a clone with a bare remote, in folders of its own.
type world struct {
	t     *testing.T
	bin   string // holds the program, for all copies
	dir   string // holds work.git, homes and the clones
	clone string // the clone's name
	what  string // what was done to it
	torn  bool   // the server was killed in the middle of a landing
	// after happens between the harm and going on. What the harmed command
	// itself had written by then may be gone, what lay there before may not.
	after func()
}

// newWorld is a run of three steps whose first is certified.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, bin: t.TempDir(), dir: filepath.Join(t.TempDir(), "world"), clone: "work"}
	w.check(gittest.Build(w.bin))
	text := "title: swept\nbase: main\ntarget: main\nsteps:\n"
	for _, id := range []string{"s01", "s02", "s03"} {
		text += fmt.Sprintf(planStep, id)
		w.write("a/"+id+".txt", "todo\n")
		w.write(id+"/old", "old\n")
	}
	w.write("../plan.yaml", text)
	w.write("../amended.yaml", strings.Replace(text, "swept", "swept again", 1))
	w.git("init", "-q", "--template=", "-b", "main")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "base")
	w.git("init", "-q", "--template=", "--bare", "-b", "main", "../work.git")
	w.git("remote", "add", "origin", "file://"+filepath.Join(w.dir, "work.git"))
	w.git("push", "-q", "-u", "origin", "main")
	w.must("start", "../plan.yaml", "--run", "r-1")
	w.must("trust", "r-1")
	w.must(append([]string{"step", "s01", "--"}, job("s01", "done")...)...)
	return w
}

func job(step, what string) []string { return []string{"sh", "-c", fmt.Sprintf(doStep, step, what)} }

func (w *world) prepared(t *testing.T, s scene) *world {
	t.Helper()
	c := w.copy(t)
	if s.prepare != nil {
		s.prepare(c)
	}
	return c
}

// copy is the same world in a place of its own.
func (w *world) copy(t *testing.T) *world {
	t.Helper()
	c := &world{t: t, bin: w.bin, dir: filepath.Join(t.TempDir(), "world"), clone: w.clone}
	if out, err := exec.Command("cp", "-a", w.dir, c.dir).CombinedOutput(); err != nil {
		t.Fatalf("copy the world: %v\n%s", err, out)
	}
	c.git("config", "remote.origin.url", "file://"+filepath.Join(c.dir, "work.git"))
	return c
}

func (w *world) at(name string) string {
	return filepath.Join(w.dir, w.clone, filepath.FromSlash(name))
}

func (w *world) write(name, content string) {
	w.t.Helper()
	w.check(os.MkdirAll(filepath.Dir(w.at(name)), 0o755))
	w.check(os.WriteFile(w.at(name), []byte(content), 0o644))
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(w.what, err)
	}
}

func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Errorf("%s: %s", w.what, fmt.Sprintf(format, args...))
}

func (w *world) same(what, got, want string) {
	w.t.Helper()
	if got != want {
		w.fail("%s: %s, want %s", what, got, want)
	}
}

func (w *world) environ() []string {
	home := filepath.Join(w.dir, "home-"+w.clone) // each clone is another machine's
	return []string{"PATH=" + w.bin + ":" + os.Getenv("PATH"), "HOME=" + home, "TZ=UTC", "LANG=C.UTF-8", "TERM=dumb", "GORACE=atexit_sleep_ms=0",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.org",
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.org"}
}

// run runs the scene's command under killat.
func (w *world) run(s scene, flags []string) Report {
	w.t.Helper()
	r, _ := killat(w.t, w.at(""), w.environ(), append(append(slices.Clone(flags), "--"), s.argv()...)...)
	return r
}

func (w *world) agent(args ...string) (int, string) {
	w.t.Helper()
	cmd := exec.Command(filepath.Join(w.bin, "git-agent"), args...)
	cmd.Dir, cmd.Env = w.at(""), w.environ()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), out.String()
}

func (w *world) must(args ...string) {
	w.t.Helper()
	if code, out := w.agent(args...); code != 0 {
		w.t.Fatalf("git agent %s: exit %d\n%s", strings.Join(args, " "), code, out)
	}
}

func (w *world) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.at(""), w.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s: git %s: %v\n%s", w.what, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *world) remote(args ...string) string {
	w.t.Helper()
	return w.git(append([]string{"--git-dir=" + filepath.Join(w.dir, "work.git")}, args...)...)
}
