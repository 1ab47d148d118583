package hooks

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// e2e asks for the real hook managers, as people install them (`make
// e2e-hooks`): npm fetches two of them, so this is no part of `go test`.
var e2e = os.Getenv("GIT_AGENT_E2E_HOOKS") != ""

// The versions that docs/hooks.md names.
const huskyVersion, lefthookVersion = "9.1.7", "2.2.2"

// managers say how a person sets each of them up, with a pre-push hook of
// their own that writes down what it was given.
var managers = []struct {
	name, needs, setup string
	installs           string // what makes the manager's files anew
	how                string
}{
	{name: "husky", needs: "npm", how: ByBlock, installs: "npx husky",
		setup: `npm init -y >/dev/null; npm install --silent --save-dev husky@` + huskyVersion + `
npx husky; printf '%s\n' 'cat >> "$MARK"' > .husky/pre-push; echo node_modules > .gitignore`},
	{name: "lefthook", needs: "npm", how: ByLefthook, installs: "npx lefthook install",
		setup: `npm init -y >/dev/null; npm install --silent --save-dev --foreground-scripts lefthook@` + lefthookVersion + ` >/dev/null
printf '%s\n' 'pre-push:' '  commands:' '    theirs:' '      run: cat >> "$MARK"' '      use_stdin: true' > lefthook.yml
npx lefthook install; printf '%s\n' node_modules lefthook-local.yml > .gitignore`},
	{name: "pre-commit", needs: "pre-commit", how: ByLegacy, installs: "pre-commit install -t pre-push",
		setup: `printf '%s\n' 'repos:' '- repo: local' '  hooks:' '  - id: theirs' '    name: theirs' '    language: system' \
  '    entry: sh -c "echo ran >> \"$MARK\""' '    stages: [push]' '    always_run: true' '    pass_filenames: false' > .pre-commit-config.yaml
pre-commit install -t pre-push`},
}

func TestRealManagers(t *testing.T) {
	if !e2e {
		t.Skip("the real hook managers: make e2e-hooks (GIT_AGENT_E2E_HOOKS)")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(bin, "git-agent"), "github.com/git-agent/git-agent/cmd/git-agent").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, m := range managers {
		t.Run(m.name, func(t *testing.T) {
			if _, err := exec.LookPath(m.needs); err != nil {
				t.Skipf("%s is not installed", m.needs)
			}
			w := newManaged(t, bin, m.setup)
			w.sh("git agent hooks install")
			var found struct{ Hooks []Hook }
			if err := json.Unmarshal([]byte(w.sh("git agent hooks status --json")), &found); err != nil {
				t.Fatal(err)
			}
			if h := found.Hooks[0]; h.Event != "pre-push" || h.State != Installed || h.How != m.how {
				t.Errorf("status: %+v", h)
			}
			w.refusedAndRepaired()
			w.sh(m.installs) // what a colleague's `npm install` does
			w.malformed()
			if out, err := w.try("git push origin HEAD"); err == nil {
				t.Errorf("after %s the push passed:\n%s", m.installs, out)
			}
			w.sh("git reset -q --keep HEAD~1; git agent hooks uninstall")
			w.malformed()
			w.sh("git push -q origin HEAD")
		})
	}
}

// managed is a repository with a run, a remote and a hook manager.
type managed struct {
	t   *testing.T
	dir string
	env []string
}

func newManaged(t *testing.T, bin, setup string) *managed {
	t.Helper()
	top := t.TempDir()
	w := &managed{t: t, dir: filepath.Join(top, "work")}
	w.env = append(os.Environ(), "HOME="+filepath.Join(top, "home"), "XDG_STATE_HOME="+filepath.Join(top, "state"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "MARK="+filepath.Join(top, "mark"))
	for _, name := range []string{w.dir, filepath.Join(top, "home")} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.sh("git init -q -b main; git init -q --bare ../origin.git; git remote add origin ../origin.git\n" + setup)
	w.sh(`git add -A; git commit -q --no-verify -m base; git push -q --no-verify origin main
printf '%s\n' 'title: t' 'steps:' '  - {id: s01, title: one, touches: [one], check: ["test -f one"]}' '  - {id: s02, title: two, touches: [two], check: ["test -f two"]}' > ../plan.yaml
git agent start ../plan.yaml --run r-1; git agent step s01 -- touch one`)
	return w
}

func (w *managed) try(script string) (string, error) {
	c := exec.Command("sh", "-euc", script)
	c.Dir, c.Env = w.dir, w.env
	out, err := c.CombinedOutput()
	return string(out), err
}

func (w *managed) sh(script string) string {
	w.t.Helper()
	out, err := w.try(script)
	if err != nil {
		w.t.Fatalf("%s\n%v\n%s", script, err, out)
	}
	return out
}

// malformed is a commit as people make it: git reads the last paragraph only.
func (w *managed) malformed() {
	w.t.Helper()
	w.sh(`git commit -q --no-verify --allow-empty -m "s02: two" -m "Agent-Run: r-1" -m "Agent-Step: s02" -m "Agent-Check: test -f two exit=0 secs=0.1" -m "Agent-Plan-Version: 1"`)
}

// refusedAndRepaired pushes a malformed commit, does what the refusal says and
// pushes again; the person's own hook sees that.
func (w *managed) refusedAndRepaired() {
	w.t.Helper()
	mark := filepath.Join(filepath.Dir(w.dir), "mark")
	_ = os.Remove(mark)
	w.malformed()
	out, err := w.try("git push origin HEAD")
	if err == nil || !strings.Contains(out, "4 paragraphs") {
		w.t.Fatalf("the push was to be refused: %v\n%s", err, out)
	}
	repair := regexp.MustCompile(`(?m)^git-agent: hint: (printf .*)$`).FindStringSubmatch(out)
	if repair == nil {
		w.t.Fatalf("no repair in:\n%s", out)
	}
	w.sh(repair[1])
	_ = os.Remove(mark)
	w.sh("git push origin HEAD")
	if text, err := os.ReadFile(mark); err != nil || len(text) == 0 {
		w.t.Errorf("the person's own hook got %q, %v", text, err)
	}
	w.t.Logf("refused:\n%s", out)
}
