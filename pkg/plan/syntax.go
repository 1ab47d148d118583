package plan

import (
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlPrefix is what the YAML library puts before its own words. The line that
// it names is often that of the enclosing block, and sometimes one off.
var yamlPrefix = lazy(`^yaml: (line \d+: )?`)

// syntaxHints explain the library's words where the cause is nearly always one
// and the same.
var syntaxHints = map[string]string{
	"mapping values are not allowed in this context":               `; a text that holds ": " must be quoted, and keys of one mapping stand in one column`,
	"found character that cannot start any token":                  "; a text that begins with one of @ ` % or a tab must be quoted",
	"did not find expected key":                                    "; keys of one mapping stand in one column, and a quoted text ends with its quote",
	"did not find expected '-' indicator":                          "; the entries of one list stand in one column, each behind a hyphen",
	"found unexpected end of stream":                               "; a quote that is opened here is never closed",
	"did not find expected ',' or ']'":                             "; a [ opened here or above is never closed",
	"did not find expected ',' or '}'":                             "; a { opened here or above is never closed",
	"found a tab character that violates indentation":              "; indent with blanks",
	"found a tab character where an indentation space is expected": "; indent with blanks",
}

// syntaxProblem places a syntax error on the first line that, with all before
// it, already gives this error.
func syntaxProblem(file, text string, err error) *Problem {
	words := yamlPrefix().ReplaceAllString(err.Error(), "")
	lines := strings.SplitAfter(text, "\n")
	n := sort.Search(len(lines)-1, func(n int) bool {
		var ignored yaml.Node
		e := yaml.Unmarshal([]byte(strings.Join(lines[:n+1], "")), &ignored)
		return e != nil && yamlPrefix().ReplaceAllString(e.Error(), "") == words
	})
	line := lines[n]
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	if tab := strings.IndexByte(line[:indent], '\t'); tab >= 0 {
		return &Problem{file, n + 1, tab + 1, "a tab indents this line; YAML allows only blanks there"}
	}
	hint := syntaxHints[words]
	if strings.HasPrefix(words, "unknown anchor") || words == "did not find expected alphabetic or numeric character" {
		hint = "; a text that begins with * or & must be quoted"
	}
	return &Problem{file, n + 1, indent + 1, "not valid YAML: " + words + hint}
}
