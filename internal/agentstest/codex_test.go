package agentstest

import (
	"path/filepath"
	"testing"
)

func (w *world) codex(m *model) {
	w.put(filepath.Join(w.home, ".codex", "config.toml"), `model = "test"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "`+m.URL+`/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
`)
}

var codexEnv = []string{"SCRIPTED_KEY=none"}

// TestCodex_setup: the hooks of a person's settings, once they are trusted; that
// the test trusts them wholesale is its own doing, setup never does.
func TestCodex_setup(t *testing.T) {
	w := newWorld(t, "codex")
	m := newModel(t, half, saysSo, rest, saysSo)
	w.codex(m)
	w.sh("git agent setup codex")
	out, err := w.try(codexEnv, "", "codex", "exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", prompt)
	w.played("codex", m, out, err)
	w.has("the skill is offered", m.turn(0), "Work through a git agent run")
}

// TestCodex_untrustedHooks are not run and nothing is said.
func TestCodex_untrustedHooks(t *testing.T) {
	w := newWorld(t, "codex")
	m := newModel(t, saysSo)
	w.codex(m)
	w.sh("git agent setup codex")
	out, err := w.try(codexEnv, "", "codex", "exec", "--dangerously-bypass-approvals-and-sandbox", prompt)
	if err != nil {
		t.Fatalf("%v\n%s", err, clip(out))
	}
	w.hasNot("untrusted", m.turn(0), noBrief)
}

// TestCodex_plugin: the marketplace that serves Claude Code serves Codex too.
func TestCodex_plugin(t *testing.T) {
	w := newWorld(t, "codex")
	m := newModel(t, half, saysSo, rest, saysSo)
	w.codex(m)
	kit, err := filepath.Abs("../../contrib/agents")
	if err != nil {
		t.Fatal(err)
	}
	w.sh(`codex plugin marketplace add "` + kit + `" && codex plugin add git-agent@git-agent`)
	out, err := w.try(codexEnv, "", "codex", "exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", prompt)
	w.played("codex", m, out, err)
	w.has("the plugin's skill", m.turn(0), "Work through a git agent run")
}
