package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mine are entries of a person's own that do what ours do, in their own way.
var mine = map[string]struct{ agent, path, text string }{
	"a server with an environment": {"gemini", ".gemini/settings.json",
		`{"mcpServers":{"git-agent":{"command":"git","args":["agent","mcp"],"env":{"MY":"own"}}}}`},
	"a server by its own name": {"gemini", ".gemini/settings.json",
		`{"mcpServers":{"git-agent":{"command":"git-agent","args":["mcp"]}}}`},
	"a hook with a time": {"claude", ".claude/settings.json",
		`{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"git agent brief --hook","timeout":99}]}]}}`},
	"both hooks": {"claude", ".claude/settings.json",
		`{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"git agent brief --hook","timeout":99}]}],"Stop":[{"hooks":[{"type":"command","command":"git agent hook stop; true"}]}]}}`},
}

// TestSetup_theirsStays: what was there before stays, whatever it looks like, also
// where the file was edited since.
func TestSetup_theirsStays(t *testing.T) {
	for name, c := range mine {
		for _, edited := range []bool{false, true} {
			s, _ := world(t)
			path := filepath.Join(s.Home, c.path)
			put(t, path, c.text)
			expect(t, s.install(c.agent, User), Made, Added, Kept)
			want := c.text
			if edited {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				put(t, path, strings.TrimRight(string(text), "\n")+"\n")
				expect(t, s.install(c.agent, User), Kept)
				put(t, path, strings.TrimRight(string(text), "\n")+"\n\n")
			}
			for range 2 {
				if _, err := s.Undo(c.agent, User); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(path)
			if edited {
				got, want = tidy(got), string(tidy([]byte(want)))
			}
			if err != nil || string(got) != want {
				t.Errorf("%s, edited %v: undo leaves %s (%v)", name, edited, got, err)
			}
		}
	}
}

// TestSetup_installedTwiceAroundAnEdit: what is exact is the second half only, and
// all of ours goes.
func TestSetup_installedTwiceAroundAnEdit(t *testing.T) {
	s, _ := world(t)
	path := filepath.Join(s.Home, ".gemini/settings.json")
	put(t, path, "{}\n")
	if _, err := s.Install("gemini", User, false); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(text)+"\n")
	expect(t, s.install("gemini", User), Added, Kept)
	expect(t, func() ([]Done, error) { return s.Undo("gemini", User) }, Removed)
	if got, err := os.ReadFile(path); err != nil || strings.Contains(string(got), "git agent") || strings.Contains(string(got), "git-agent") {
		t.Errorf("undo leaves %s (%v)", got, err)
	}
}

// TestSetup_saysWhatWasThere: a part that was not there is not "removed".
func TestSetup_saysWhatWasThere(t *testing.T) {
	s, _ := world(t)
	put(t, filepath.Join(s.Home, ".gemini/settings.json"), "{}\n")
	if _, err := s.Install("gemini", User, false); err != nil {
		t.Fatal(err)
	}
	all, err := s.Undo("gemini", User)
	if err != nil || len(all) != 2 || all[0].Did != Removed || all[1].Did != Nothing {
		t.Errorf("%v %v", all, err)
	}
}
