package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	texts "github.com/git-agent/git-agent/contrib/hooks"
)

// Text is the whole script of an event as this version ships it.
func Text(event string) string {
	text, err := texts.Files.ReadFile(event)
	if err != nil {
		panic("hooks: " + err.Error()) // embedded: cannot be missing
	}
	return string(text)
}

// header is how each whole script of ours begins, whatever its version.
func header(event string) string { return "#!/bin/sh\n# git-agent hook: " + event + "." }

func marks(event string) (begin, end string) {
	return "# >>> git-agent " + event + " >>>\n", "# <<< git-agent " + event + " <<<\n"
}

// block is what stands between the markers in a script, markers included; a
// missing last newline counts as there.
func block(text, event string) (from, to int, ok bool) {
	begin, end := marks(event)
	from = strings.Index(text, begin)
	if from < 0 || from > 0 && text[from-1] != '\n' {
		return 0, 0, false
	}
	at := strings.Index(text[from:], "\n"+strings.TrimSuffix(end, "\n"))
	if at < 0 {
		return 0, 0, false
	}
	to = from + at + len(end)
	if to < len(text) && text[to] == '\n' {
		to++
	}
	return from, to, true
}

// Block is an event's lines for somebody else's script.
func Block(event string) string {
	text := Text(event)
	from, to, _ := block(text, event)
	return text[from:to]
}

// withBlock puts our lines first (what stands below may read all of standard
// input), but below the first line that names the interpreter.
func withBlock(text, event string) string {
	lines := Block(event)
	if !strings.HasPrefix(text, "#!") {
		return lines + text
	}
	first, rest, ended := strings.Cut(text, "\n")
	if !ended {
		return first + "\n" + strings.TrimSuffix(lines, "\n")
	}
	return first + "\n" + lines + rest
}

// withoutBlock gives back exactly what withBlock got.
func withoutBlock(text, event string) string {
	from, to, ok := block(text, event)
	if !ok {
		return text
	}
	if to == len(text) && !strings.HasSuffix(text, "\n") && from > 0 {
		from-- // the newline that the first line lacked
	}
	return text[:from] + text[to:]
}

// stateOf says whose a script is; list is what was ever shipped.
func stateOf(text, event, list string) State {
	from, to, inside := block(text, event)
	switch {
	case text == Text(event):
		return Installed
	case shipped(list, text, event, "whole"):
		return Outdated
	case strings.HasPrefix(text, header(event)):
		return Changed
	case !inside:
		return Foreign
	}
	lines := strings.TrimSuffix(text[from:to], "\n") + "\n"
	switch {
	case lines == Block(event):
		return Installed
	case shipped(list, lines, event, "block"):
		return Outdated
	}
	return Changed
}

// everShipped is the list of every text that was released.
func everShipped() string {
	list, err := texts.Files.ReadFile("shipped")
	if err != nil {
		panic("hooks: " + err.Error()) // embedded: cannot be missing
	}
	return string(list)
}

// shipped reports whether a text is on the list.
func shipped(list, text, event, what string) bool {
	return slices.Contains(strings.Split(list, "\n"), shippedLine(text, event, what))
}

func shippedLine(text, event, what string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%s %s %s", hex.EncodeToString(sum[:]), event, what)
}
