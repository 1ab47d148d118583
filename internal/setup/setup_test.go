package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	kit "github.com/git-agent/git-agent/contrib/agents"
	"github.com/git-agent/git-agent/internal/setup/jsonc"
)

// notes is a Notes in memory.
type notes map[string][]byte

func (n notes) Read(name string) ([]byte, error) {
	if data, ok := n[name]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}
func (n notes) Write(name string, data []byte) error { n[name] = data; return nil }
func (n notes) Remove(name string) error             { delete(n, name); return nil }

func world(t *testing.T) (*Setup, notes) {
	t.Helper()
	n := notes{}
	top := t.TempDir()
	return &Setup{Kit: kit.Files, Top: filepath.Join(top, "work"), Home: filepath.Join(top, "home"), Env: func(string) string { return "" }, Notes: n}, n
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// tree is every file below a folder, with its bytes, and every folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			all[path] = "/"
			return nil
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// same answers the first difference.
func same(a, b map[string]string) string {
	for path, text := range a {
		if b[path] != text {
			return path + ":\n" + text + "\nbecame\n" + b[path]
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			return path + " is there"
		}
	}
	return ""
}

// before is what people have in these files: comments, unknown keys, hooks of
// their own, no newline at the end.
var before = map[string][]string{
	"settings.json": {"", "{}", "{\n\t// mine\n\t\"model\": \"x\",\n\t\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"./mine\"}]}], \"SessionStart\": []},\n\t\"unknown\": [1, 2,], /* two */\n}",
		"{\"hooks\":{},\"mcpServers\":{\"other\":{\"command\":\"x\"}}}"},
	"hooks.json":      {"{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [{ \"command\": \"mine\" }] // last\n  }\n}\n", "{\n    \"hooks\": {\n    }\n}\r\n"},
	"mcp.json":        {"{ \"mcpServers\": {} }"},
	".mcp.json":       {"{\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n"},
	"config.toml":     {"model = \"x\" # no newline at the end", "\r\n[a]\r\nb = 1\r\n"},
	".aider.conf.yml": {"model: x\n"},
	"AGENTS.md":       {"# Rules\n\nBe kind.", "\n\n"},
	"opencode.jsonc":  {"// mine\n{\n  \"theme\": \"x\",\n}\n"},
}

// TestSetup_undoIsExact: whatever was there, after setup and undo it is there,
// byte for byte, and nothing else is.
func TestSetup_undoIsExact(t *testing.T) {
	tried := 0
	for _, agent := range Agents() {
		for _, scope := range Scopes(agent) {
			for i := range 5 {
				t.Run(strings.Join([]string{agent, string(scope), string(rune('0' + i))}, "/"), func(t *testing.T) { thereAndBack(t, agent, scope, i) })
				tried++
			}
		}
	}
	if tried < 50 {
		t.Errorf("tried %d", tried)
	}
}

func thereAndBack(t *testing.T, agent string, scope Scope, i int) {
	s, n := world(t)
	top := filepath.Dir(s.Top)
	put(t, filepath.Join(s.Top, "x"), "")
	parts, err := s.parts(agent, scope, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		at, err := s.place(p, scope)
		if err != nil {
			t.Fatal(err)
		}
		if texts := before[filepath.Base(at.path)]; i > 0 && len(texts) > 0 && at.made {
			put(t, at.path, texts[i%len(texts)])
		}
	}
	was := tree(t, top)
	expect(t, s.install(agent, scope), Made, Added)
	is := tree(t, top)
	if same(was, is) == "" {
		t.Fatal("nothing was done")
	}
	parses(t, is)
	expect(t, s.install(agent, scope), Kept)
	if diff := same(is, tree(t, top)); diff != "" {
		t.Fatalf("a second time changes: %s", diff)
	}
	expect(t, func() ([]Done, error) { return s.Undo(agent, scope) }, Removed)
	if diff := same(was, tree(t, top)); diff != "" {
		t.Fatalf("undo leaves %s", diff)
	}
	expect(t, func() ([]Done, error) { return s.Undo(agent, scope) }, Nothing)
	if len(n) > 0 {
		t.Errorf("notes are left: %v", n)
	}
}

func (s *Setup) install(agent string, scope Scope) func() ([]Done, error) {
	return func() ([]Done, error) { return s.Install(agent, scope, true) }
}

func expect(t *testing.T, do func() ([]Done, error), dids ...string) {
	t.Helper()
	all, err := do()
	if err != nil || len(all) == 0 {
		t.Fatalf("%v %v", all, err)
	}
	for _, d := range all {
		if !strings.Contains(strings.Join(dids, " "), d.Did) {
			t.Errorf("%s was %s, want %v", d.Path, d.Did, dids)
		}
	}
}

func parses(t *testing.T, files map[string]string) {
	t.Helper()
	for path, text := range files {
		if ext := filepath.Ext(path); ext == ".json" || ext == ".jsonc" {
			if _, err := jsonc.Parse([]byte(text)); err != nil {
				t.Errorf("%s: %v in\n%s", path, err, text)
			}
		}
	}
}

// TestSetup_undoElsewhere: in another clone, or after an edit, ours goes and all
// else stays.
func TestSetup_undoElsewhere(t *testing.T) {
	s, n := world(t)
	path := filepath.Join(s.Top, ".gemini", "settings.json")
	const mine = "{\n  // keep me\n  \"theme\": \"x\",\n  \"hooks\": {\n    \"AfterAgent\": [\n      {\"hooks\": [{\"command\": \"mine\"}]}\n    ]\n  }\n}\n"
	put(t, path, mine)
	expect(t, s.install("gemini", Project), Added)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, strings.Replace(string(text), `"theme": "x"`, `"theme": "y"`, 1)) // edited since
	clear(n)
	expect(t, func() ([]Done, error) { return s.Undo("gemini", Project) }, Removed)
	got, err := os.ReadFile(path)
	if want := strings.Replace(mine, `"x"`, `"y"`, 1); err != nil || string(got) != want {
		t.Errorf("%v: undo leaves\n%s", err, got)
	}
}

