package markdown

import (
	"slices"
	"strings"
	"unicode"
)

var (
	bullet  = lazy(`(?m)^([ \t]*)[•●▪◦‣·–] +`)
	task    = lazy(`^(?:#{1,6} +)?(?:\*\*)?((?:Task|Step|Phase|Milestone|Part)\s+[0-9]+[a-z]?(?:\.[0-9]+)*)\s*[:.)–—-]\s*(.+?)(?:\*\*)?\s*$`)
	heading = lazy(`(?m)^#{1,6} +\S`)
	fence   = lazy("^ {0,3}(```|~~~)")
	item    = lazy(`^\s*(?:[-*+]|[0-9]+[.)])\s`)
)

// prepare turns what a copy leaves of Markdown back into Markdown: bullets of
// typography into hyphens, and, in a text without any heading, lines that stand
// alone and look like headings.
func prepare(text string) string {
	text = bullet().ReplaceAllString(text, "$1- ")
	plain := !heading().MatchString(text)
	lines := strings.Split(text, "\n")
	inner := hasTasks(lines)
	fenced := false
	for i, line := range lines {
		if fence().MatchString(line) {
			fenced = !fenced
		}
		if fenced || !alone(lines, i) || strings.HasPrefix(line, "#") || item().MatchString(line) {
			continue
		}
		switch {
		case inner && stepLine().MatchString(line): // a part of a task
		case task().MatchString(line):
			lines[i] = "### " + line
		case plain && looksLikeHeading(line):
			lines[i] = "## " + line
		}
	}
	return strings.Join(lines, "\n")
}

var stepLine = lazy(`^\W*Step\s`)

// hasTasks: lines that begin with "Step" are then parts of one that begins with
// "Task", or "Phase", or the like.
func hasTasks(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return task().MatchString(line) && !stepLine().MatchString(line) })
}

// alone: nothing stands right above or below.
func alone(lines []string, i int) bool {
	empty := func(i int) bool { return i < 0 || i >= len(lines) || strings.TrimSpace(lines[i]) == "" }
	return !empty(i) && empty(i-1) && empty(i+1)
}

// looksLikeHeading is for plain text: short, begins with a capital, ends like no
// sentence and is no command.
func looksLikeHeading(line string) bool {
	line = strings.TrimRight(line, " ")
	runes := []rune(line)
	if len(runes) == 0 || len(runes) > 70 || !unicode.IsUpper(runes[0]) || strings.ContainsAny(line, "\t`|=") {
		return false
	}
	return !strings.ContainsRune(".:,;!?", runes[len(runes)-1]) && len(strings.Fields(line)) <= 10
}
