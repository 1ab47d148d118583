package check

import (
	"regexp"
	"strings"
)

var (
	assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	plainName  = regexp.MustCompile(`^[A-Za-z0-9_.+][A-Za-z0-9_.+-]*$`)
)

// firstWord is the plain name that the command line begins with after its
// variable assignments, as the shell splits words (POSIX, Shell Command
// Language, 2.3), or "" where that takes more than splitting: expansions,
// quotes in the name, a path, a group, a redirection. An assignment to PATH
// changes where names are looked up; then nothing is claimed either.
func (c Command) firstWord() string {
	rest := c.Run
	for {
		rest = strings.TrimLeft(rest, " \t\n")
		word, after, ok := cutWord(rest)
		if !ok || strings.HasPrefix(word, "PATH=") {
			return ""
		}
		if !assignment.MatchString(word) {
			if !plainName.MatchString(word) || strings.HasPrefix(strings.TrimLeft(after, " \t"), "(") {
				return "" // the second: a function is defined
			}
			return word
		}
		rest = after
	}
}

// cutWord cuts the first word, quotes included, off line. It gives up on
// command substitution, and on quotes that do not end.
func cutWord(line string) (word, rest string, ok bool) {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		ch := line[i]
		switch {
		case quote == '\'' && ch != '\'':
		case isExpansion(line[i:]):
			return "", "", false
		case ch == '\\':
			i++
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && strings.IndexByte(`'"`, ch) >= 0:
			quote = ch
		case quote == 0 && strings.IndexByte(" \t\n;&|<>()", ch) >= 0:
			return line[:i], line[i:], true
		}
	}
	return line, "", quote == 0
}

// isExpansion reports the openings whose end splitting does not find.
func isExpansion(line string) bool {
	return line[0] == '`' || strings.HasPrefix(line, "$(") || strings.HasPrefix(line, "${")
}
