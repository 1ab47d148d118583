package agentstest

import "testing"

// givesUp is a model that was sent back, looks, and stops over the same half.
var givesUp = []reply{half, saysSo, {shell: "true"}, saysSo}

// sentBackOnce: it may stop, with the work as it is; nothing loops.
func (w *world) sentBackOnce(client string, m *model, out string, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", client, err, clip(out))
	}
	w.has(client+": after it stopped over half a step", m.turn(2), refusal)
	if n := m.count(); n != 4 {
		w.t.Errorf("%s: %d requests, want 4: once sent back, and once only", client, n)
	}
	if got := w.sh("cat a/s02.txt; git agent log --json | grep -c s02 || :"); got != "half\n0\n" {
		w.t.Errorf("%s: left %q", client, got)
	}
}

func TestClaude_once(t *testing.T) {
	w := newWorld(t, "claude")
	w.sh("git agent setup claude")
	m := newModel(t, givesUp...)
	out, err := w.try(m.claudeEnv(), "", "claude", "-p", prompt, "--allowedTools", "Bash")
	w.sentBackOnce("claude", m, out, err)
}

func TestCodex_once(t *testing.T) {
	w := newWorld(t, "codex")
	m := newModel(t, givesUp...)
	w.codex(m)
	w.sh("git agent setup codex")
	out, err := w.try(codexEnv, "", "codex", "exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", prompt)
	w.sentBackOnce("codex", m, out, err)
}

func TestGemini_once(t *testing.T) {
	w := newWorld(t, "gemini")
	m := newModel(t, givesUp...)
	w.geminiSettings()
	w.sh("git agent setup gemini")
	out, err := w.gemini(m)
	w.sentBackOnce("gemini", m, out, err)
}
