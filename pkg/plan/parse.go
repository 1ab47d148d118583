package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxSize is the largest plan that is read, in bytes.
const MaxSize = 4 << 20

// byteOrderMark is tolerated at the start of the text, where editors of some
// systems put it.
const byteOrderMark = "\ufeff"

// Parse reads a plan. file is only the name that errors carry. The error holds
// every fault at once, sorted by position, each a [*Problem]; see [Problems].
// YAML and so JSON is read, with anchors and aliases, but one document only,
// no merge keys, and nothing that the schema does not know.
func Parse(file string, data []byte) (*Plan, error) {
	text, problem := parseText(file, data)
	if problem != nil {
		return nil, joinProblems([]*Problem{problem})
	}
	document, problem := parseDocument(file, text)
	if problem != nil {
		return nil, joinProblems([]*Problem{problem})
	}
	schema, err := published()
	if err != nil {
		return nil, err
	}
	t := newTree(file, text, document)
	t.checkMeaning() // first: it says more about a text than the schema's pattern
	t.checkSchema(schema)
	if err := joinProblems(t.problems); err != nil {
		return nil, err
	}
	return t.plan(), nil
}

// parseDocument is the one YAML document of the text. The problem is the first
// thing that makes the text unreadable; there is no telling what follows it.
func parseDocument(file, text string) (*yaml.Node, *Problem) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document, another yaml.Node
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, syntaxProblem(file, text, err)
	}
	if len(document.Content) == 0 || isEmpty(document.Content[0]) {
		return nil, &Problem{file, 1, 1, "the plan is empty; `git agent plan new` writes one to begin with"}
	}
	switch err := decoder.Decode(&another); {
	case err == nil:
		line := max(1, another.Line)
		return nil, &Problem{file, line, 1, "a second YAML document begins here; a plan is one document"}
	case !errors.Is(err, io.EOF):
		return nil, syntaxProblem(file, text, err)
	}
	return document.Content[0], nil
}

func isEmpty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// parseText is the text without what surrounds it: UTF-8, no byte order mark.
func parseText(file string, data []byte) (string, *Problem) {
	if len(data) > MaxSize {
		return "", &Problem{file, 1, 1, fmt.Sprintf("the plan has %d bytes; at most %d are read", len(data), MaxSize)}
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return "", &Problem{file, 1, 1, "the plan is UTF-16; save it as UTF-8"}
	}
	text := strings.TrimPrefix(string(data), byteOrderMark)
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			line, column := position(text, i)
			return "", &Problem{file, line, column, fmt.Sprintf("byte 0x%02x is not UTF-8", text[i])}
		}
		if unreadable(r) || r == '\r' && !strings.HasPrefix(text[i:], "\r\n") {
			line, column := position(text, i)
			return "", &Problem{file, line, column, fmt.Sprintf("the character %U is not allowed in a plan as it is; an escape such as \\x1b in double quotes may be", r)}
		}
	}
	return text, nil
}

// unreadable are the characters that YAML 1.2 (5.1) does not allow in a text,
// those at which YAML 1.1 ends a line and editors do not, so that all count
// lines alike, and the byte order mark anywhere but at the start.
func unreadable(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	}
	return r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff
}

// position turns a byte offset into line and column, both from 1.
func position(text string, offset int) (line, column int) {
	before := text[:offset]
	line = 1 + strings.Count(before, "\n")
	return line, 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
