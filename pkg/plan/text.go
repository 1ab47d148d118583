package plan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkLine judges a text that stands on one line of a commit message.
func (t *tree) checkLine(v *value) {
	s, ok := v.text()
	if !ok {
		return
	}
	bad := strings.IndexFunc(s, func(r rune) bool { return unicode.IsControl(r) || hidden(r) })
	switch {
	case strings.TrimSpace(s) == "":
		t.report(v, "%s is empty", v.label())
	case strings.ContainsAny(s, "\r\n"):
		t.report(v, "%s must stand on one line; what is longer belongs into brief", v.label())
	case bad >= 0:
		t.report(v, "%s holds the character %U, which does not print", v.label(), runeAt(s, bad))
	case strings.TrimSpace(s) != s:
		t.report(v, "%s begins or ends with a blank: %q", v.label(), s)
	}
}

// checkCommand judges a command: there must be something to run, and a person
// who reads it before trusting it must see what is there.
func (t *tree) checkCommand(v *value) {
	s, ok := v.text()
	if !ok {
		return
	}
	if strings.TrimSpace(s) == "" {
		t.report(v, "%s is a blank command; a command that does nothing proves nothing", v.label())
		return
	}
	t.checkShown(v, "the command")
}

// maxArgument is how many bytes a command, or a variable's value, may have. The
// system takes 131,071 of one argument, and the schema counts characters.
const maxArgument = 100_000

// checkShown refuses what the system would not take, and characters that hide a
// text from the one who reads it.
func (t *tree) checkShown(v *value, what string) {
	s, _ := v.text()
	if len(s) > maxArgument && utf8.RuneCountInString(s) <= maxArgument {
		t.report(v, "%s has %d bytes; at most %d are allowed; put what is long into a file of the repository", what, len(s), maxArgument)
	}
	bad := strings.IndexFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || hidden(r))
	})
	if bad >= 0 {
		t.report(v, "%s holds the character %U, which does not print; let the command make it, by printf say", what, runeAt(s, bad))
	}
}

// checkFree judges free text, which only must fit an environment and a file.
func (t *tree) checkFree(v *value) {
	if s, _ := v.text(); strings.ContainsRune(s, 0) {
		t.report(v, "%s holds a NUL character", v.label())
	}
}

// hidden are the characters that reorder or break a line on the screen: the
// bidirectional controls (CVE-2021-42574) and Unicode's own line ends.
func hidden(r rune) bool {
	switch {
	case r == 0x061c, r == 0x200e, r == 0x200f, r == 0x2028, r == 0x2029:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func runeAt(s string, i int) rune {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}
