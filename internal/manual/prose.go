package manual

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed prose/*.md
var proseFiles embed.FS

// description is the part that text before the first heading belongs to.
const description = "DESCRIPTION"

// prose is a file of ours, read: its head and its parts.
type prose struct {
	head  map[string]string // "key: value" lines at the very top, in a comment
	parts []Part
}

// Topics lists the prose there is: commands and, with a dot, other pages
// ("config.5").
func Topics() ([]string, error) {
	files, err := fs.Glob(proseFiles, "prose/*.md")
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(files))
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f), ".md"))
	}
	slices.Sort(names)
	return names, nil
}

// Text is the prose of a topic as it was written, for tests that run its
// examples.
func Text(topic string) (string, error) {
	text, err := proseFiles.ReadFile("prose/" + topic + ".md")
	return string(text), err
}

// readProse reads what was written about a topic; a topic without prose is an
// empty one, so that a new command has a page at once.
func readProse(topic string) (*prose, error) {
	text, err := Text(topic)
	if errors.Is(err, fs.ErrNotExist) {
		return &prose{head: map[string]string{}}, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := parseProse(text)
	if err != nil {
		return nil, fmt.Errorf("prose/%s.md: %w", topic, err)
	}
	return p, nil
}

// parseProse reads the few forms of Markdown that pages are written in:
// paragraphs, "## TITLE", "### heading", fenced code, and definitions (a line,
// then lines that begin with ": " or are indented below it). Everything else
// is refused, so that nothing looks right here and wrong in a page.
func parseProse(text string) (*prose, error) {
	p := &prose{head: map[string]string{}, parts: []Part{{Title: description}}}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for len(lines) > 0 && strings.HasPrefix(lines[0], "<!-- ") {
		key, value, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(lines[0], "<!-- "), " -->"), ": ")
		if !ok {
			return nil, fmt.Errorf("line 1: %q is no head", lines[0])
		}
		p.head[key] = value
		lines = lines[1:]
	}
	for len(lines) > 0 {
		if title, ok := strings.CutPrefix(lines[0], "## "); ok {
			p.parts = append(p.parts, Part{Title: title})
			lines = lines[1:]
			continue
		}
		block, rest, err := parseBlock(lines)
		if err != nil {
			return nil, err
		}
		if block != nil {
			last := &p.parts[len(p.parts)-1]
			last.Blocks = append(last.Blocks, *block)
		}
		lines = rest
	}
	return p, nil
}

// parseBlock takes one block off the lines; nil is a blank line.
func parseBlock(lines []string) (*Block, []string, error) {
	first := lines[0]
	switch {
	case first == "":
		return nil, lines[1:], nil
	case strings.HasPrefix(first, "```"):
		end := slices.Index(lines[1:], "```")
		if end < 0 {
			return nil, nil, fmt.Errorf("%q is not closed", first)
		}
		return &Block{Kind: Code, Text: strings.Join(lines[1:end+1], "\n")}, lines[end+2:], nil
	case strings.HasPrefix(first, "### "):
		return &Block{Kind: Heading, Text: first[len("### "):]}, lines[1:], nil
	case strings.HasPrefix(first, "#"), strings.HasPrefix(first, "- "), strings.HasPrefix(first, "|"), strings.HasPrefix(first, ": "):
		return nil, nil, fmt.Errorf("%q: pages have no such form", first)
	case len(lines) > 1 && strings.HasPrefix(lines[1], ": "):
		return parseDefinition(first, lines[1:])
	}
	end := 0
	for end < len(lines) && lines[end] != "" && !strings.HasPrefix(lines[end], "```") {
		end++
	}
	return &Block{Kind: Paragraph, Text: strings.Join(lines[:end], " ")}, lines[end:], nil
}

// parseDefinition takes the ": " line and the indented ones below it, which
// may hold further paragraphs and definitions.
func parseDefinition(term string, lines []string) (*Block, []string, error) {
	body := []string{strings.TrimPrefix(lines[0], ": ")}
	end := 1
	for end < len(lines) {
		text, indented := strings.CutPrefix(lines[end], "  ")
		blank := lines[end] == "" && end+1 < len(lines) && strings.HasPrefix(lines[end+1], "  ")
		if !indented && !blank {
			break
		}
		body = append(body, text)
		end++
	}
	def := &Block{Kind: Definition, Term: term}
	for len(body) > 0 {
		block, rest, err := parseBlock(body)
		if err != nil {
			return nil, nil, err
		}
		if block != nil {
			def.Blocks = append(def.Blocks, *block)
		}
		body = rest
	}
	return def, lines[end:], nil
}
