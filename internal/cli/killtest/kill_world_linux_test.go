package killtest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// killPlan is three steps; each changes a file, makes one and replaces the
// content of a folder, and its check wants all of that.
const killPlan = `title: killed
base: main
target: main
steps:
`

const killStep = `  - id: %[1]s
    title: write %[1]s
    touches: [a/%[1]s.txt, a/new-%[1]s, "%[1]s/"]
    retry: 0
    check: ['echo x >> "$COUNT/check-%[1]s"; test ! -e "$COUNT/orphan" || . "$COUNT/orphan"; grep -q done a/%[1]s.txt && test -f a/new-%[1]s && test -f %[1]s/deep/new && test ! -e %[1]s/old && test ! -e "$COUNT/broken"']
`

// killWorld is a run in a clone with a bare remote, in folders of its own, where
// the real binary works and dies. count holds a line for each job and check
// that ran: an oracle outside everything that git agent may touch.
type killWorld struct {
	t    *testing.T
	dir  string // holds work.git, count and the clones
	work string // the clone where commands run
	home string
}

// newKillWorld makes a run whose first step is certified and whose second failed
// once: its partial work is at refs/agent-stash/r-1/s02/1. A person's own
// untracked file and stash lie beside it.
func newKillWorld(t *testing.T) *killWorld {
	t.Helper()
	w := emptyKillWorld(t)
	w.write("mine", "2\n")
	w.git("stash", "push", "-q")
	w.write("notes", "a person's\n")
	w.must(0, "start", "../plan.yaml", "--run", "r-1")
	w.must(0, "trust", "r-1")
	w.must(0, append([]string{"step", "s01", "--"}, w.job("s01", "done")...)...)
	w.must(1, append([]string{"step", "s02", "--"}, w.job("s02", "early")...)...)
	w.must(0, "resume")
	w.forget()
	return w
}

// emptyKillWorld is a repository and a plan, before there is a run.
func emptyKillWorld(t *testing.T) *killWorld {
	t.Helper()
	w := &killWorld{t: t, dir: t.TempDir()}
	w.work, w.home = filepath.Join(w.dir, "work"), filepath.Join(w.dir, "home")
	text := killPlan
	for _, dir := range []string{w.work, w.home, filepath.Join(w.dir, "count")} {
		w.check(os.MkdirAll(dir, 0o755))
	}
	for _, id := range []string{"s01", "s02", "s03"} {
		text += fmt.Sprintf(killStep, id)
		w.write("a/"+id+".txt", "todo\n")
		w.write(id+"/old", "old\n")
	}
	w.write("../plan.yaml", text)
	w.write("mine", "1\n")
	w.git("init", "-q", "--template=", "-b", "main")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "base")
	w.git("init", "-q", "--template=", "--bare", "-b", "main", "../work.git")
	w.git("remote", "add", "origin", "file://"+filepath.Join(w.dir, "work.git"))
	w.git("push", "-q", "-u", "origin", "main")
	return w
}

// copy is the same world in a place of its own.
func (w *killWorld) copy(t *testing.T) *killWorld {
	t.Helper()
	c := &killWorld{t: t, dir: filepath.Join(t.TempDir(), "world")}
	c.work, c.home = filepath.Join(c.dir, "work"), filepath.Join(c.dir, "home")
	if out, err := exec.Command("cp", "-a", w.dir, c.dir).CombinedOutput(); err != nil {
		t.Fatalf("copy the world: %v\n%s", err, out)
	}
	c.git("config", "remote.origin.url", "file://"+filepath.Join(c.dir, "work.git"))
	return c
}

// clone is a view of the same remote from a brand-new clone under a new home,
// as in another container.
func (w *killWorld) clone() *killWorld {
	w.t.Helper()
	c := *w
	c.work, c.home = filepath.Join(w.dir, "fresh"), filepath.Join(w.dir, "home-fresh")
	w.check(os.MkdirAll(c.home, 0o755))
	w.git("clone", "-q", "--template=", "file://"+filepath.Join(w.dir, "work.git"), c.work)
	return &c
}

func (w *killWorld) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *killWorld) environ(extra ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "XDG_STATE_HOME=" + filepath.Join(w.home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(w.home, "config"), "TMPDIR=" + os.TempDir(), "TZ=UTC", "LANG=C.UTF-8", "TERM=dumb", "GORACE=atexit_sleep_ms=0",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.org", "GIT_COMMITTER_NAME=C O Mitter",
		"GIT_COMMITTER_EMAIL=committer@example.org", "GIT_COMMITTER_DATE=" + gittest.Date, "GIT_AUTHOR_DATE=" + gittest.Date,
		"COUNT=" + filepath.Join(w.dir, "count")}, extra...)
}

