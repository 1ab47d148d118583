package cli

import (
	"io"
	"unicode/utf8"

	"github.com/git-agent/git-agent/internal/ui"
)

// escaped shows what a job prints on a terminal without letting it drive the
// terminal: control sequences become visible text.
type escaped struct {
	to   io.Writer
	rest []byte // a character that is not whole yet
}

func (e *escaped) Write(p []byte) (int, error) {
	data := append(e.rest, p...)
	whole := len(data)
	for i := 1; i < utf8.UTFMax && i <= len(data); i++ {
		if tail := data[len(data)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				whole = len(data) - i
			}
			break
		}
	}
	e.rest = append([]byte(nil), data[whole:]...)
	if _, err := io.WriteString(e.to, ui.EscapeText(string(data[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// end shows what is left of a character that never became whole.
func (e *escaped) end() error {
	rest := e.rest
	e.rest = nil
	if len(rest) == 0 {
		return nil
	}
	_, err := io.WriteString(e.to, ui.EscapeText(string(rest)))
	return err
}
