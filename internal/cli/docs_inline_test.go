package cli

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inlineCommand is a command in the middle of a sentence.
var inlineCommand = regexp.MustCompile("`(?:[A-Z_]+=\\S+ )?git[ -]agent ([a-z][^`]*)`")

// TestDocs_inlineCommandsExist: what a sentence tells a person to type is a
// command, with flags that it has.
func TestDocs_inlineCommandsExist(t *testing.T) {
	all, found := commandsOf(t), 0
	for _, doc := range docsOf(t) {
		if filepath.Ext(doc) != ".md" {
			continue // TestMan_everyCommandAndFlag
		}
		text := mdBlock.ReplaceAllString(docText(t, doc), "")
		for _, m := range inlineCommand.FindAllStringSubmatch(strings.ReplaceAll(text, "\n", " "), -1) {
			found++
			all.check(t, doc, m[1])
		}
	}
	if found < 150 {
		t.Errorf("found %d commands", found)
	}
}

// commandLine are the commands that there are, with the flags of each; a group
// of commands has none.
type commandLine map[string][]string

func commandsOf(t *testing.T) commandLine {
	t.Helper()
	all := commandLine{}
	model := modelOf(t)
	for _, n := range model.Leaves(false) {
		flags := []string{"--help"}
		for _, group := range n.AllFlags(false) {
			for _, f := range group {
				flags = append(flags, "--"+f.Name, "--no-"+f.Name)
			}
		}
		all[path(n)] = flags
	}
	for _, n := range model.Children {
		if len(n.Children) > 0 {
			all[n.Name] = nil
		}
	}
	return all
}

// check looks at what stands behind `git agent`.
func (c commandLine) check(t *testing.T, doc, words string) {
	t.Helper()
	words, _, _ = strings.Cut(words+" ", " -- ") // a job's own
	parts := strings.Fields(strings.NewReplacer("|", " ", "[", " ", "]", " ", "=", " ", ",", " ", ":", " ", ".", " ").Replace(words))
	name := strings.Join(parts[:min(2, len(parts))], " ")
	flags, ok := c[name]
	if !ok {
		name = parts[0]
		flags, ok = c[name]
	}
	if !ok {
		t.Errorf("%s: there is no git agent %s", doc, words)
	}
	for _, part := range parts {
		if strings.HasPrefix(part, "--") && flags != nil && !slices.Contains(flags, part) {
			t.Errorf("%s: git agent %s has no %s", doc, name, part)
		}
	}
}
