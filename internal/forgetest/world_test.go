package forgetest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// kind is a forge: the script of that name, the program that it calls, and the
// server's side.
type kind struct {
	name, program string
	speak         func(*hub, http.ResponseWriter, *http.Request)
}

var kinds = []kind{
	{"github", "gh", github}, {"gitlab", "glab", gitlab}, {"gitea", "tea", gitea},
}

// needs is the program that has to be here: the script's own, or what it uses
// beside a stand-in.
func (k kind) needs() string {
	if k.program == "gh" {
		return "gh"
	}
	return "jq"
}

// world is one clone of the forge's repository, reached over "ssh", and whoever
// works in it.
type world struct {
	t *testing.T
	*hub
	dir, work string
	env       []string
	script    string
}

// each runs a test against every forge.
func each(t *testing.T, test func(w *world)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(newWorld(t, k))
		})
	}
}

func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("no %s here", program)
	}
}

// fakeSSH serves git's side of a connection from a folder.
const fakeSSH = `#!/bin/sh
for last; do :; done
cd "$HUB_ROOT" && eval "git ${last#git-}"
`

func newWorld(t *testing.T, k kind) *world {
	t.Helper()
	need(t, k.needs())
	w := &world{t: t, dir: t.TempDir()}
	w.hub = newHub(t, filepath.Join(w.dir, "o", "r.git"), k.speak)
	var err error
	w.script, err = filepath.Abs(filepath.Join("..", "..", "contrib", "forge", k.name))
	w.check(err)
	w.write("bin/ssh-to-hub", fakeSSH, 0o755)
	w.env = gittest.Env(t, "HUB="+w.socket, "HUB_ROOT="+w.dir, "GIT_SSH_COMMAND="+filepath.Join(w.dir, "bin", "ssh-to-hub"), "GIT_SSH_VARIANT=ssh",
		"GH_CONFIG_DIR="+filepath.Join(w.dir, "gh"), "GH_ENTERPRISE_TOKEN="+token, "GH_NO_UPDATE_NOTIFIER=1", "GIT_TERMINAL_PROMPT=0")
	w.env[0] = "PATH=" + filepath.Join(w.dir, "bin") + string(filepath.ListSeparator) + bin + string(filepath.ListSeparator) + os.Getenv("PATH")
	w.write("gh/config.yml", "http_unix_socket: "+w.socket+"\n", 0o600)
	if k.program != "gh" {
		self, err := os.Executable()
		w.check(err)
		w.check(os.Symlink(self, filepath.Join(w.dir, "bin", k.program)))
	}
	w.repository()
	return w
}

func (w *world) repository() {
	w.work = filepath.Join(w.dir, "work")
	w.write("work/a/s01.txt", "todo\n", 0o644)
	w.write("work/a/s02.txt", "todo\n", 0o644)
	w.write("plan.yaml", `title: "two files, $(touch pwned) & \"more\""
base: main
target: main
steps:
  - {id: s01, title: the first, item: "15", touches: [a/s01.txt], check: ['grep -q done a/s01.txt']}
  - {id: s02, title: the second, item: JIRA-7, touches: [a/s02.txt], check: ['grep -q done a/s02.txt']}
`, 0o644)
	w.git("init", "-q", "--template=", "-b", "main")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "base")
	w.git("clone", "-q", "--template=", "--bare", ".", w.bare)
	w.git("remote", "add", "origin", "git@forge.example:o/r.git")
	w.git("fetch", "-q", "origin")
	w.git("config", "--global", "agent.forge", w.script)
}

// certified starts the run and does its two steps.
func (w *world) certified() {
	w.t.Helper()
	w.must(0, "start", filepath.Join(w.dir, "plan.yaml"), "--run", "r-1")
	for _, step := range []string{"s01", "s02"} {
		w.must(0, "step", step, "--", "sh", "-c", "echo done > a/"+step+".txt")
	}
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(name, text string, mode os.FileMode) {
	w.t.Helper()
	name = filepath.Join(w.dir, name)
	w.check(os.MkdirAll(filepath.Dir(name), 0o755))
	w.check(os.WriteFile(name, []byte(text), mode))
}

func (w *world) git(args ...string) string {
	w.t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = w.work, w.env
	out, err := c.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// agent is git-agent, not started yet.
func (w *world) agent(args ...string) (c *exec.Cmd, stdout, stderr *bytes.Buffer) {
	c = exec.Command(filepath.Join(bin, "git-agent"), args...)
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	c.Dir, c.Env, c.Stdout, c.Stderr = w.work, w.env, stdout, stderr
	return c, stdout, stderr
}

// must runs git-agent, which has to end with that status, and reads what it
// prints where that is JSON.
func (w *world) must(status int, args ...string) map[string]any {
	w.t.Helper()
	c, stdout, stderr := w.agent(args...)
	_ = c.Run()
	if got := c.ProcessState.ExitCode(); got != status {
		w.t.Fatalf("git-agent %q ended with %d, want %d\n%s%s", args, got, status, stdout, stderr)
	}
	m := map[string]any{}
	if slices.Contains(args, "--json") && stdout.Len() > 0 {
		w.check(json.Unmarshal(stdout.Bytes(), &m))
	}
	return m
}

func (w *world) want(what string, got, want any) {
	w.t.Helper()
	if got != want {
		w.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// marker is the newest marker of the plan ref on the forge.
func (w *world) marker() string {
	w.t.Helper()
	for _, line := range strings.Split(w.git("--git-dir", w.bare, "log", "--format=%B", "refs/agent/r-1"), "\n") {
		if _, value, ok := strings.Cut(line, ": "); ok && (strings.HasPrefix(line, "Agent-Opened") || strings.HasPrefix(line, "Agent-Landed")) {
			return value
		}
	}
	return ""
}
