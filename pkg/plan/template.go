package plan

import (
	"bytes"
	_ "embed" // template.yaml
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

//go:embed template.yaml
var templateYAML string

// Template is a commented plan to begin with, valid as it stands. Its first
// line tells editors where the schema is. Characters that a title cannot hold
// become blanks, and a blank title gets a name. The target is the branch that
// it names, "" where none is known.
func Template(title, target string) []byte {
	title = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unreadable(r) || hidden(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(title, " "))
	if runes := []rune(title); len(runes) > 500 {
		title = string(runes[:500])
	}
	if title = strings.TrimSpace(title); title == "" {
		title = "Untitled plan"
	}
	return []byte(strings.NewReplacer("{{schema}}", schemaURL, "{{title}}", quoteYAML(title),
		"{{target}}", targetLine(target)).Replace(templateYAML))
}

// targetLine is the key, or where no branch is known the comment that shows it,
// as wide as its neighbours.
func targetLine(target string) string {
	line := "# target: main"
	if target != "" {
		line = "target: " + quoteYAML(target)
	}
	return fmt.Sprintf("%-28s", line)
}

// quoteYAML writes a text as a JSON string, which is YAML as well.
func quoteYAML(s string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(s) != nil { // a string always encodes
		return `""`
	}
	return strings.TrimSpace(out.String())
}

// SchemaHint is the comment that tells editors where the schema is, a plan's
// first line (yaml-language-server).
func SchemaHint() string { return "# yaml-language-server: $schema=" + schemaURL }
