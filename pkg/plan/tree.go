package plan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxValues bounds what aliases may expand to. A plan of 10,000 steps stays
// far below it; a few lines of nested aliases would not.
const maxValues = 300_000

// maxDepth bounds nesting; the schema itself needs six.
const maxDepth = 64

// tree is a YAML document as values that know where they stand, and the faults
// found in it so far.
type tree struct {
	file     string
	lines    []string // of the source
	root     *value
	seen     int                 // values read, aliases expanded
	nested   map[*yaml.Node]bool // the nodes around the one being read, to see cycles
	taken    map[*value]bool     // values that have a problem
	problems []*Problem
}

func newTree(file, text string, document *yaml.Node) *tree {
	t := &tree{
		file:   file,
		lines:  strings.Split(text, "\n"),
		nested: map[*yaml.Node]bool{},
		taken:  map[*value]bool{},
	}
	t.root = &value{node: document}
	t.read(t.root, 0)
	return t
}

// report adds a problem of a value that has none yet: one fault is told once,
// by whoever can say it best, and so first.
func (t *tree) report(v *value, format string, args ...any) {
	if !t.taken[v] {
		t.taken[v] = true
		t.add(v.position(), format, args...)
	}
}

// reportKey is report for a value whose key is at fault.
func (t *tree) reportKey(v *value, format string, args ...any) {
	if !t.taken[v] {
		t.taken[v] = true
		t.add(v.key, format, args...)
	}
}

// add adds a problem at a node.
func (t *tree) add(n *yaml.Node, format string, args ...any) {
	line, column := max(1, n.Line), max(1, n.Column)
	if last := len(t.lines); line > last { // YAML puts an empty end on a line of its own
		line, column = last, utf8.RuneCountInString(t.lines[last-1])+1
	}
	t.problems = append(t.problems, &Problem{t.file, line, column, fmt.Sprintf(format, args...)})
}

// read fills in a value from its node.
func (t *tree) read(v *value, depth int) {
	n := v.node
	if t.seen++; t.seen > maxValues {
		t.report(t.root, "aliases expand to more than %d values", maxValues)
		return
	}
	if t.dropsMark(n) {
		t.report(v, `begins with "!", which YAML takes for a tag and drops; write the text in quotes`)
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case depth > maxDepth:
		t.report(v, "is nested deeper than %d levels", maxDepth)
		return
	case t.nested[n]:
		t.report(v, "the anchor %q contains itself", n.Anchor)
		return
	}
	t.nested[n] = true
	defer delete(t.nested, n)
	switch n.Kind {
	case yaml.MappingNode:
		t.readMapping(v, n, depth)
	case yaml.SequenceNode:
		t.readList(v, n, depth)
	default:
		v.plain = t.readScalar(v, n)
	}
}

func (t *tree) readList(v *value, n *yaml.Node, depth int) {
	plain := make([]any, len(n.Content))
	v.items = make([]*value, len(n.Content))
	for i, node := range n.Content {
		item := &value{parent: v, name: strconv.Itoa(i), node: node}
		t.read(item, depth+1)
		v.items[i], plain[i] = item, item.plain
	}
	v.plain = plain
}

func (t *tree) readMapping(v *value, n *yaml.Node, depth int) {
	plain := make(map[string]any, len(n.Content)/2)
	v.fields = make(map[string]*value, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		spelled := key
		if key.Kind == yaml.AliasNode {
			spelled = key.Alias
		}
		name := spelled.Value
		switch first := v.fields[name]; {
		case spelled.Kind != yaml.ScalarNode:
			t.add(key, "a key must be text, not a list or a mapping")
			continue
		case spelled.ShortTag() == "!!merge":
			t.add(key, `merge keys ("<<") are not read; write the fields out, or use an alias for one value`)
			continue
		case first != nil:
			t.add(key, "duplicate key %q, first on line %d", name, first.key.Line)
			continue
		}
		field := &value{parent: v, name: name, key: key, node: n.Content[i+1]}
		v.fields[name] = field
		t.read(field, depth+1)
		plain[name] = field.plain
	}
	v.plain = plain
}
