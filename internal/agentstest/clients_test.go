package agentstest

import (
	"os"
	"path/filepath"
	"strings"
)

// The conversation that every client is led through: half the step, a wish to
// stop, sent back by the stop hook, the rest with its certificate, the end.
var (
	half   = reply{shell: "echo half > a/s02.txt"}
	rest   = reply{shell: "echo done2 > a/s02.txt && git agent step s02"}
	saysSo = reply{text: "I am done."}
)

// brief and refusal are what the model has to have seen; JSON escapes what
// stands in a request, so they hold no quotes and no new lines.
var (
	brief    = []string{"git agent, as of", "# Run r-1: end to end", "step `s02`", "git agent step s02", "s01: the port is 8081"}
	refusal  = "has work that is not certified: `a/s02.txt`"
	noBrief  = "# Run r-1"
	prompt   = "Do the next thing."
	compiled = "s02"
)

// certified is the end: the step is, exactly once, and everything is pushed.
func (w *world) certified(client string) {
	w.t.Helper()
	got := w.sh(`git agent log --json | grep -c '"step":"s02"'; git status --porcelain; git rev-parse HEAD; git ls-remote origin refs/heads/agent-run/r-1 | cut -f1`)
	lines := splitLines(got)
	if len(lines) != 3 || lines[0] != "1" || lines[1] != lines[2] {
		w.t.Errorf("%s: %s is not certified once and pushed: %q", client, compiled, got)
	}
}

func splitLines(text string) []string {
	return strings.Fields(text)
}

// played is the check of every client's conversation that has a stop hook.
func (w *world) played(client string, m *model, out string, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", client, err, clip(out))
	}
	w.has(client+": the first request", m.turn(0), brief...)
	w.hasNot(client+": before it stopped", m.turn(1), refusal)
	w.has(client+": after it stopped over half a step", m.turn(2), refusal)
	if n := m.count(); n != 4 {
		w.t.Errorf("%s: %d requests, want 4: once sent back, and once only", client, n)
	}
	w.certified(client)
}

func (w *world) put(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}
