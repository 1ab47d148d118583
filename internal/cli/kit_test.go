package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/git-agent/git-agent/internal/setup"
	"github.com/git-agent/git-agent/pkg/run"
)

// TestKit_commandsExist: what agents are told to type is there, with its flags.
func TestKit_commandsExist(t *testing.T) {
	parser, err := (&app{grammar: &grammar{}}).newParser()
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string][]string{}
	for _, n := range parser.Model.Leaves(true) {
		for _, group := range n.AllFlags(false) {
			for _, f := range group {
				flags[path(n)] = append(flags[path(n)], "--"+f.Name)
			}
		}
	}
	texts := kitTexts(t)
	found := 0
	for name, text := range texts {
		for _, m := range regexp.MustCompile("git agent ([a-z-]+(?: (?:stop|show|list))?)([^`\\n\"|;]*)").FindAllStringSubmatch(text, -1) {
			known, ok := flags[m[1]]
			if !ok {
				m[1], _, _ = strings.Cut(m[1], " ")
				known, ok = flags[m[1]]
			}
			found++
			if !ok && !isGroup(parser, m[1]) {
				t.Errorf("%s: there is no git agent %s", name, m[1])
			}
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(m[2], -1) {
				if ok && !strings.Contains(strings.Join(known, " ")+" ", flag+" ") {
					t.Errorf("%s: git agent %s has no %s", name, m[1], flag)
				}
			}
		}
	}
	if found < 25 {
		t.Errorf("found %d commands", found)
	}
}

func isGroup(parser *kong.Kong, name string) bool {
	for _, n := range parser.Model.Children {
		if n.Name == name && len(n.Children) > 0 {
			return true
		}
	}
	return false
}

// kitTexts are the kit's files and the page about them.
func kitTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := fs.WalkDir(setup.Kit(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(setup.Kit(), name)
		texts[name] = string(text)
		return err
	})
	page, errPage := os.ReadFile(filepath.Join("..", "..", "docs", "agents.md"))
	if err != nil || errPage != nil {
		t.Fatal(err, errPage)
	}
	texts["docs/agents.md"] = string(page)
	return texts
}

// TestKit_exitStatuses: the skill tells what to do for each that a step can have.
func TestKit_exitStatuses(t *testing.T) {
	skill := kitTexts(t)["plugins/git-agent/skills/git-agent/SKILL.md"]
	for _, code := range []int{run.ExitDone, run.ExitNo, run.ExitPerson, run.ExitLost, run.ExitNotPushed, run.ExitBusy, run.ExitUnknown, run.ExitInterrupted} {
		if !regexp.MustCompile(`(?m)^\| ` + strconv.Itoa(code) + ` \|`).MatchString(skill) {
			t.Errorf("the skill does not say what %d means", code)
		}
	}
}
