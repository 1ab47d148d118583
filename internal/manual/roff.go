package manual

import (
	"fmt"
	"io"
	"strings"
)

// edition stands at the foot of every page: man(7) asks for a date, and one of
// the day would make other bytes every time.
const edition = "2026-11-29"

// lineWidth is how long a line of the source may be: mandoc -T lint has 80.
const lineWidth = 78

// Roff writes the page in the man macros (man(7)).
func (p *Page) Roff(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, ".\\\" Made from internal/manual/prose and the command line; see CONTRIBUTING.md.\n")
	fmt.Fprintf(b, ".TH %s %d \"%s\" \"git agent\" \"Git Manual\"\n", roffText(strings.ToUpper(p.Name)), p.Section, edition)
	fmt.Fprintf(b, ".SH NAME\n%s\n", folded(p.Name+" \u2212 "+p.Summary))
	for _, part := range p.Parts {
		fmt.Fprintf(b, ".SH %s\n", roffText(part.Title))
		roffBlocks(b, part.Blocks)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func roffBlocks(b *strings.Builder, blocks []Block) {
	for i, block := range blocks {
		switch block.Kind {
		case Paragraph:
			if i > 0 && blocks[i-1].Kind != Heading {
				fmt.Fprint(b, ".PP\n")
			}
			fmt.Fprintf(b, "%s\n", folded(block.Text))
		case Definition:
			fmt.Fprintf(b, ".TP\n%s\n", folded(block.Term))
			roffBody(b, block.Blocks)
		case Code:
			if i > 0 && blocks[i-1].Kind != Heading {
				fmt.Fprint(b, ".PP\n")
			}
			fmt.Fprint(b, ".RS 4\n.nf\n")
			for line := range strings.SplitSeq(block.Text, "\n") {
				fmt.Fprintf(b, "%s\n", roffText(line))
			}
			fmt.Fprint(b, ".fi\n.RE\n")
		case Usage:
			fmt.Fprintf(b, ".SY %s\n%s.YS\n", roffQuoted(block.Term), line(folded(block.Text)))
		case Heading:
			fmt.Fprintf(b, ".SS %s\n", roffText(block.Text))
		}
	}
}

// roffBody is what explains a term: the first paragraph stands beside it, what
// follows is indented with it.
func roffBody(b *strings.Builder, blocks []Block) {
	if len(blocks) == 0 {
		return
	}
	fmt.Fprintf(b, "%s\n", folded(blocks[0].Text))
	if len(blocks) > 1 {
		fmt.Fprint(b, ".RS\n")
		if blocks[1].Kind == Paragraph {
			fmt.Fprint(b, ".PP\n")
		}
		roffBlocks(b, blocks[1:])
		fmt.Fprint(b, ".RE\n")
	}
}

// line ends a text that is there.
func line(text string) string {
	if text == "" {
		return ""
	}
	return text + "\n"
}

// folded breaks a text into lines of the source; no line begins like a request.
func folded(text string) string {
	var lines []string
	now := ""
	for word := range strings.FieldsFuncSeq(roffInline(text), func(r rune) bool { return r == ' ' }) {
		if now != "" && len(now)+1+len(word) > lineWidth {
			lines, now = append(lines, now), ""
		}
		switch {
		case now != "":
			now += " " + word
		case word[0] == '.' || word[0] == '\'':
			now = `\&` + word
		default:
			now = word
		}
	}
	return strings.Join(append(lines, now), "\n")
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, `-`, `\-`, "\u00a0", `\ `, "…", `\&...`, "\u2212", `\-`)

// roffText escapes a line; one that begins like a request is kept from being
// one.
func roffText(text string) string {
	text = roffEscape(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// roffEscape escapes a text; what is not ASCII has a name that every formatter
// knows.
func roffEscape(text string) string {
	text = roffEscapes.Replace(text)
	if strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		var b strings.Builder
		for _, r := range text {
			if r <= '~' {
				b.WriteRune(r)
			} else {
				fmt.Fprintf(&b, `\[u%04X]`, r)
			}
		}
		text = b.String()
	}
	return text
}

func roffQuoted(text string) string { return `"` + roffText(text) + `"` }

func roffInline(text string) string {
	var b strings.Builder
	for _, r := range inline(text) {
		escaped := roffEscape(r.text)
		switch r.style {
		case typed, strong:
			escaped = `\fB` + escaped + `\fR`
		case stands:
			escaped = `\fI` + escaped + `\fR`
		case normal:
		}
		b.WriteString(escaped)
	}
	return b.String()
}
