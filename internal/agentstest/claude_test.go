package agentstest

import (
	"path/filepath"
	"testing"
)

func (m *model) claudeEnv() []string {
	return []string{"ANTHROPIC_BASE_URL=" + m.URL, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1"}
}

// TestClaude_setup: hooks and skill from a person's settings.
func TestClaude_setup(t *testing.T) {
	w := newWorld(t, "claude")
	w.sh("git agent setup claude")
	m := newModel(t, half, saysSo, rest, saysSo)
	out, err := w.try(m.claudeEnv(), "", "claude", "-p", prompt, "--allowedTools", "Bash")
	w.played("claude", m, out, err)
	w.has("the skill is offered", m.turn(0), "Work through a git agent run")
	w.sh("git agent setup claude --undo")
	m = newModel(t, saysSo)
	out, err = w.try(m.claudeEnv(), "", "claude", "-p", prompt)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w.hasNot("after --undo", m.turn(0), noBrief)
}

// TestClaude_plugin: the same from the kit's plugin, and its MCP server answers.
func TestClaude_plugin(t *testing.T) {
	w := newWorld(t, "claude")
	kit, err := filepath.Abs("../../contrib/agents/plugins/git-agent")
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t, half, saysSo, rest, saysSo)
	out, err := w.try(m.claudeEnv(), "", "claude", "-p", prompt, "--plugin-dir", kit, "--allowedTools", "Bash")
	w.played("claude", m, out, err)
	w.has("the plugin's skill", m.turn(0), "Work through a git agent run")
}

// TestClaude_bare runs no hooks, and says nothing about it: why `git agent step`
// hands the brief over by itself.
func TestClaude_bare(t *testing.T) {
	w := newWorld(t, "claude")
	w.sh("git agent setup claude")
	m := newModel(t, saysSo)
	out, err := w.try(m.claudeEnv(), "", "claude", "--bare", "-p", prompt)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w.hasNot("--bare", m.turn(0), noBrief)
}

// TestClaude_compaction: what was injected at the start is gone from the context
// after /compact; the hook's second answer, which says so, is there.
func TestClaude_compaction(t *testing.T) {
	w := newWorld(t, "claude")
	w.sh("git agent setup claude")
	m := newModel(t, saysSo, reply{text: "<summary>They talked.</summary>"}, saysSo)
	say := func(text string) string {
		return `{"type":"user","message":{"role":"user","content":[{"type":"text","text":"` + text + `"}]}}` + "\n"
	}
	out, err := w.try(m.claudeEnv(), say(prompt)+say("/compact")+say("And now?"), "claude", "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
	if err != nil {
		t.Fatalf("%v\n%s", err, clip(out))
	}
	w.has("the first request", m.turn(0), append(brief, "shown because a session starts")...)
	w.has("the last request", m.turn(-1), append(brief, "shown after compaction", "And now?")...)
	w.hasNot("the last request", m.turn(-1), "shown because a session starts")
}
