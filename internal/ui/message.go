package ui

import (
	"fmt"
	"io"
	"strings"
)

// program starts every message, so that it is known in a log of many.
const program = "git-agent: "

// Error says on Err what went wrong: "git-agent: error: …", a line for each
// line of the error's text. A nil error says nothing.
func (s Streams) Error(err error) {
	if err != nil {
		s.message(Red, "error: ", err.Error())
	}
}

// Warn says on Err what is doubtful but did not stop the command.
func (s Streams) Warn(format string, args ...any) {
	s.message(Yellow, "warning: ", fmt.Sprintf(format, args...))
}

// Hint says on Err how to go on, best as a command that can be pasted.
func (s Streams) Hint(format string, args ...any) {
	s.message(Cyan, "hint: ", fmt.Sprintf(format, args...))
}

// Note says on Err what is going on: "git-agent: …".
func (s Streams) Note(format string, args ...any) {
	s.message(Default, "", fmt.Sprintf(format, args...))
}

// message writes all lines in one write, so that those of two processes do
// not mix. An error of Err has nowhere to be reported.
func (s Streams) message(st Style, kind, text string) {
	head := program + paint(s.ErrColor, st, kind)
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		b.WriteString(head + Escape(strings.TrimRight(line, "\r")) + "\n")
	}
	_, _ = io.WriteString(s.Err, b.String())
}
