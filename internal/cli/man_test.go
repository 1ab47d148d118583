package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/git-agent/git-agent/pkg/run"
)

// manPage is a page as its reader sees the words.
func manPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "man", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`\-`, "-", `\&`, "", `\fB`, "", `\fI`, "", `\fR`, "").Replace(string(text))
}

// TestMan_everyCommandAndFlag compares git-agent(1) with the grammar, both ways.
func TestMan_everyCommandAndFlag(t *testing.T) {
	page := manPage(t, "git-agent.1")
	parser, err := (&app{grammar: &grammar{}}).newParser()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"--": true}
	err = kong.Visit(parser.Model, func(node kong.Visitable, next kong.Next) error {
		switch n := node.(type) {
		case *kong.Node:
			if n.Type == kong.CommandNode && !n.Hidden && len(n.Children) == 0 && !explained(page, path(n)) {
				t.Errorf("git-agent.1 has no entry %q", path(n))
			}
		case *kong.Flag:
			known["--"+n.Name] = true
			if n.Tag.Negatable != "" {
				known["--no-"+n.Name] = true
			}
			if !n.Hidden && !strings.Contains(page, "--"+n.Name) {
				t.Errorf("git-agent.1 does not explain --%s", n.Name)
			}
			if n.Short != 0 && !strings.Contains(page, "-"+string(n.Short)) {
				t.Errorf("git-agent.1 does not explain -%c", n.Short)
			}
		}
		return next(nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(examples.ReplaceAllString(page, ""), -1) {
		if !known[flag] {
			t.Errorf("git-agent.1 explains %s, which there is not", flag)
		}
	}
}

// explained: an entry begins with the command, whole.
func explained(page, command string) bool {
	entry := "\n.TP\n" + command
	return strings.Contains(page, entry+" ") || strings.Contains(page, entry+"\n")
}

// examples call other programs as well.
var examples = regexp.MustCompile(`(?s)\.SH EXAMPLES.*`)

// path is a command's name with those above it.
func path(n *kong.Node) string {
	if n.Parent != nil && n.Parent.Type == kong.CommandNode {
		return path(n.Parent) + " " + n.Name
	}
	return n.Name
}

func TestMan_everyExitStatus(t *testing.T) {
	page := manPage(t, "git-agent.1")
	_, page, _ = strings.Cut(page, ".SH EXIT STATUS")
	for _, code := range []int{run.ExitDone, run.ExitNo, run.ExitPerson, run.ExitLost, run.ExitNotPushed, run.ExitBusy,
		run.ExitUnknown, run.ExitInterrupted, run.ExitFatal, run.ExitUsage} {
		if !strings.Contains(page, ".B "+strconv.Itoa(code)+"\n") {
			t.Errorf("git-agent.1 does not explain exit status %d", code)
		}
	}
}

// TestMan_pagesRender has them rendered by what is installed, and takes any
// complaint for a fault.
func TestMan_pagesRender(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "man", "*.[1-9]"))
	if err != nil || len(pages) < 3 {
		t.Fatalf("man/: %d pages, %v", len(pages), err)
	}
	renderers := map[string][]string{"groff": {"-man", "-Tutf8", "-ww", "-z"}, "mandoc": {"-T", "lint", "-W", "warning"}, "man": {"-l"}}
	rendered := false
	for name, args := range renderers {
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		rendered = true
		for _, page := range pages {
			c := exec.Command(name, append(args, page)...)
			c.Env = append(os.Environ(), "MANPAGER=cat", "PAGER=cat", "LC_ALL=C.UTF-8")
			var complaint strings.Builder
			c.Stderr = &complaint
			if err := c.Run(); err != nil || complaint.Len() > 0 {
				t.Errorf("%s %s: %v %s", name, page, err, complaint.String())
			}
		}
	}
	if !rendered {
		t.Skip("none of groff, mandoc, man is installed")
	}
}
