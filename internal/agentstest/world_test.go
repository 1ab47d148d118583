package agentstest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// clients is the folder with the installed clients (`npm install --prefix`).
const clients = "GIT_AGENT_E2E_AGENTS"

// world is a home, a repository with a run of three steps of which the first is
// certified, and the program, all in a folder of the test's own.
type world struct {
	t             *testing.T
	dir, work     string
	home, program string
	env           []string
}

// newWorld skips where the clients are not installed. Codex refuses helpers below
// the temporary folder, so the world is made beside the clients.
func newWorld(t *testing.T, client string) *world {
	t.Helper()
	installed := os.Getenv(clients)
	if installed == "" {
		t.Skipf("%s is not set: make e2e-agents installs %s and runs this", clients, client)
	}
	if _, err := os.Stat(filepath.Join(installed, "node_modules", ".bin", client)); err != nil {
		t.Skipf("%s is not installed: %v", client, err)
	}
	dir, err := os.MkdirTemp(installed, "world-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !t.Failed() {
			_ = os.RemoveAll(dir)
		}
	})
	w := &world{t: t, dir: dir, work: filepath.Join(dir, "work"), home: filepath.Join(dir, "home"), program: filepath.Join(dir, "bin")}
	for _, d := range []string{w.work, w.home, w.program, filepath.Join(dir, "tmp")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.env = []string{"HOME=" + w.home, "PATH=" + w.program + ":" + filepath.Join(installed, "node_modules", ".bin") + ":" + os.Getenv("PATH"), "TMPDIR=" + filepath.Join(dir, "tmp"),
		"LANG=C.UTF-8", "TERM=dumb", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "NO_PROXY=127.0.0.1,localhost", "W=" + dir,
	}
	w.build()
	w.begin()
	return w
}

func (w *world) build() {
	w.t.Helper()
	if err := gittest.Build(w.program); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) begin() {
	// In the repository's configuration: Gemini CLI hands MCP servers a reduced
	// environment, and its shell tool another global configuration.
	w.sh(`git init -q -b main . && git config user.name A && git config user.email a@example.org && mkdir a && echo hello > README && git add -A && git commit -qm base
git init -q --bare -b main ../work.git && git remote add origin "file://$W/work.git" && git push -q -u origin main
{ echo 'title: end to end'; echo 'steps:'; for i in 1 2 3; do echo "  - {id: s0$i, title: write file $i, touches: [a/s0$i.txt], check: ['grep -q done$i a/s0$i.txt']}"; done; } > ../plan.yaml
git agent -q start ../plan.yaml --run r-1 > /dev/null
git agent -q step s01 --note 'the port is 8081' -- sh -c 'echo done1 > a/s01.txt' > /dev/null`)
}

func (w *world) sh(script string) string {
	w.t.Helper()
	out, err := w.try(nil, "", "sh", "-ec", script)
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

// try runs a program in the working tree, for two minutes at most.
func (w *world) try(env []string, input string, argv ...string) (string, error) {
	ctx, stop := context.WithTimeout(w.t.Context(), 2*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	if found, err := w.find(argv[0]); err == nil {
		c = exec.CommandContext(ctx, found, argv[1:]...)
	}
	c.Dir, c.Env, c.Stdin = w.work, append(append([]string{}, w.env...), env...), strings.NewReader(input)
	c.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	return out.String(), errors.Join(err, ctx.Err())
}

// find looks along the world's own PATH.
func (w *world) find(name string) (string, error) {
	for _, dir := range strings.Split(strings.TrimPrefix(w.env[1], "PATH="), ":") {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

func (w *world) has(what, text string, wanted ...string) {
	w.t.Helper()
	for _, s := range wanted {
		if !strings.Contains(text, s) {
			w.t.Errorf("%s does not have %q:\n%s", what, s, clip(text))
		}
	}
}

func (w *world) hasNot(what, text string, unwanted ...string) {
	w.t.Helper()
	for _, s := range unwanted {
		if strings.Contains(text, s) {
			w.t.Errorf("%s has %q", what, s)
		}
	}
}

func clip(text string) string {
	const most = 6000
	if len(text) > most {
		return text[:most/2] + "\n…\n" + text[len(text)-most/2:]
	}
	return text
}
