package setup

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/pkg/landing"
)

// TestKit_markersParse: the templates of the skill are what the parser reads and
// the writer writes.
func TestKit_markersParse(t *testing.T) {
	text, err := fs.ReadFile(Kit(), skill)
	if err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("<sha>", strings.Repeat("0123456789", 4), "<branch>", "main", "<run>", "r-1", "<n>", "17")
	seen := map[landing.Verb]bool{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, landing.Prefix) {
			continue
		}
		line = fill.Replace(strings.TrimRight(line, "\n"))
		m, ok := landing.ParseMarker(line)
		if !ok {
			t.Errorf("%q is no marker", line)
			continue
		}
		seen[m.Verb] = true
		if back, err := landing.FormatMarker(m); err != nil || back != line {
			t.Errorf("%q is written as %q (%v)", line, back, err)
		}
	}
	if !seen[landing.Landed] || !seen[landing.OpenedPR] {
		t.Errorf("the skill states %v", seen)
	}
}

// TestKit_skillIsOne: its name is that of its folder, as every client wants it,
// and it states the protocol in its order.
func TestKit_skillIsOne(t *testing.T) {
	raw, err := fs.ReadFile(Kit(), skill)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	if !regexp.MustCompile(`\A---\nname: git-agent\ndescription: .{50,900}\n---\n`).MatchString(text) {
		t.Errorf("its head is\n%s", text[:min(len(text), 300)])
	}
	at := 0
	for _, words := range []string{"git agent resume", "git agent brief", "git agent step <id>", "never pass `--trust`", "never `--no-verify`", "git agent rollback"} {
		i := strings.Index(text[at:], words)
		if i < 0 {
			t.Errorf("%q is not said, or too early", words)
			continue
		}
		at += i
	}
}
