package cli

import (
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/manual"
)

// TestMan_examplesRun types in every example of every page, each in a world of
// its own where run r-1 has one certified step and partial work of the next.
// An example may be refused, but not for being wrong: no such command, flag,
// run or file.
func TestMan_examplesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("the run without -short takes them")
	}
	first := newWorld(t)
	first.must("begin; one; echo half > a/s02.txt; git agent -q rollback s02 > ../log")
	ran := 0
	topics, err := manual.Topics()
	if err != nil {
		t.Fatal(err)
	}
	for _, topic := range topics {
		examples := examplesOf(t, topic)
		ran += len(examples)
		if topic == "demo" {
			continue // TestReadme_demoIsReal plays it
		}
		t.Run(topic, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.begun, w.moved = first.dir, true
			for _, example := range examples {
				w.copy(first.dir, w.dir)
				w.must("git remote set-url origin file://$W/work.git")
				out, errs, code := w.sh(example)
				if code == 2 && topic != "hook" || code == 126 || code == 127 || code == 128 || code == 129 {
					t.Errorf("%s ends with %d:\n%s%s", example, code, out, errs)
				}
			}
		})
	}
	if ran < 50 {
		t.Errorf("found %d examples", ran)
	}
}

// examplesOf are the command lines in the code of a page's last part.
func examplesOf(t *testing.T, topic string) []string {
	t.Helper()
	text, err := manual.Text(topic)
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(text, "\n## EXAMPLES\n")
	if !found {
		return nil // TestMan_proseNamesRealFlags
	}
	var lines []string
	for _, block := range exampleBlock.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(block[1]) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
