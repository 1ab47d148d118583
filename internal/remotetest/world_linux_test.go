package remotetest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const planStep = `  - id: %[1]s
    title: write %[1]s
    touches: [a/%[1]s.txt]
    retry: 0
    check: ['echo x >> "$COUNT/check-%[1]s"; grep -q done a/%[1]s.txt']
`

// world is a bare remote with a repository's first commit, a plan for it, and
// a folder where jobs and checks count themselves, outside everything that git
// agent may touch.
type world struct {
	t   *testing.T
	dir string // holds work.git, plan.yaml, count and the clones
	url string // where clones find work.git
}

// clone is one machine: a clone with a home of its own.
type clone struct {
	*world
	name string
	env  []string // beside the world's
}

func newWorld(t *testing.T, steps int) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	w.url = "file://" + w.path("work.git")
	seed := &clone{world: w, name: "seed"}
	for i := range steps {
		w.write("seed/a/"+stepID(i)+".txt", "todo\n")
	}
	w.write("plan.yaml", planText(steps))
	w.check(os.MkdirAll(w.path("count"), 0o755))
	w.check(os.MkdirAll(w.path("home-seed"), 0o755))
	seed.git("init", "-q", "--template=", "-b", "main")
	seed.git("add", "-A")
	seed.git("commit", "-q", "-m", "base")
	seed.git("clone", "-q", "--template=", "--bare", ".", "../work.git")
	w.remote("config", "http.receivepack", "true")
	return w
}

func planText(steps int) string {
	text := "title: several machines\nbase: main\ntarget: main\nsteps:\n"
	for i := range steps {
		text += fmt.Sprintf(planStep, stepID(i))
	}
	return text
}

func stepID(i int) string { return fmt.Sprintf("s%02d", i+1) }

// copy is the same world, its clones included, in a place of its own, whose
// clones find the remote at the address.
func (w *world) copy(t *testing.T) *world {
	t.Helper()
	c := &world{t: t, dir: filepath.Join(t.TempDir(), "world")}
	if out, err := exec.Command("cp", "-a", w.dir, c.dir).CombinedOutput(); err != nil {
		t.Fatalf("copy the world: %v\n%s", err, out)
	}
	c.url = "file://" + c.path("work.git")
	return c
}

// clone makes a machine. The address is the world's at this moment.
func (w *world) clone(name string) *clone {
	w.t.Helper()
	c := w.at(name)
	w.check(os.MkdirAll(w.path("home-"+name), 0o755))
	seed := &clone{world: w, name: "seed"}
	seed.git("clone", "-q", "--template=", w.url, c.path(name))
	return c
}

// at is a machine that is there already.
func (w *world) at(name string) *clone { return &clone{world: w, name: name} }

// moved makes the clone find the remote at the world's address.
func (c *clone) moved() *clone {
	c.t.Helper()
	c.git("config", "remote.origin.url", c.url)
	return c
}

// joined is a machine that has the run and trusts it.
func (w *world) joined(name string) *clone {
	w.t.Helper()
	c := w.clone(name)
	c.must(0, "resume", "r-1", "--trust")
	return c
}

// started is a machine that began the run.
func (w *world) started(name string) *clone {
	w.t.Helper()
	c := w.clone(name)
	c.must(0, "start", "../plan.yaml", "--run", "r-1")
	return c
}

func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *world) write(name, content string) {
	w.t.Helper()
	w.check(os.MkdirAll(filepath.Dir(w.path(name)), 0o755))
	w.check(os.WriteFile(w.path(name), []byte(content), 0o755))
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (c *clone) environ() []string {
	home := c.path("home-" + c.name)
	return append([]string{"PATH=" + c.path("ssh/bin") + ":" + bin + ":" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + home + "/state",
		"XDG_CONFIG_HOME=" + home + "/config", "TZ=UTC", "LANG=C.UTF-8", "TERM=dumb", "GORACE=atexit_sleep_ms=0", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.org", "GIT_COMMITTER_NAME=" + c.name,
		"GIT_COMMITTER_EMAIL=committer@example.org", "COUNT=" + c.path("count"), "MACHINE=" + c.name}, c.env...)
}

// command is git-agent, not started yet.
func (c *clone) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd, out := exec.Command(filepath.Join(bin, "git-agent"), args...), &bytes.Buffer{}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.path(c.name), c.environ(), out, out
	return cmd, out
}

// run answers the exit status, negative for a signal, and the output.
func (c *clone) run(args ...string) (int, string) {
	cmd, out := c.command(args...)
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return -1000, err.Error()
	}
	return status(cmd), out.String()
}

func status(cmd *exec.Cmd) int {
	ws, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ws.Signaled() {
		return -int(ws.Signal())
	}
	return ws.ExitStatus()
}

func (c *clone) must(want int, args ...string) string {
	c.t.Helper()
	got, out := c.run(args...)
	if got != want {
		c.t.Fatalf("%s: git agent %s: exit %d, want %d\n%s", c.name, strings.Join(args, " "), got, want, out)
	}
	return out
}

// job is the argument list of a job that does a step and counts itself; what
// it writes tells whose it is.
func (c *clone) job(step, what string) []string {
	return []string{"sh", "-c", fmt.Sprintf(`echo x >> "$COUNT/job-%[1]s"; echo %[2]s by %[3]s > a/%[1]s.txt`, step, what, c.name)}
}

// does runs a step with a job.
func (c *clone) does(step string) []string {
	return append([]string{"step", step, "--"}, c.job(step, "done")...)
}

func (c *clone) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = c.path(c.name), c.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
