package manual

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"
)

// Look is how a page is shown as text.
type Look struct {
	Width int // columns; 0: 80
	// Bold marks titles and what is typed; nil leaves them plain.
	Bold func(string) string
}

const (
	defaultWidth = 80
	indentText   = 4
	indentBody   = 8
)

// Text writes the page for a terminal, as `git agent help` shows it.
func (p *Page) Text(w io.Writer, look Look) error {
	if look.Width <= 0 {
		look.Width = defaultWidth
	}
	look.Width = min(look.Width, 100) // longer lines are hard to read
	if look.Bold == nil {
		look.Bold = func(s string) string { return s }
	}
	b := bufio.NewWriter(w)
	t := textWriter{b, look}
	t.line(0, look.Bold("NAME"))
	t.paragraph(indentText, p.Name+" - "+p.Summary)
	for _, part := range p.Parts {
		t.line(0, "")
		t.line(0, look.Bold(part.Title))
		t.blocks(indentText, part.Blocks)
	}
	return b.Flush()
}

type textWriter struct {
	w    *bufio.Writer
	look Look
}

func (t textWriter) line(indent int, text string) {
	if text = strings.ReplaceAll(text, "\u00a0", " "); text != "" {
		text = strings.Repeat(" ", indent) + text
	}
	_, _ = t.w.WriteString(text + "\n") // Flush has the error
}

func (t textWriter) blocks(indent int, blocks []Block) {
	for i, block := range blocks {
		if i > 0 {
			t.line(0, "")
		}
		switch block.Kind {
		case Paragraph:
			t.paragraph(indent, block.Text)
		case Definition:
			t.paragraph(indent, block.Term)
			t.blocks(indent+indentText, block.Blocks)
		case Code:
			for line := range strings.SplitSeq(block.Text, "\n") {
				t.line(indent+indentText, line)
			}
		case Usage:
			t.hanging(indent, block.Term, block.Text)
		case Heading:
			t.line(indent-2, t.look.Bold(block.Text))
		}
	}
}

// word is a piece of text between two blanks, with how it looks.
type word struct {
	text  string
	width int
}

// words splits a text at its blanks; what is typed stays bold.
func (t textWriter) words(text string) []word {
	var words []word
	open := false // the last word goes on
	for _, r := range inline(text) {
		for i, piece := range strings.Split(r.text, " ") {
			shown := piece
			if piece != "" && (r.style == typed || r.style == strong) {
				shown = t.look.Bold(piece)
			}
			if i == 0 && open {
				last := &words[len(words)-1]
				last.text, last.width = last.text+shown, last.width+utf8.RuneCountInString(piece)
				continue
			}
			words = append(words, word{shown, utf8.RuneCountInString(piece)})
			open = true
		}
	}
	return words
}

func (t textWriter) paragraph(indent int, text string) { t.fill(indent, indent, "", 0, t.words(text)) }

// hanging is a synopsis: its further lines begin where its arguments do.
func (t textWriter) hanging(indent int, term, text string) {
	t.fill(indent, indent+indentBody, t.look.Bold(term), utf8.RuneCountInString(term), t.words(text))
}

func (t textWriter) fill(indent, further int, begun string, width int, words []word) {
	line, column := strings.Repeat(" ", indent)+begun, indent+width
	fresh := begun == ""
	for _, w := range words {
		if w.width == 0 {
			continue
		}
		if !fresh && column+1+w.width > t.look.Width {
			t.line(0, line)
			line, column, fresh = strings.Repeat(" ", further), further, true
		}
		if !fresh {
			line, column = line+" ", column+1
		}
		line, column, fresh = line+w.text, column+w.width, false
	}
	t.line(0, line)
}
