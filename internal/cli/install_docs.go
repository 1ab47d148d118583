package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-agent/git-agent/contrib/completion"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/man"
	"github.com/git-agent/git-agent/pkg/run"
)

type installDocsCmd struct {
	Dir string `help:"Write below this folder; else ~/.local." placeholder:"DIR" type:"path"`
}

// document is a file that readers look for at a fixed place.
type document struct {
	place string // below the folder, slash-separated
	text  []byte
}

// Run writes each file beside its place and moves it there: a reader never
// sees half a page.
func (c *installDocsCmd) Run(a *app) error {
	dir := c.Dir
	if dir == "" {
		home := a.env("HOME")
		if home == "" {
			return &run.Failure{Code: "USAGE", Exit: run.ExitUsage, Err: errors.New("HOME is not set: name a folder"), Hints: []string{"git agent install-docs --dir /usr/local"}}
		}
		dir = filepath.Join(home, ".local")
	}
	if err := needFolder("install-docs", dir); err != nil {
		return err
	}
	docs, err := documents()
	if err != nil {
		return err
	}
	for _, d := range docs {
		name := filepath.Join(dir, filepath.FromSlash(d.place))
		if err := a.publish(name, d.text); err != nil {
			return unwritten(name, err)
		}
		if err := a.print(ui.Escape(name) + "\n"); err != nil {
			return err
		}
	}
	return a.print("\nread one: man git-agent-step; if man finds none, put " + ui.Escape(filepath.Join(dir, "bin")) + " on PATH\n")
}

// documents are the pages and the completions, each with its place as Linux
// distributions and macOS have it (hier(7), the shells' own manuals).
func documents() ([]document, error) {
	var docs []document
	pages, err := fs.Glob(man.Pages, "*.[1-9]")
	if err != nil {
		return nil, err
	}
	for _, name := range pages {
		text, err := man.Pages.ReadFile(name)
		if err != nil {
			return nil, err
		}
		docs = append(docs, document{"share/man/man" + name[len(name)-1:] + "/" + name, text})
	}
	for _, c := range []struct{ name, place string }{
		{"git-agent", "share/bash-completion/completions/git-agent"},
		{"_git-agent", "share/zsh/site-functions/_git-agent"},
		{"git-agent.fish", "share/fish/vendor_completions.d/git-agent.fish"},
		{"git-agent.conf.fish", "share/fish/vendor_conf.d/git-agent.fish"},
	} {
		text, err := completion.Files.ReadFile(c.name)
		if err != nil {
			return nil, err
		}
		docs = append(docs, document{c.place, text})
	}
	slices.SortFunc(docs, func(a, b document) int { return compareText(a.place, b.place) })
	return docs, nil
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// publish replaces a file that others read. It is no state: a kill in between
// costs a second run.
func (a *app) publish(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return a.put(name, text)
}
