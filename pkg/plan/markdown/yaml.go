package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-agent/git-agent/pkg/plan"
)

// YAML is the draft as a plan, to be completed: commented, its first line tells
// editors where the schema is.
func (d *Draft) YAML() []byte {
	var out bytes.Buffer
	out.WriteString(plan.SchemaHint() + "\n#\n")
	out.WriteString(d.comment())
	steps := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range d.Steps {
		steps.Content = append(steps.Content, d.node(i))
	}
	top := mapping("title", scalar(d.Title), "steps", steps)
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(top); err != nil { // nodes of our own making always encode
		return nil
	}
	return out.Bytes()
}

func (d *Draft) comment() string {
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(strings.TrimRight("# "+fmt.Sprintf(format, args...), " ") + "\n")
	}
	line("Imported from %s. To do: name the checks that are missing, see that touches", d.Source)
	line("are all that each step may change, then `git agent plan validate` and `plan lint`.")
	if n := d.Ticked(); n > 0 {
		line("%d of %d steps are ticked there; that certifies nothing, their checks will.", n, len(d.Steps))
	}
	if d.Rest > 0 {
		line("%d paragraphs behind the steps are left out.", d.Rest)
	}
	for _, paragraph := range d.Intro {
		line("")
		for text := range strings.SplitSeq(paragraph, "\n") {
			line("%s", text)
		}
	}
	return b.String()
}

func (d *Draft) node(i int) *yaml.Node {
	s := d.Steps[i]
	touches, checks := list(s.Files), list(s.Checks)
	if len(s.Files) == 0 {
		touches = list([]string{"**"})
		touches.LineComment = "# the source names no file: write down what the step may change"
	}
	if len(s.Checks) == 0 {
		checks.LineComment = "# name a command that fails before the step and passes after it"
	}
	pairs := []any{"id", scalar(d.id(i)), "title", scalar(s.Title)}
	if d.Item != "" {
		pairs = append(pairs, "item", quotedScalar(d.Item))
	}
	pairs = append(pairs, "touches", touches, "check", checks)
	brief := s.Brief
	if s.Ticked {
		brief = strings.TrimSpace(fmt.Sprintf("Note: this is ticked in %s. Nothing is certified by that: look at what is there first.\n\n%s", d.Source, brief))
	}
	if brief != "" {
		text := scalar(brief + "\n")
		text.Style = yaml.LiteralStyle
		pairs = append(pairs, "brief", text)
	}
	return mapping(pairs...)
}

func (d *Draft) id(i int) string {
	width := max(2, len(fmt.Sprint(len(d.Steps))))
	return fmt.Sprintf("s%0*d", width, i+1)
}

func scalar(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	return n
}

func quotedScalar(text string) *yaml.Node {
	n := scalar(text)
	n.Style = yaml.DoubleQuotedStyle
	return n
}

// list is in brackets where it is empty or short, else an entry a line.
func list(items []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	size := 0
	for _, text := range items {
		n.Content = append(n.Content, scalar(text))
		size += len(text) + 2
	}
	if len(items) == 0 || len(items) == 1 && size < 70 || size < 60 {
		n.Style = yaml.FlowStyle
	}
	return n
}

func mapping(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i < len(pairs); i += 2 {
		n.Content = append(n.Content, scalar(pairs[i].(string)), pairs[i+1].(*yaml.Node))
	}
	return n
}