// TestSetup_entryBesideAnothers: a hook that somebody put into our own group stays.
func TestSetup_entryBesideAnothers(t *testing.T) {
	s, _ := world(t)
	path := filepath.Join(s.Home, ".claude", "settings.json")
	put(t, path, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"git agent hook stop"},{"type":"command","command":"mine"}]}]}}`)
	if _, err := s.Undo("claude", User); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}`; err != nil || string(bytes.ReplaceAll(got, []byte(" "), nil)) != want {
		t.Errorf("%v: undo leaves %s", err, got)
	}
}

func TestSetup_refusals(t *testing.T) {
	for _, c := range []struct {
		name, agent string
		scope       Scope
		path, text  string
		says        string
	}{
		{"broken", "claude", User, "home/.claude/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}", "settings.json:3:3: a comma is missing"},
		{"another shape", "claude", User, "home/.claude/settings.json", `{"hooks": []}`, "hooks is no object"},
		{"somebody's skill", "claude", User, "home/.claude/skills/git-agent/SKILL.md", "mine", "is not what git agent put there"},
		{"their server", "codex", User, "home/.codex/config.toml", "[mcp_servers.git-agent]\ncommand = \"x\"\n", "by hand"},
		{"their inline table", "codex", User, "home/.codex/config.toml", "mcp_servers = {}\n", "by hand"},
		{"their server in JSON", "gemini", User, "home/.gemini/settings.json", `{"mcpServers":{"git-agent":{"command":"z"}}}`, `settings.json has another server by the name of "git-agent"`},
		{"their server far away", "cursor", User, "home/.cursor/mcp.json", `{"mcpServers":{"git-agent":{"url":"https://x"}}}`, `has another server`},
		{"their server of another list", "opencode", User, "home/.config/opencode/opencode.json", `{"mcp":{"git-agent":{"command":["z"]}}}`, `has another server`},
		{"a list", "claude", User, "home/.claude/settings.json", `[]`, "settings.json: the outermost value is no object"},
		{"a file in the folder's place", "claude", User, "home/.claude", "", ".claude/settings.json: not a directory"},
		{"their setting", "aider", Project, "work/.aider.conf.yml", "auto-commits: true\n", "by hand"},
		{"no such place", "copilot", User, "", "", "no place for user settings"},
	} {
		s, n := world(t)
		top := filepath.Dir(s.Top)
		put(t, filepath.Join(s.Top, "x"), "")
		if c.path != "" {
			put(t, filepath.Join(top, c.path), c.text)
		}
		was := tree(t, top)
		_, err := s.Install(c.agent, c.scope, true)
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
		if diff := same(was, tree(t, top)); diff != "" || len(n) > 0 {
			t.Errorf("%s: changed: %s", c.name, diff)
		}
	}
}

// TestSetup_links: a person's settings may be links; a repository's must not lead
// out of it.
func TestSetup_links(t *testing.T) {
	s, _ := world(t)
	top := filepath.Dir(s.Top)
	put(t, filepath.Join(top, "dotfiles", "settings.json"), "{}\n")
	put(t, filepath.Join(s.Home, ".claude", "x"), "")
	put(t, filepath.Join(s.Top, "x"), "")
	link := filepath.Join(s.Home, ".claude", "settings.json")
	if err := errors.Join(os.Symlink(filepath.Join(top, "dotfiles", "settings.json"), link), os.Symlink(filepath.Join(top, "dotfiles"), filepath.Join(s.Top, ".claude"))); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Install("claude", User, false); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(link); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode changed (%v)", err)
	}
	if _, err := s.Install("claude", Project, false); err == nil || !strings.Contains(err.Error(), "leads out of the working tree") {
		t.Errorf("through a planted link: %v", err)
	}
}

func TestSetup_dryRunChangesNothing(t *testing.T) {
	s, n := world(t)
	s.Dry = true
	put(t, filepath.Join(s.Home, ".codex", "config.toml"), "a = 1\n")
	was := tree(t, s.Home)
	did, err := s.Install("codex", User, true)
	if diff := same(was, tree(t, s.Home)); err != nil || diff != "" || len(n) > 0 {
		t.Errorf("%v %s", err, diff)
	}
	if len(did) != 3 || did[0].Did != Made || did[2].Did != Added {
		t.Errorf("it says %v", did)
	}
}

// TestKit_grantsNothing: no file that is installed switches a permission or a
// trust question off, and every hook command is one that ends with 0.
func TestKit_grantsNothing(t *testing.T) {
	granting := regexp.MustCompile(`(?i)dangerously|bypass|yolo|skip-trust|trust_level|permission|allowedTools|approval|auto-?approve|--trust|alwaysAllow`)
	commands := regexp.MustCompile(`"(?:command|bash|powershell)": "([^"]*)"`)
	found := 0
	err := fs.WalkDir(kit.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := fs.ReadFile(kit.Files, path)
		if line := granting.Find(text); line != nil {
			t.Errorf("%s has %q", path, line)
		}
		if strings.HasSuffix(path, ".json") && !json.Valid(text) {
			t.Errorf("%s is no JSON", path)
		}
		for _, m := range commands.FindAllSubmatch(text, -1) {
			found++
			if c := string(m[1]); c != "git" && !ours().MatchString(c) {
				t.Errorf("%s runs %q", path, c)
			}
		}
		return err
	})
	if err != nil || found < 8 {
		t.Errorf("%d commands, %v", found, err)
	}
}