func (w *killWorld) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.work, name)
	w.check(os.MkdirAll(filepath.Dir(path), 0o755))
	w.check(os.WriteFile(path, []byte(content), 0o644))
}

func (w *killWorld) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.work, name))
	w.check(err)
	return string(data)
}

func (w *killWorld) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(w.work, name))
	return err == nil
}

// job is the argument list of a job that does a step; what tells whole from half.
func (w *killWorld) job(step, what string) []string {
	return []string{"sh", "-c", fmt.Sprintf(`echo x >> "$COUNT/job-%[1]s"; `+doStep, step, what)}
}

const doStep = `echo %[2]s > a/%[1]s.txt; echo new %[2]s > a/new-%[1]s; rm -f %[1]s/old; mkdir -p %[1]s/deep; echo deep %[2]s > %[1]s/deep/new`

// byHand does a step's work as a person does, without a job.
func (w *killWorld) byHand(step, what string) {
	w.t.Helper()
	cmd := exec.Command("sh", "-c", fmt.Sprintf(doStep, step, what))
	cmd.Dir = w.work
	w.check(cmd.Run())
}

// run runs git agent and answers its exit status, -9 for SIGKILL, and output.
func (w *killWorld) run(killAt string, args ...string) (int, string) {
	w.t.Helper()
	cmd := exec.Command("git-agent", args...)
	cmd.Dir, cmd.Env = w.work, w.environ("KILL_AT="+killAt)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	ws, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ws.Signaled() {
		return -int(ws.Signal()), out.String()
	}
	return ws.ExitStatus(), out.String()
}

func (w *killWorld) must(want int, args ...string) string {
	w.t.Helper()
	got, out := w.run("", args...)
	if got != want {
		w.t.Fatalf("git agent %s: exit %d, want %d\n%s", strings.Join(args, " "), got, want, out)
	}
	return out
}

// dies requires that the command is killed at the point.
func (w *killWorld) dies(point string, args ...string) {
	w.t.Helper()
	if got, out := w.run(point, args...); got != -int(syscall.SIGKILL) {
		w.t.Fatalf("git agent %s was to be killed at %s: exit %d\n%s", strings.Join(args, " "), point, got, out)
	}
}

func (w *killWorld) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.work, w.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// remote runs git in the remote.
func (w *killWorld) remote(args ...string) string {
	w.t.Helper()
	return w.git(append([]string{"--git-dir=" + filepath.Join(w.dir, "work.git")}, args...)...)
}

// counted is how often a job or check ran; forget begins anew.
func (w *killWorld) counted(name string) int {
	data, err := os.ReadFile(filepath.Join(w.dir, "count", name))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return bytes.Count(data, []byte("x"))
}

func (w *killWorld) forget() {
	w.check(os.RemoveAll(filepath.Join(w.dir, "count")))
	w.check(os.Mkdir(filepath.Join(w.dir, "count"), 0o755))
}

// certificates lists the steps certified on the remote's branch, newest first.
func (w *killWorld) certificates() []string {
	w.t.Helper()
	keys := w.remote("log", "--format=%(trailers:key=Agent-Step,valueonly)", "refs/heads/agent-run/r-1")
	return strings.Fields(keys)
}

// refs lists the refs that preserve work.
func (w *killWorld) refs() []string {
	w.t.Helper()
	return strings.Fields(w.git("for-each-ref", "--format=%(refname)", "refs/agent-stash/"))
}

// leftovers lists what a killed command may not leave for ever: git locks,
// temporary index files, scratch checkouts, open attempts, pending rollbacks.
func (w *killWorld) leftovers() []string {
	w.t.Helper()
	var found []string
	private := filepath.Join(w.work, ".git", "agent")
	below := func(path, folder string) bool {
		return strings.HasPrefix(path, filepath.Join(private, "r-1", folder)+"/")
	}
	for _, root := range []string{filepath.Join(w.work, ".git"), filepath.Join(w.dir, "work.git")} {
		w.check(filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			name := filepath.Base(path)
			lock := strings.HasSuffix(name, ".lock") && name != "worktree.lock"
			if err == nil && name != ".keep" && (lock || below(path, "tmp") || below(path, "scratch") || below(path, "attempts")) {
				found = append(found, path)
			}
			return err
		}))
	}
	for _, ref := range w.refs() {
		if strings.HasSuffix(ref, "/pending") {
			found = append(found, ref)
		}
	}
	return found
}
