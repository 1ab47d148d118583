package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docBlock is a block of a document that holds commands.
type docBlock struct {
	doc  string // below the top of the project
	mark string // what a comment above it says: `run: quick`
	kind string // sh, console, or nothing
	text string
}

// key names a block by its document and its first line without the comment.
func (b docBlock) key() string {
	first, _, _ := strings.Cut(b.text, "\n")
	first, _, _ = strings.Cut(first, "  ")
	return b.doc + ": " + strings.TrimSpace(first)
}

var (
	mdBlock  = regexp.MustCompile("(?ms)(?:^<!-- ([^\n]*) -->\n)?^ *```([a-z]*)\n(.*?)^ *```$")
	manBlock = regexp.MustCompile(`(?ms)^\.(?:nf|EX)\n(.*?)^\.(?:fi|EE)$`)
	// aCommand is what a person would type of such a block.
	aCommand = regexp.MustCompile(`(?m)^(\$ |git[ -]agent |git log |make |go )`)
)

// docBlocks are the blocks with commands of all documents, the examples of the
// commands' own pages excepted: TestMan_examplesRun types those in.
func docBlocks(t *testing.T) []docBlock {
	t.Helper()
	var found []docBlock
	for _, doc := range docsOf(t) {
		text := docText(t, doc)
		if filepath.Ext(doc) != ".md" {
			text = plainRoff.Replace(text)
			_, body, _ := strings.Cut(text, ".SH DESCRIPTION") // the synopsis is TestMan_everyCommandAndFlag's
			for _, m := range manBlock.FindAllStringSubmatch(body, -1) {
				found = append(found, docBlock{doc: doc, text: m[1]})
			}
			continue
		}
		text, _, _ = strings.Cut(text, "\n## EXAMPLES\n")
		for _, m := range mdBlock.FindAllStringSubmatch(text, -1) {
			found = append(found, docBlock{doc: doc, mark: m[1], kind: m[2], text: m[3]})
		}
	}
	commands := found[:0]
	for _, b := range found {
		if b.kind == "sh" || b.kind == "console" || aCommand.MatchString(b.text) {
			commands = append(commands, b)
		}
	}
	return commands
}

var plainRoff = strings.NewReplacer(`\-`, "-", `\&`, "", `\fB`, "", `\fI`, "", `\fR`, "", `\e`, `\`)

// docsOf are all that a person reads of this project: its Markdown, and the
// man pages that are written by hand.
func docsOf(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(projectTop, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "dist" || d.Name() == "fuzz") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			name, err := filepath.Rel(projectTop, path)
			names = append(names, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	if err != nil || len(names) < 60 {
		t.Fatalf("%d documents, %v", len(names), err)
	}
	for _, page := range byHand {
		names = append(names, "man/"+page)
	}
	return names
}

func docText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(projectTop, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// projectTop is found before a test goes elsewhere.
var projectTop, _ = filepath.Abs(filepath.Join("..", ".."))
