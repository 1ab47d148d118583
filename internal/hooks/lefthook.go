package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// lefthook is an entry in lefthook's configuration. Its own scripts are made
// anew by every `lefthook install`; lefthook-local.yml is the person's file
// beside the project's. It is written where it is not there, or ours alone;
// YAML that somebody wrote is not edited, the lines to add are shown.
type lefthook struct {
	top, event string
}

const lefthookHead = "# Made by `git agent hooks install`.\n"

// lefthookRuns are the commands; {1} is the hook's first argument.
var lefthookRuns = map[string]string{
	"pre-push":   "git-agent verify --pre-push {1} >&2\n      use_stdin: true",
	"commit-msg": "git-agent verify --message {1} >&2",
}

func lefthookEntry(event string) string {
	return fmt.Sprintf("%s:\n  commands:\n    git-agent:\n      run: %s\n", event, lefthookRuns[event])
}

// lefthookText is the file with the entries of these events.
func lefthookText(events []string) string {
	text := lefthookHead
	for _, event := range Events {
		if slices.Contains(events, event) {
			text += lefthookEntry(event)
		}
	}
	return text
}

func (l *lefthook) path() string {
	for _, name := range []string{".lefthook-local.yml", "lefthook-local.yaml", ".lefthook-local.yaml"} {
		if path := filepath.Join(l.top, name); exists(path) {
			return path
		}
	}
	return filepath.Join(l.top, "lefthook-local.yml")
}

// read answers the file, and the events of ours where it is ours alone.
func (l *lefthook) read() (text string, ours []string, alone bool, err error) {
	raw, err := os.ReadFile(l.path())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, true, nil
	}
	text = string(raw)
	for _, events := range [][]string{{"pre-push"}, {"commit-msg"}, {"pre-push", "commit-msg"}} {
		if text == lefthookText(events) {
			return text, events, true, err
		}
	}
	return text, nil, false, err
}

func (l *lefthook) look() (Hook, error) {
	h := Hook{Event: l.event, State: Absent, How: ByLefthook, Path: l.path()}
	text, ours, _, err := l.read()
	if slices.Contains(ours, l.event) || strings.Contains(text, strings.Split(lefthookRuns[l.event], "\n")[0]) {
		h.State = Installed
	}
	return h, err
}

func (l *lefthook) install(context.Context) error {
	_, ours, alone, err := l.read()
	if err != nil {
		return err
	}
	if _, known := lefthookRuns[l.event]; !known || !alone {
		return l.byHand("add these lines to it")
	}
	return replace(l.path(), lefthookText(append(ours, l.event)), 0o644)
}

func (l *lefthook) uninstall(context.Context) error {
	_, ours, alone, err := l.read()
	switch {
	case err != nil:
		return err
	case !alone:
		return l.byHand("take these lines out of it")
	case len(ours) == 1:
		return os.Remove(l.path())
	}
	return replace(l.path(), lefthookText(slices.DeleteFunc(ours, func(e string) bool { return e == l.event })), 0o644)
}

func (l *lefthook) byHand(what string) error {
	return &Refusal{Path: l.path(), Why: "somebody wrote it; " + what, Shown: lefthookEntry(l.event),
		Hints: []string{"git agent hooks status   # once it is done"}}
}

// quote makes one word of s for a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
