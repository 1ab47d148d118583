package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

func watched3(done int) *run.Report {
	r := &run.Report{Run: "r-1", Title: "x", Branch: "refs/heads/agent-run/r-1"}
	for i := range 3 {
		status := "pending"
		if i < done {
			status = "certified"
		}
		id := fmt.Sprintf("s0%d", i+1)
		if i == done {
			r.Next = &id
		}
		r.Steps = append(r.Steps, run.StepReport{ID: id, Title: "write", Status: status})
	}
	return r
}

func watcher(t *testing.T, tty bool) (*statusWatch, *bytes.Buffer) {
	t.Helper()
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	var out bytes.Buffer
	now := time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)
	a := &app{World: World{Out: file, Now: func() time.Time { return now }}, grammar: &grammar{},
		streams: ui.Streams{Out: &out, Err: &bytes.Buffer{}, OutTTY: tty, Width: 80, Unicode: true}}
	return &statusWatch{app: a, cmd: &statusCmd{}}, &out
}

// TestStatusWatch_draw: each picture takes the place of the one before, whole.
func TestStatusWatch_draw(t *testing.T) {
	w, out := watcher(t, true)
	if err := w.see(watched3(1)); err != nil {
		t.Fatal(err)
	}
	first := out.String()
	rows := strings.Count(first, "\n")
	if strings.Contains(first, "\x1b[") || !strings.HasSuffix(first, "1 of 3 certified, seen at 09:00:00") {
		t.Errorf("the first picture: %q", first)
	}
	out.Reset()
	if err := w.see(watched3(3)); err != nil {
		t.Fatal(err)
	}
	second := out.String()
	if want := fmt.Sprintf("\r\x1b[%dA\x1b[J", rows); !strings.HasPrefix(second, want) {
		t.Errorf("the second picture begins %q, want %q", second[:min(len(second), 12)], want)
	}
	if !strings.HasSuffix(second, "3 of 3 certified, seen at 09:00:00\n") {
		t.Errorf("the last picture: %q", second)
	}
}

// TestStatusWatch_changes: in a pipe, one line for each step that is otherwise.
func TestStatusWatch_changes(t *testing.T) {
	w, out := watcher(t, false)
	for _, done := range []int{1, 1, 2} {
		if done > 1 || w.last != nil {
			out.Reset()
		}
		if err := w.see(watched3(done)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := out.String(), "2026-11-29T09:00:00Z s02 certified\n"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	w.cmd.ExitStatus = true
	var answer answeredError
	if err := w.ended(); !errors.As(err, &answer) || answer.code != run.ExitNo {
		t.Errorf("it ends with %v", err)
	}
}
