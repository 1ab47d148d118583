package cli

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-agent/git-agent/internal/manual"
	"github.com/git-agent/git-agent/pkg/run"
)

// seenEnd is a command with an exit status that it was seen to end with.
type seenEnd struct{ command, status string }

var (
	refusedCommand = regexp.MustCompile(`\bgit[ -]agent (?:-\S+ )*([a-z-]+)`)
	cellStatus     = regexp.MustCompile(`\((\d+)\) $`)
)

// seenEnds are those of TestHints and of docs/compatibility.md, without wrong
// usage, which is any command's.
func seenEnds(t *testing.T) map[seenEnd]bool {
	t.Helper()
	found := map[seenEnd]bool{}
	for _, r := range refusals {
		if m := refusedCommand.FindStringSubmatch(r.do); m != nil && r.exit != run.ExitUsage {
			found[seenEnd{m[1], strconv.Itoa(r.exit)}] = true
		}
	}
	var head []string
	for _, line := range strings.Split(docText(t, "docs/compatibility.md"), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) > 1 && head == nil {
			head = cells
		}
		for i, cell := range cells {
			if m := cellStatus.FindStringSubmatch(cell); i > 1 && m != nil {
				found[seenEnd{strings.Fields(head[i])[0], m[1]}] = true
			}
		}
	}
	return found
}

func TestMan_everyEnding(t *testing.T) {
	found := seenEnds(t)
	if len(found) < 60 {
		t.Errorf("found %d endings", len(found))
	}
	for e := range found {
		page := "git-agent-" + e.command + ".1"
		_, statuses, _ := strings.Cut(manPage(t, page), "\n.SH EXIT STATUS\n")
		statuses, _, _ = strings.Cut(statuses, "\n.SH ")
		if !strings.Contains(statuses+"\n", ".TP\n"+e.status+"\n") {
			t.Errorf("%s does not list exit status %s", page, e.status)
		}
	}
}

// TestMan_everyField: where prose lists the fields of --json, it lists them all.
func TestMan_everyField(t *testing.T) {
	for name, objects := range map[string][]any{
		"cancel": {run.CancelReport{}}, "log": {run.LogEntry{}}, "logs": {logChunk{}, logEnd{}},
		"report": {run.Review{}}, "runs": {run.Listed{}},
	} {
		text, err := manual.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range objects {
			for _, f := range reflect.VisibleFields(reflect.TypeOf(object)) {
				field, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if field != "" && !strings.Contains(text, "*"+field+"*") {
					t.Errorf("prose/%s.md does not list the field %q", name, field)
				}
			}
		}
	}
}
