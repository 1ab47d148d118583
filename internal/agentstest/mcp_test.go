package agentstest

import (
	"path/filepath"
	"testing"
)

// served is the conversation of a client that certifies through the MCP server.
var served = []reply{{tool: "run_status"}, {shell: "echo done2 > a/s02.txt"}, {tool: "step_certify"}, saysSo}

// mcpPlayed: the tools were offered, called and answered, and the step is certified.
func (w *world) mcpPlayed(client string, m *model, out string, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", client, err, clip(out))
	}
	w.has(client+": the answer of run_status", m.turn(1), "agent-run/r-1", "left_out")
	w.has(client+": the answer of step_certify", m.turn(3), "certified; go on with the next step")
	w.certified(client)
}

// TestClaude_mcp: the server that comes with the plugin.
func TestClaude_mcp(t *testing.T) {
	w := newWorld(t, "claude")
	kit, err := filepath.Abs("../../contrib/agents/plugins/git-agent")
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t, served...)
	env := append(m.claudeEnv(), "ENABLE_TOOL_SEARCH=0")
	out, err := w.try(env, "", "claude", "-p", prompt, "--plugin-dir", kit, "--allowedTools", "Bash", "mcp__plugin_git-agent_git-agent__run_status", "mcp__plugin_git-agent_git-agent__step_certify")
	w.mcpPlayed("claude", m, out, err)
}

// TestGemini_mcp: the server from a person's settings.
func TestGemini_mcp(t *testing.T) {
	w := newWorld(t, "gemini")
	m := newModel(t, served...)
	w.geminiSettings()
	w.sh("git agent setup gemini --mcp")
	out, err := w.gemini(m)
	w.mcpPlayed("gemini", m, out, err)
}
