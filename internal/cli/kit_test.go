package cli

import (
	"io/fs"
	"regexp"
	"strconv"
	"testing"

	"github.com/git-agent/git-agent/internal/setup"
	"github.com/git-agent/git-agent/pkg/run"
)

// TestKit_commandsExist: what agents are told to type is there, with its flags.
func TestKit_commandsExist(t *testing.T) {
	all, found := commandsOf(t), 0
	for name, text := range kitTexts(t) {
		for _, m := range regexp.MustCompile("git agent ([a-z-]+[^`\\n\"|;]*)").FindAllStringSubmatch(text, -1) {
			found++
			all.check(t, name, m[1])
		}
	}
	if found < 25 {
		t.Errorf("found %d commands", found)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	texts["docs/agents.md"] = docText(t, "docs/agents.md")
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
