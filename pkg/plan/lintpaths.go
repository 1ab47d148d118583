package plan

import (
	"path"
	"slices"
	"strings"
)

// judgeWords looks for words of a check that name a path which the step does
// not declare: a change there would not make the check run again.
func (l *linter) judgeWords(i, k int, commands []simple) {
	told := map[string]bool{}
	for _, c := range commands {
		for _, word := range pathWords(c) {
			name, dir, ok := l.asPath(word, l.plan.Steps[i].Check[k].Dir, i)
			if !ok || told[name] || l.covers(i, name, dir) {
				continue
			}
			told[name] = true
			l.undeclared(i, k, name, dir)
		}
	}
}

func (l *linter) undeclared(i, k int, name string, dir bool) {
	entry := name
	if dir {
		entry += "/**"
	}
	who := "nothing declares"
	for j, p := range l.declared {
		if j != i && (p.Match(name) || dir && p.Match(name+"/any")) {
			who = "step " + l.plan.Steps[j].ID + " declares and this step does not"
			break
		}
	}
	l.add(i, l.checkNode(i, k), LintUndeclared, "reads: "+FlowList([]string{entry}), "the check reads %q, which %s: a change there does not make it run again", entry, who)
}

// judgeSeen tells what the checks of a step were seen to read.
func (l *linter) judgeSeen(i int) {
	if seen := l.facts.Seen[l.plan.Steps[i].ID]; len(seen) > 0 {
		l.add(i, l.step(i).field("check").position(), LintUndeclared, "reads: "+FlowList(seen),
			"the checks were seen to read %s, which the step does not declare", strings.Join(seen, ", "))
	}
}

// FlowList writes entries of touches or reads as a YAML list in brackets.
func FlowList(entries []string) string {
	out := slices.Clone(entries)
	for i, entry := range out {
		if strings.ContainsAny(entry, "*?[]{},#&!|>'\"%@` :") {
			out[i] = quoteYAML(entry)
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// pathWords are the words of a command that may name files.
func pathWords(c simple) []string {
	if slices.Contains([]string{"echo", "printf", "command", "type", "which", "cd", "mkdir", "touch", "rm", ":"}, c.name()) {
		return nil
	}
	words := c.args()
	if slices.Contains([]string{"grep", "egrep", "fgrep", "rg", "sed", "awk", "jq"}, c.name()) && !c.has("-e", "-f") {
		for n, w := range words { // the first operand is a pattern
			if !strings.HasPrefix(w, "-") {
				words = append(slices.Clone(words[:n]), words[n+1:]...)
				break
			}
		}
	}
	if strings.Contains(c.words[0], "/") {
		words = append([]string{c.words[0]}, words...)
	}
	return words
}

// asPath is a word as a path of the repository. Without knowledge of the tree a
// word is one that has a slash inside; with it, one that is there, or that a
// step makes.
func (l *linter) asPath(word, in string, step int) (name string, dir, ok bool) {
	if option, value, has := strings.Cut(word, "="); has && strings.HasPrefix(option, "-") {
		word = value
	}
	word, _, _ = strings.Cut(word, "::") // a test in a file
	before, wild := strings.CutSuffix(word, "/...")
	word = before
	if at := strings.IndexAny(word, "*?["); at >= 0 {
		word, wild = word[:strings.LastIndexByte("/"+word[:at], '/')], true
		word = strings.TrimPrefix(word, "/")
	}
	if word == "" || strings.ContainsAny(word[:1], "-/~@") || strings.ContainsAny(word, "$`(){}<>|;&'\"\\= \t\n,:^!%") {
		return "", false, false
	}
	name = path.Join(in, word)
	if name == "." || strings.HasPrefix(name, "..") || checkRelative(name, name) != nil {
		return "", false, false
	}
	if l.facts.Tracked == nil {
		return name, wild || strings.HasSuffix(word, "/"), strings.Contains(strings.TrimPrefix(word, "./"), "/")
	}
	dir = l.tracked.HasUnder(name)
	return name, dir || wild, dir || l.tracked.Has(name) || l.madeBefore(name, step)
}

// madeBefore reports whether an earlier step names the path exactly.
func (l *linter) madeBefore(name string, step int) bool {
	return slices.ContainsFunc(l.touches[:step], func(p Paths) bool { return p.Exact(name) })
}

// covers reports whether the step declares the path; a folder is declared where
// a new file in it would be, or where each of its files is.
func (l *linter) covers(i int, name string, dir bool) bool {
	p := l.declared[i]
	if !dir {
		return p.Match(name)
	}
	if p.Match(name+"/any") || p.Exact(name) {
		return true
	}
	files := 0
	for file := range l.tracked.under(name) {
		if !p.Match(file) {
			return false
		}
		files++
	}
	return files > 0
}
