package agentstest

import (
	"path/filepath"
	"testing"
)

// TestKit_validates: the clients' own judges of plugins and extensions, offline.
func TestKit_validates(t *testing.T) {
	kit, err := filepath.Abs("../../contrib/agents")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "claude")
	for _, dir := range []string{kit, filepath.Join(kit, "plugins", "git-agent")} {
		if out, err := w.try(nil, "", "claude", "plugin", "validate", "--strict", dir); err != nil {
			t.Errorf("%s: %v\n%s", dir, err, out)
		}
	}
	if out, err := w.try(nil, "", "gemini", "extensions", "validate", filepath.Join(kit, "gemini")); err != nil {
		t.Errorf("gemini: %v\n%s", err, out)
	}
}
