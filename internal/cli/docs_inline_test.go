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

// inlineCommands are those of all Markdown, with the documents that have them.
func inlineCommands(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, doc := range docsOf(t) {
		if filepath.Ext(doc) != ".md" {
			continue // TestMan_everyCommandAndFlag
		}
		text := mdBlock.ReplaceAllString(docText(t, doc), "")
		for _, m := range inlineCommand.FindAllStringSubmatch(strings.Join(strings.Fields(text), " "), -1) {
			found[m[1]] = append(found[m[1]], doc)
		}
	}
	if len(found) < 70 {
		t.Errorf("found %d commands", len(found))
	}
	return found
}

// TestDocs_inlineCommandsExist: what a sentence tells a person to type is a
// command, with flags that it has.
func TestDocs_inlineCommandsExist(t *testing.T) {
	all := commandsOf(t)
	for command, docs := range inlineCommands(t) {
		all.check(t, docs[0], command)
	}
}

// onlyNamed are flags that a sentence is about, without their value.
var onlyNamed = []string{"check --repeat", "step --note", "land --mode pr --through", "rollback --push"}

// TestDocs_inlineCommandsRun types in each that is whole, in a world where run
// r-1 has one certified step. It may be refused, but not for being wrong.
func TestDocs_inlineCommandsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("the run without -short takes them")
	}
	first, all, ran := newWorld(t), commandsOf(t), 0
	first.must("begin; one; cp ../plan.yaml .; echo '- [ ] write it' > notes.md; mkdir ../bin; ln -s /bin/true ../bin/cmd")
	for command := range inlineCommands(t) {
		_, name := all[command]
		if name || command == "demo" || slices.Contains(onlyNamed, command) || strings.ContainsAny(command, "<[…|") || strings.HasSuffix(command, "--") {
			continue
		}
		ran++
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.copy(first.dir, w.dir)
			w.must("git remote set-url origin file://$W/work.git")
			typed := strings.NewReplacer("RUN", "r-1", "FILE", "plan.yaml", "$step", "s02").Replace(command)
			if out, errs, code := w.sh(stubsFirst + "git agent " + typed); code == 2 || code >= 126 {
				t.Errorf("ends with %d:\n%s%s", code, out, errs)
			}
		})
	}
	if ran < 15 {
		t.Errorf("ran %d commands", ran)
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
