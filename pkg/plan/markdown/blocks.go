package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

var filesTitle = lazy(`(?i)^\W*(files?|touches|paths|modified files|files to (change|modify|create|touch))\W*$`)

func isFiles(line string) bool { return filesTitle().MatchString(strings.TrimSpace(line)) }

// beside is an item without a box in a list that has some: a file, or text.
func (w *walk) beside(n ast.Node) {
	raw := w.raw(n)
	if w.begun || fileVerb().MatchString(raw) {
		if w.step == nil {
			w.files = append(w.files, findPaths(raw)...)
		} else {
			w.step.Files = append(w.step.Files, findPaths(raw)...)
		}
	}
	w.tell("- " + raw)
}

var fileVerb = lazy(`(?i)^\W*(create|modify|update|edit|test|tests|delete|remove|add|change|move|rename)\b:?`)

// isFileList: announced by "Files:", or every item is a verb and a path.
func (w *walk) isFileList(n *ast.List) bool {
	if w.boxes(n) {
		return false
	}
	all := true
	for one := n.FirstChild(); one != nil; one = one.NextSibling() {
		line := w.raw(one)
		paths := findPaths(line)
		all = all && len(paths) > 0 && (fileVerb().MatchString(line) || strings.Trim(line, "`- ") == paths[0])
	}
	begun := w.begun
	w.begun = false
	return begun || all && w.mode != byBullet
}

func (w *walk) fileList(n *ast.List) {
	paths := findPaths(w.raw(n))
	if w.step == nil || w.mode == byTask {
		w.files = append(w.files, paths...)
	}
	if w.step != nil {
		w.step.Files = append(w.step.Files, paths...)
	} else {
		w.intro = append(w.intro, w.raw(n))
		return
	}
	w.tell(w.raw(n))
}

// block is everything else: it belongs to the step, else to what is before it.
func (w *walk) block(n ast.Node) {
	raw := w.raw(n)
	if code, ok := n.(*ast.FencedCodeBlock); ok {
		language := string(code.Language(w.source))
		w.check(fencedCommands(language, raw))
		raw = "```" + language + "\n" + raw + "\n```"
	}
	line, rest, _ := strings.Cut(raw, "\n")
	if isFiles(line) {
		w.begun = rest == ""
		if rest == "" {
			return
		}
	}
	if _, paragraph := n.(*ast.Paragraph); paragraph {
		if commands := commandLines(raw, false); commands != nil {
			w.check(commands)
		} else {
			w.learn(raw)
		}
	}
	w.tell(raw)
}

// learn takes commands out of sentences, and paths where no list names any.
func (w *walk) learn(text string) {
	w.check(spokenCommands(text))
	if w.step != nil {
		w.step.Files = append(w.step.Files, findPaths(withoutCommands(text))...)
	}
}

// withoutCommands drops quoted commands: what they read is not touched.
func withoutCommands(text string) string {
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllStringFunc(text, func(quoted string) string {
		if looksLikeCommand(strings.Trim(quoted, "`")) {
			return " "
		}
		return quoted
	})
}
