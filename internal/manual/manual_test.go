package manual

import (
	"bytes"
	"strings"
	"testing"
)

const sample = `<!-- see: git(1), git-agent-plan(5) -->
What it *does* is ` + "`git agent x --flag`" + `.
It goes on.

Another.

## OUTPUT
` + "`term`" + `
: First line
  and second.

  A second paragraph.

  ` + "`inner`" + `
  : nested

plain paragraph

` + "```" + `
.code - line
'quoted \ …
` + "```" + `
`

func TestParseProse(t *testing.T) {
	p, err := parseProse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if p.head["see"] != "git(1), git-agent-plan(5)" || len(p.parts) != 2 {
		t.Fatalf("head %v, %d parts", p.head, len(p.parts))
	}
	about, output := p.parts[0], p.parts[1]
	if about.Title != description || len(about.Blocks) != 2 || about.Blocks[0].Text != "What it *does* is `git agent x --flag`. It goes on." {
		t.Errorf("description: %+v", about)
	}
	if output.Title != "OUTPUT" || len(output.Blocks) != 3 {
		t.Fatalf("output: %+v", output)
	}
	def := output.Blocks[0]
	if def.Kind != Definition || def.Term != "`term`" || len(def.Blocks) != 3 || def.Blocks[0].Text != "First line and second." {
		t.Errorf("definition: %+v", def)
	}
	if inner := def.Blocks[2]; inner.Kind != Definition || inner.Term != "`inner`" || inner.Blocks[0].Text != "nested" {
		t.Errorf("inner definition: %+v", inner)
	}
	if code := output.Blocks[2]; code.Kind != Code || code.Text != ".code - line\n'quoted \\ …" {
		t.Errorf("code: %+v", code)
	}
}

// What would look right in a file and wrong in a page is refused.
func TestParseProse_refuses(t *testing.T) {
	for _, text := range []string{"- a list", "| a | table |", "# a title", "```\nnot closed", ": no term", "<!-- no head -->"} {
		if _, err := parseProse(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestInline(t *testing.T) {
	for text, want := range map[string]string{
		"a `b` *c* **d**":         "a |b# |c_ |d!",
		"2 * 3 * 4, a*":           "2 * 3 * 4, a*",
		"`*x*` and *refs/<run>*":  "*x*# and |refs/<run>_",
		"`open, **":               "`open, **",
		"*agent-run/<run>*, then": "agent-run/<run>_, then",
	} {
		got := ""
		for i, r := range inline(text) {
			if i > 0 && r.style != normal {
				got += "|"
			}
			got += r.text + [...]string{"", "#", "_", "!"}[r.style]
		}
		if strings.ReplaceAll(got, "|", "") != strings.ReplaceAll(want, "|", "") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func samplePage(t *testing.T) *Page {
	t.Helper()
	p, err := parseProse(sample)
	if err != nil {
		t.Fatal(err)
	}
	page := &Page{Name: "git-agent-x", Section: 1, Summary: "do x - and y", Parts: append([]Part{{"SYNOPSIS", []Block{{Kind: Usage, Term: "git agent x", Text: "[<step>] [--note=<text>]... [--\u00a0<command>...]"}}}}, p.parts...)}
	page.seeAlso(p.head["see"])
	return page
}

// TestPage_Roff: nothing of the text becomes a request or an escape.
func TestPage_Roff(t *testing.T) {
	var b bytes.Buffer
	if err := samplePage(t).Roff(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		".TH GIT\\-AGENT\\-X 1 ", "git\\-agent\\-x \\- do x \\- and y\n", ".SY \"git agent x\"\n[<step>] [\\-\\-note=<text>]... [\\-\\-\\ <command>...]\n.YS\n",
		"What it \\fIdoes\\fR is \\fBgit agent x \\-\\-flag\\fR. It goes on.\n.PP\nAnother.\n",
		".TP\n\\fBterm\\fR\nFirst line and second.\n.RS\n.PP\nA second paragraph.\n.TP\n\\fBinner\\fR\nnested\n.RE\n",
		".nf\n\\&.code \\- line\n\\&'quoted \\e \\&...\n.fi\n", "\\fBgit\\-agent\\fR(1), \\fBgit\\fR(1), \\fBgit\\-agent\\-plan\\fR(5)",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 81 {
			t.Errorf("a long line: %q", line)
		}
	}
}

func TestPage_Text(t *testing.T) {
	var b bytes.Buffer
	if err := samplePage(t).Text(&b, Look{Width: 40, Bold: func(s string) string { return "<b>" + s + "</b>" }}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<b>NAME</b>\n    git-agent-x - do x - and y\n", "    <b>git agent x</b> [<step>]\n            [--note=<text>]...\n            [-- <command>...]\n",
		"is <b>git</b> <b>agent</b> <b>x</b>", "    <b>term</b>\n        First line and second.\n\n        A second paragraph.\n",
		"        .code - line\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if shown := strings.NewReplacer("<b>", "", "</b>", "").Replace(line); len([]rune(shown)) > 41 {
			t.Errorf("wider than 40: %q", shown)
		}
	}
}

// TestTopics_allParse: every file of ours can be read.
func TestTopics_allParse(t *testing.T) {
	topics, err := Topics()
	if err != nil || len(topics) < 20 {
		t.Fatalf("%d topics, %v", len(topics), err)
	}
	for _, topic := range topics {
		if _, err := readProse(topic); err != nil {
			t.Error(err)
		}
	}
}
