package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Change puts Text in the place of text[At : At+Cut]. What is added has Cut 0,
// what is taken out has no Text.
type Change struct {
	At, Cut int
	Text    string
}

// Apply makes the changes, whose places are those of the text as it is.
func Apply(text []byte, changes []Change) []byte {
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b Change) int { return a.At - b.At })
	var out []byte
	at := 0
	for _, c := range changes {
		out = append(out, text[at:c.At]...)
		out = append(out, c.Text...)
		at = c.At + c.Cut
	}
	return append(out, text[at:]...)
}

// Add says what to insert so that the array at path has one element more, or,
// where value is a [Named], the object at path one member more. Objects on the
// way that are missing are made, and so is the array. The changes only insert.
func Add(text []byte, path []string, value any) ([]Change, error) {
	changes, err := add(text, path, value)
	if bytes.Contains(text, []byte("\r\n")) {
		for i := range changes {
			changes[i].Text = strings.ReplaceAll(changes[i].Text, "\n", "\r\n")
		}
	}
	return changes, err
}

func add(text []byte, path []string, value any) ([]Change, error) {
	root, err := Parse(text)
	if err != nil {
		return nil, err
	}
	if root == nil {
		whole := render(wrap(path, value), "", "  ") + "\n"
		if len(text) > 0 && text[len(text)-1] != '\n' {
			whole = "\n" + whole // the text may end in a comment
		}
		return []Change{{At: len(text), Text: whole}}, nil
	}
	at := root
	for i, key := range path {
		if at.Kind != Object {
			return nil, fmt.Errorf("%s is no object", named(path[:i]))
		}
		next := at.Get(key)
		if next == nil {
			return insert(text, at, Named{key, wrap(path[i+1:], value)}), nil
		}
		at = next
	}
	member, isMember := value.(Named)
	switch {
	case isMember && at.Kind != Object:
		return nil, fmt.Errorf("%s is no object", named(path))
	case !isMember && at.Kind != Array:
		return nil, fmt.Errorf("%s is no list", named(path))
	case isMember && at.Get(member.Key) != nil:
		return nil, fmt.Errorf("%s.%s is there already", strings.Join(path, "."), member.Key)
	}
	return insert(text, at, value), nil
}

// named is a place in a text, for people.
func named(path []string) string {
	if len(path) == 0 {
		return "the outermost value"
	}
	return strings.Join(path, ".")
}

// Named is a member of an object.
type Named struct {
	Key   string
	Value any
}

// wrap is the value below path, in objects of its own.
func wrap(path []string, value any) any {
	if len(path) == 0 {
		if named, ok := value.(Named); ok {
			return Members{named}
		}
		return []any{value}
	}
	return Members{{path[0], wrap(path[1:], value)}}
}

// Members is an object whose members keep their order.
type Members []Named

// MarshalJSON writes the members as they stand.
func (m Members) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, n := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := compact(n.Key)
		if err != nil {
			return nil, err
		}
		value, err := compact(n.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// insert adds a last element or member in the style of the text around it.
func insert(text []byte, list *Value, value any) []Change {
	base := indentAt(text, list.Start)
	unit := "  "
	if n := len(list.Items); n > 0 {
		first := list.Items[0].Start
		if !bytes.Contains(text[list.Start:first], []byte("\n")) {
			return behindLast(text, list, " "+line(value))
		}
		if inner := indentAt(text, first); strings.HasPrefix(inner, base) && inner != base {
			unit = inner[len(base):]
		}
		return behindLast(text, list, "\n"+base+unit+renderItem(value, base+unit, unit))
	}
	body := "\n" + base + unit + renderItem(value, base+unit, unit) + "\n" + base
	at, _ := lastTrivia(text, list.Start+1, list.End-1)
	return []Change{{At: at, Text: body}}
}

// behindLast puts an item behind the last one and the comments that are its.
func behindLast(text []byte, list *Value, item string) []Change {
	last := list.Items[len(list.Items)-1]
	from := last.Value.End
	if last.Comma >= 0 {
		from = last.Comma + 1
	}
	at, inLine := lastTrivia(text, from, list.End-1)
	if inLine && !strings.HasPrefix(item, "\n") {
		item = "\n" + item
	}
	if last.Comma >= 0 {
		return []Change{{At: at, Text: item + ","}}
	}
	if at == last.Value.End {
		return []Change{{At: at, Text: "," + item}}
	}
	return []Change{{At: last.Value.End, Text: ","}, {At: at, Text: item}}
}

// lastTrivia is the end of the last comment in text[from:to], else from: what is
// inserted there stands behind every comment; inLine says that it needs a new
// line for that.
func lastTrivia(text []byte, from, to int) (end int, inLine bool) {
	p := &parser{text: text[:to], at: from}
	end = from
	for p.at < to {
		if strings.ContainsRune(" \t\r\n", rune(text[p.at])) {
			p.at++
			continue
		}
		was := p.at
		if p.skipOne(); p.at == was {
			return end, inLine
		}
		end, inLine = p.at, text[was+1] == '/'
	}
	return end, inLine
}

// skipOne goes over one comment.
func (p *parser) skipOne() {
	rest := string(p.text[p.at:])
	switch {
	case strings.HasPrefix(rest, "//"):
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			rest = rest[:i]
		}
		p.at += len(strings.TrimSuffix(rest, "\r"))
	case strings.HasPrefix(rest, "/*"):
		if i := strings.Index(rest, "*/"); i >= 0 {
			p.at += i + 2
		}
	}
}

// indentAt is the white space at the start of the line of a place.
func indentAt(text []byte, at int) string {
	begin := bytes.LastIndexByte(text[:at], '\n') + 1
	end := begin
	for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return string(text[begin:end])
}

func renderItem(value any, indent, unit string) string {
	if named, ok := value.(Named); ok {
		key, _ := compact(named.Key)
		return string(key) + ": " + render(named.Value, indent, unit)
	}
	return render(value, indent, unit)
}

func line(value any) string {
	if named, ok := value.(Named); ok {
		key, _ := compact(named.Key)
		body, _ := compact(named.Value)
		return string(key) + ": " + string(body)
	}
	body, _ := compact(value)
	return string(body)
}

func render(value any, indent, unit string) string {
	body, _ := compact(value)
	var b bytes.Buffer
	_ = json.Indent(&b, body, indent, unit)
	return b.String()
}
