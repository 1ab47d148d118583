// Package markdown makes a plan out of a text that a person or a model wrote:
// Markdown with numbered lists, boxes, bullets, tasks, lists of files and fenced
// commands, or the plain text that is left of it after a copy.
//
// It owns what is taken for a step, a path and a check. It never decides that
// something is done: a ticked box becomes a note in the brief. It never invents a
// check: a step without a command is written with an empty list, which `plan
// validate` refuses until somebody names one.
//
//	draft, err := markdown.Read("notes.md", text)
//	os.Stdout.Write(draft.YAML())
package markdown

import (
	"errors"
	"strings"
	"unicode"
)

// maxText bounds what is read, in bytes.
const maxText = 4 << 20

// Draft is a plan to be completed.
type Draft struct {
	Source string // the text's name, for notes
	Title  string
	Item   string   // the issue that every step answers, "" for none
	Intro  []string // what stood before the first step, by paragraph
	Steps  []Step
	Rest   int // paragraphs outside every step that were left out
}

// Step is one step of a draft.
type Step struct {
	Title  string
	Brief  string
	Files  []string // in the order in which they are named
	Checks []string
	Ticked bool // the source says that it is done
}

// Unchecked counts the steps that need a check to be named.
func (d *Draft) Unchecked() int {
	n := 0
	for _, s := range d.Steps {
		if len(s.Checks) == 0 {
			n++
		}
	}
	return n
}

// Ticked counts the steps that the source says are done.
func (d *Draft) Ticked() int {
	n := 0
	for _, s := range d.Steps {
		if s.Ticked {
			n++
		}
	}
	return n
}

// ErrNothing means that the text holds nothing that could be a step.
var ErrNothing = errors.New("nothing in the text looks like a step: no box, no numbered list, no bullet, no task heading")

// Read makes a draft of a text; name is only what notes call it.
func Read(name string, text []byte) (*Draft, error) {
	d, err := read(name, text)
	if err != nil {
		return nil, err
	}
	if len(d.Steps) == 0 {
		return nil, ErrNothing
	}
	return d, nil
}

func read(name string, text []byte) (*Draft, error) {
	if len(text) > maxText {
		return nil, errors.New("the text is too long for a plan")
	}
	w := newWalk(clean(string(text)))
	w.walk()
	d := w.draft
	d.Source = oneLine(name)
	d.Title = oneLine(d.Title)
	if d.Title == "" {
		d.Title = "Imported plan"
	}
	return &d, nil
}

// clean keeps what a plan can hold: valid UTF-8 without control characters and
// without those that turn a line round on the screen.
func clean(text string) string {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u2028' || r == '\u2029' || r == '\r':
			return '\n'
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\ufeff' || r >= '\ufffe' && r <= '\uffff':
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// oneLine is a text as a title: on one line, not too long.
func oneLine(text string) string {
	const most = 200
	text = strings.Join(strings.Fields(clean(text)), " ")
	if runes := []rune(text); len(runes) > most {
		text = strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return text
}
