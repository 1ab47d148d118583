package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/internal/testkit"
)

const firstRunHead = `# A first step, with everything that is printed

A repository of your own, a clean working tree, and the quick start of the [README](../README.md): five commands, one of
them an editor. This page is what a test saw ('go test ./internal/cli -run TestFirstRun', which writes it with '-update' and fails
where the two differ); ids and times are as they were on that day. What stands behind 'git-agent:' goes to standard error.

`

// firstRun are the five commands, with what a person would say between them.
var firstRun = []struct{ says, command string }{
	{"A plan to begin with, beside the repository:", `git agent plan new "Explain the change" >../plan.yaml`},
	{"Edit it. As it is, it has one step, which may touch one file and is checked by a command:", `"${EDITOR:-vi}" ../plan.yaml`},
	{"Begin the run. The plan is kept at a ref, the run gets a branch, both are pushed:", `git agent start ../plan.yaml`},
	{"Do the step. What stands behind `--` does the work (put your agent there), then the check decides:", `git agent step -- sh -c 'echo "What this change is for." >NOTES.md'`},
	{"At any time, on any machine: what is true, and what is next:", `git agent resume`},
}

// TestFirstRun_transcript: with only the README a person certifies a first
// step in five commands, and this is what they see.
func TestFirstRun_transcript(t *testing.T) {
	quick := ""
	for _, b := range readme(t) {
		if b.mark == "run: quick" {
			quick = b.text
			break
		}
	}
	r := gittest.NewWithFiles(t, map[string]string{"README": "hello\n"})
	r.AddRemote()
	page := strings.ReplaceAll(firstRunHead, "'", "`")
	for i, step := range firstRun {
		if !strings.Contains(quick, step.command) {
			t.Errorf("the quick start of the README does not have command %d: %s", i+1, step.command)
		}
		page += step.says + "\n\n```console\n$ " + step.command + "\n" + typed(t, r, step.command) + "```\n\n"
		if i == 1 {
			plan, err := os.ReadFile(filepath.Join(filepath.Dir(r.Dir), "plan.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			page += "```yaml\n" + string(plan) + "```\n\n"
		}
	}
	page += "What is there now is an ordinary commit, on an ordinary branch, with the proof in its message:\n\n```console\n$ git log -1 --format=%B\n" +
		strings.TrimRight(typed(t, r, "git log -1 --format=%B"), "\n") + "\n```\n"
	if !strings.Contains(page, "every step is certified") {
		t.Errorf("no step is certified:\n%s", page)
	}
	if n := strings.Count(quick, "\n"); n > 5 {
		t.Errorf("the quick start has %d commands, more than five", n)
	}
	compareTranscript(t, filepath.Join("..", "..", "docs", "first-run.md"), page)
}

// long is what differs from one day to the next, at any length.
var long = regexp.MustCompile(`\b[0-9a-f]{10,64}\b`)

func compareTranscript(t *testing.T, name, page string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	steady := func(s string) string { return long.ReplaceAllString(plain(s), "ID") }
	testkit.SameLines(t, name, steady(string(have)), steady(page))
}
