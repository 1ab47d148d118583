package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/git-agent/git-agent/internal/manual"
)

//go:generate go test . -run TestMan_pagesAreFresh -update

func modelOf(t *testing.T) *kong.Application {
	t.Helper()
	parser, err := (&app{grammar: &grammar{}}).newParser()
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

// generated are the files that are made from the command line and the prose.
func generated(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	add := func(page *manual.Page, err error) {
		t.Helper()
		var b bytes.Buffer
		if err == nil {
			err = page.Roff(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
		files["man/"+page.Name+"."+string(rune('0'+page.Section))] = b.Bytes()
	}
	model := modelOf(t)
	for _, name := range manual.Commands(model) {
		add(manual.Command(model, name))
	}
	for _, topic := range topics {
		add(manual.Topic(topic))
	}
	page, err := manual.Topic("config.5")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Markdown(&b, "Configuration"); err != nil {
		t.Fatal(err)
	}
	files["docs/configuration.md"] = b.Bytes()
	return files
}

// TestMan_pagesAreFresh: what is committed is what would be made now. With
// -update it writes them.
func TestMan_pagesAreFresh(t *testing.T) {
	root := filepath.Join("..", "..")
	for name, want := range generated(t) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what the command line and internal/manual/prose make of it (%v): go generate ./internal/cli", name, err)
		}
	}
}

// byHand are the pages that nobody generates.
var byHand = []string{"git-agent.1", "git-agent-plan.5", "git-agent-trailers.5", "gitagent-recovery.7"}

// TestMan_pagesBothWays: each command has prose and a page, and there is
// neither for a command that is gone.
func TestMan_pagesBothWays(t *testing.T) {
	commands := manual.Commands(modelOf(t))
	prose, err := manual.Topics()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range commands {
		if !slices.Contains(prose, name) {
			t.Errorf("internal/manual/prose/%s.md is missing", name)
		}
	}
	for _, name := range prose {
		if !slices.Contains(commands, name) && topics[strings.TrimSuffix(name, filepath.Ext(name))] != name {
			t.Errorf("internal/manual/prose/%s.md is about no command", name)
		}
	}
	made := generated(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "man", "*.[1-9]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := filepath.Base(file); made["man/"+name] == nil && !slices.Contains(byHand, name) {
			t.Errorf("man/%s is about no command", name)
		}
	}
}

var (
	exampleBlock = regexp.MustCompile("(?ms)^ *```\n(.*?)^ *```$")
	flagWord     = regexp.MustCompile("(?m)(^|[ `(|])(--[a-z][a-z-]*)")
)

// TestMan_proseNamesRealFlags: a flag that the prose of a command speaks of is
// one of it, of the whole command line, or of the command named before it.
func TestMan_proseNamesRealFlags(t *testing.T) {
	model := modelOf(t)
	all := map[string]bool{"--help": true, "--no-verify": true, "--": true}
	_ = kong.Visit(model, func(node kong.Visitable, next kong.Next) error {
		if f, ok := node.(*kong.Flag); ok {
			all["--"+f.Name], all["--no-"+f.Name] = true, true
		}
		return next(nil)
	})
	for _, name := range manual.Commands(model) {
		text, err := manual.Text(name)
		if err != nil {
			continue // TestMan_pagesBothWays
		}
		for _, m := range flagWord.FindAllStringSubmatch(exampleBlock.ReplaceAllString(text, ""), -1) {
			if !all[m[2]] {
				t.Errorf("prose/%s.md speaks of %s, which there is not", name, m[2])
			}
		}
		for _, part := range []string{"\n## EXIT STATUS\n", "\n## EXAMPLES\n"} {
			if !strings.Contains(text, part) {
				t.Errorf("prose/%s.md has no part %q", name, strings.TrimSpace(part))
			}
		}
	}
}
