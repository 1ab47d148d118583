// Package jsonc finds places in JSON text that people keep by hand, comments and
// trailing commas included, and says what to insert or delete there. It never
// writes a document anew: every byte that is not part of a change stays.
//
//	root, err := jsonc.Parse(text)
//	changes, err := jsonc.Add(text, []string{"hooks", "Stop"}, entry)
//	text = jsonc.Apply(text, changes)
package jsonc

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Kind is what a value is.
type Kind byte

// The kinds; Other is a string, number, true, false or null.
const (
	Object Kind = 'o'
	Array  Kind = 'a'
	Other  Kind = 'v'
)

// Value is a value and where it stands: text[Start:End].
type Value struct {
	Kind       Kind
	Start, End int
	Items      []Item
}

// Item is a member of an object, or an element of an array (its Key is "").
type Item struct {
	Key   string
	Start int // of the key, or of the element
	Value Value
	// Comma is where the comma behind it is, -1 for none.
	Comma int
}

// Get is a member of an object, nil for none. Where a key is there twice the
// last counts, as for every reader of JSON.
func (v *Value) Get(key string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	var found *Value
	for i := range v.Items {
		if v.Items[i].Key == key {
			found = &v.Items[i].Value
		}
	}
	return found
}

// maxDepth bounds the nesting; settings are not deep.
const maxDepth = 200

type parser struct {
	text  []byte
	at    int
	depth int
}

// Parse reads a document. A text of blanks and comments only is no document and
// answers nil.
func Parse(text []byte) (*Value, error) {
	p := &parser{text: text}
	if strings.HasPrefix(string(text), "\ufeff") {
		p.at = len("\ufeff")
	}
	if err := p.skip(); err != nil {
		return nil, err
	}
	if p.at == len(text) {
		return nil, nil
	}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	if err := p.skip(); err != nil {
		return nil, err
	}
	if p.at != len(text) {
		return nil, p.fault("something stands behind the document")
	}
	return &v, nil
}

func (p *parser) fault(what string) error {
	line := 1 + strings.Count(string(p.text[:p.at]), "\n")
	column := p.at - strings.LastIndexByte(string(p.text[:p.at]), '\n')
	return fmt.Errorf("%d:%d: %s", line, column, what)
}

// skip goes over blanks and comments.
func (p *parser) skip() error {
	for p.at < len(p.text) {
		rest := string(p.text[p.at:min(p.at+2, len(p.text))])
		switch {
		case strings.ContainsRune(" \t\r\n", rune(p.text[p.at])):
			p.at++
		case rest == "//":
			end := strings.IndexByte(string(p.text[p.at:]), '\n')
			if end < 0 {
				end = len(p.text) - p.at
			}
			p.at += end
		case rest == "/*":
			end := strings.Index(string(p.text[p.at+2:]), "*/")
			if end < 0 {
				return p.fault("the comment does not end")
			}
			p.at += 2 + end + 2
		default:
			return nil
		}
	}
	return nil
}

func (p *parser) value() (Value, error) {
	if p.at == len(p.text) {
		return Value{}, p.fault("the document ends too soon")
	}
	switch p.text[p.at] {
	case '{':
		return p.list(Object, '}')
	case '[':
		return p.list(Array, ']')
	}
	return p.scalar()
}

// list is an object or an array.
func (p *parser) list(kind Kind, closing byte) (Value, error) {
	v := Value{Kind: kind, Start: p.at}
	if p.depth++; p.depth > maxDepth {
		return v, p.fault("nested too deep")
	}
	p.at++
	for {
		if err := p.skip(); err != nil {
			return v, err
		}
		if p.at < len(p.text) && p.text[p.at] == closing {
			p.at++
			p.depth--
			v.End = p.at
			return v, nil
		}
		if p.at == len(p.text) {
			return v, p.fault("the document ends too soon")
		}
		if n := len(v.Items); n > 0 && v.Items[n-1].Comma < 0 {
			return v, p.fault("a comma is missing")
		}
		item, err := p.item(kind)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
	}
}

func (p *parser) item(kind Kind) (item Item, err error) {
	item.Start, item.Comma = p.at, -1
	if kind == Object {
		if item.Key, err = p.key(); err != nil {
			return item, err
		}
	}
	if item.Value, err = p.value(); err != nil {
		return item, err
	}
	if err := p.skip(); err != nil {
		return item, err
	}
	if p.at < len(p.text) && p.text[p.at] == ',' {
		item.Comma = p.at
		p.at++
	}
	return item, nil
}

func (p *parser) key() (string, error) {
	v, err := p.scalar()
	if err != nil {
		return "", err
	}
	var key string
	if err := json.Unmarshal(p.text[v.Start:v.End], &key); err != nil {
		return "", p.fault("a name in quotes is expected")
	}
	if err := p.skip(); err != nil {
		return "", err
	}
	if p.at == len(p.text) || p.text[p.at] != ':' {
		return "", p.fault("a colon is missing")
	}
	p.at++
	return key, p.skip()
}

// scalar is a string, a number or a word.
func (p *parser) scalar() (Value, error) {
	v := Value{Kind: Other, Start: p.at}
	if p.at < len(p.text) && p.text[p.at] == '"' {
		for p.at++; p.at < len(p.text) && p.text[p.at] != '"' && p.text[p.at] != '\n'; p.at++ {
			if p.text[p.at] == '\\' {
				p.at++
			}
		}
		p.at = min(p.at+1, len(p.text))
	} else {
		for p.at < len(p.text) && !strings.ContainsRune(" \t\r\n,:]}[{/\"", rune(p.text[p.at])) {
			p.at++
		}
	}
	v.End = p.at
	if !json.Valid(p.text[v.Start:v.End]) {
		p.at = v.Start
		return v, p.fault("this is no JSON")
	}
	return v, nil
}
