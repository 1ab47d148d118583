package trailers

import "strings"

// This file is git's own rule for where a trailer block is, as `git log
// --format=%(trailers)` of git 2.39 applies it with no configuration
// (git-interpret-trailers(1), plus what only experiment shows: comments,
// scissors and the old conflicts list). Sentences of the manual are quoted in
// the comments; the tests hold the result against git itself.

// scissors is the line below which git-commit(1) sees nothing. Git's trailer
// reader honours it too, anywhere in a message.
const scissors = "------------------------ >8 ------------------------"

// gitSpace are git's own white space characters: no vertical tab, no form
// feed, whatever the locale.
const gitSpace = " \t\n\r"

// span is the part of a message that holds the block, in bytes.
type span struct{ start, end int }

// empty reports whether git reads no block at all.
func (s span) empty() bool { return s.start >= s.end }

// lead drops what git drops before it looks: everything from the first NUL
// on, and blank lines at the top.
func lead(message string) string {
	if i := strings.IndexByte(message, 0); i >= 0 {
		message = message[:i]
	}
	for message != "" {
		line := firstLine(message)
		if !blank(line) {
			break
		}
		message = message[len(line):]
	}
	return message
}

// locate finds the block in a message that went through [lead]. "The group
// must be preceded by one or more empty (or whitespace-only) lines" and "be at
// the end of the message".
func locate(text string) span {
	end := ignoredTail(text)
	text = text[:end]
	title := titleEnd(text)
	count := tally{}
	for at := end; at > title; {
		begin := lineStart(text, at)
		line := text[begin:at]
		if blank(line) && !comment(line) {
			if count.begun {
				if count.isBlock() {
					return span{at, end}
				}
				return span{end, end}
			}
		} else {
			count.add(line)
		}
		at = begin
	}
	return span{end, end}
}

// titleEnd is where the first blank line begins: "the first paragraph is the
// title and cannot be trailers".
func titleEnd(text string) int {
	at := 0
	for at < len(text) {
		line := firstLine(text[at:])
		if blank(line) {
			break
		}
		at += len(line)
	}
	return at
}

// tally counts the lines of a paragraph that is read from its end upwards.
type tally struct {
	begun        bool // a line that is neither blank nor a comment was seen
	recognized   bool // one that git itself writes was seen
	trailers     int
	others       int
	continuation int // indented lines not yet owned by a line above
}

func (t *tally) add(line string) {
	if comment(line) {
		t.disown()
		return
	}
	t.begun = true
	switch {
	case strings.HasPrefix(line, "Signed-off-by: "),
		strings.HasPrefix(line, "(cherry picked from commit "):
		t.recognized = true
		t.trailers++
		t.continuation = 0
	case indented(line):
		t.continuation++
	case separator(line) >= 1:
		t.trailers++
		t.continuation = 0
	default:
		t.others++
		t.disown()
	}
}

// disown counts indented lines without a trailer above them as plain text.
func (t *tally) disown() {
	t.others += t.continuation
	t.continuation = 0
}

// isBlock is the rule proper: "either (i) all lines are trailers, or (ii) it
// contains at least one Git-generated trailer and at least 25% trailers".
func (t *tally) isBlock() bool {
	t.disown()
	if t.recognized && t.trailers*3 >= t.others {
		return true
	}
	return t.trailers > 0 && t.others == 0
}

// ignoredTail is the length of text without what git ignores at its end: all
// below a scissors line, then trailing comments, empty lines and the
// `Conflicts:` list that old versions of git-merge(1) wrote.
func ignoredTail(text string) int {
	cut := scissorsAt(text)
	if !ignorable(text[:cut]) {
		return cut
	}
	tail, conflicts := 0, false
	for at := 0; at < cut; {
		line := firstLine(text[at:])
		switch {
		case comment(line) || line[0] == '\n':
			tail = either(tail, at)
		case line == "Conflicts:\n":
			conflicts = true
			tail = either(tail, at)
		case conflicts && line[0] == '\t':
		case tail != 0: // the list survives text below a `Conflicts:` title
			tail = 0
			conflicts = false
		}
		at += len(line)
	}
	return either(tail, cut)
}

// ignorable reports whether the last line may be one that git ignores.
func ignorable(text string) bool {
	if text == "" {
		return false
	}
	line := text[lineStart(text, len(text)):]
	return comment(line) || line[0] == '\n' || line[0] == '\t' || line == "Conflicts:\n"
}

// either is a where it is set, else b. Zero is "not set", also for a tail
// that would begin at the first byte: git has the same blind spot.
func either(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

// scissorsAt is where the first scissors line begins, or the length of text.
// Unfinished (without a newline) it is no scissors line.
func scissorsAt(text string) int {
	const line = "# " + scissors + "\n"
	if strings.IndexByte(text, '#') < 0 {
		return len(text)
	}
	if strings.HasPrefix(text, line) {
		return 0
	}
	if i := strings.Index(text, "\n"+line); i >= 0 {
		return i + 1
	}
	return len(text)
}

// separator is the place of the colon that ends a key: letters, digits and
// hyphens, then optional blanks. It is -1 in a line that is no trailer.
func separator(line string) int {
	blanks := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == ':':
			return i
		case !blanks && keyByte(c):
		case i > 0 && (c == ' ' || c == '\t'):
			blanks = true
		default:
			return -1
		}
	}
	return -1
}

func keyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-'
}

// firstLine is the first line of text with its newline, if it has one.
func firstLine(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

// lineStart is where the line begins whose end (after its newline) is end.
func lineStart(text string, end int) int {
	return strings.LastIndexByte(text[:end-1], '\n') + 1
}

// blank is asked of every line of a history; a loop is what that costs least.
func blank(line string) bool {
	for i := 0; i < len(line); i++ {
		if !space(line[i]) {
			return false
		}
	}
	return true
}

// trim is strings.Trim with gitSpace, which would build a set of it each time.
func trim(s string) string {
	for s != "" && space(s[0]) {
		s = s[1:]
	}
	for s != "" && space(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func comment(line string) bool { return line != "" && line[0] == '#' }

func indented(line string) bool { return space(line[0]) }
