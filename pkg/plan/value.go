package plan

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// value is one value of a document. All questions may be asked of nil, which
// is a value that is not there.
type value struct {
	parent *value
	name   string     // the key or the index that leads here; "" for the root
	key    *yaml.Node // nil for the root and in a list
	node   *yaml.Node
	// plain is the value as the schema's validator takes it: map[string]any,
	// []any, string, bool, int64, float64 or nil.
	plain  any
	fields map[string]*value // of a mapping
	items  []*value          // of a list
}

func (v *value) field(name string) *value {
	if v == nil {
		return nil
	}
	return v.fields[name]
}

func (v *value) list() []*value {
	if v == nil {
		return nil
	}
	return v.items
}

// text is ok only for a text; what is missing or of another type is the
// schema's to report.
func (v *value) text() (s string, ok bool) {
	if v != nil {
		s, ok = v.plain.(string)
	}
	return s, ok
}

// position is the node to point at: an empty value may have none of its own.
func (v *value) position() *yaml.Node {
	for ; v != nil; v = v.parent {
		if v.node.Line > 0 {
			return v.node
		}
		if v.key != nil && v.key.Line > 0 {
			return v.key
		}
	}
	return &yaml.Node{}
}

// label names a value by its key: "confirm", "touches entry 2", "env CI".
func (v *value) label() string {
	switch {
	case v.parent == nil:
		return "the plan"
	case v.parent.name == "env" && v.key != nil:
		return "env " + v.name
	case v.key != nil:
		return v.name
	}
	i, _ := strconv.Atoi(v.name)
	number := strconv.Itoa(i + 1)
	if v.isStep() {
		return "step " + number
	}
	return v.parent.name + " entry " + number
}

// isStep reports whether the value is an entry of the plan's steps.
func (v *value) isStep() bool {
	return v.key == nil && v.parent != nil && v.parent.name == "steps" && v.parent.parent.parent == nil
}

// owner names a mapping: a step by its id where it has one.
func (v *value) owner() string {
	if id, ok := v.field("id").text(); ok && v.isStep() {
		return "step " + strconv.Quote(id)
	}
	return v.label()
}

// source is a scalar as it was written, without quotes.
func (v *value) source() string {
	if v.node.Kind == yaml.AliasNode {
		return v.node.Alias.Value
	}
	return v.node.Value
}
