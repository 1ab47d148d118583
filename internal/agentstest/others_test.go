package agentstest

import (
	"path/filepath"
	"testing"
)

// TestGemini_setup: hooks and MCP server of a person's settings.
func TestGemini_setup(t *testing.T) {
	w := newWorld(t, "gemini")
	m := newModel(t, half, saysSo, rest, saysSo)
	w.geminiSettings()
	w.sh("git agent setup gemini")
	out, err := w.gemini(m)
	w.played("gemini", m, out, err)
}

func (w *world) geminiSettings() {
	w.put(filepath.Join(w.home, ".gemini", "settings.json"), "{\n  // by key\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}}\n}\n")
}

// gemini runs it in a folder that the test trusts, which setup never does.
func (w *world) gemini(m *model) (string, error) {
	env := []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + m.URL, "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_TELEMETRY_ENABLED=false"}
	return w.try(env, "", "gemini", "-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", prompt)
}

// TestOpencode_setup: the plugin puts the brief into the system prompt. There is
// no stop hook, so it does the step in one go.
func TestOpencode_setup(t *testing.T) {
	w := newWorld(t, "opencode")
	m := newModel(t, rest, saysSo)
	w.put(filepath.Join(w.home, ".config", "opencode", "opencode.json"), `{
  "model": "scripted/test",
  "small_model": "scripted/test",
  "autoupdate": false,
  "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "`+m.URL+`/v1", "apiKey": "none"}, "models": {"test": {"name": "test"}}}}
}
`)
	w.sh("git agent setup opencode")
	out, err := w.try([]string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"}, "", "opencode", "run", prompt)
	if err != nil {
		t.Fatalf("%v\n%s", err, clip(out))
	}
	w.has("the first request", m.turn(0), brief...)
	w.certified("opencode")
}
