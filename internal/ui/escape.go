package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes foreign text safe for one line of a terminal: control
// characters (C0, DEL, C1), bidirectional controls, line separators, other
// invisible format characters and bytes that are not UTF-8 come out as
// \n, \t, \r, \xNN, \uNNNN or \UNNNNNNNN. Backslashes stay as they are, so
// Escape(Escape(s)) == Escape(s); the result is for eyes, not for parsing.
func Escape(s string) string { return escape(s, "") }

// EscapeText is Escape for text of several lines: newlines and tabs stay.
func EscapeText(s string) string { return escape(s, "\n\t") }

func escape(s, keep string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else if isSafe(r) || strings.ContainsRune(keep, r) {
			b.WriteString(s[:size])
		} else {
			b.WriteString(visible(r))
		}
		s = s[size:]
	}
	return b.String()
}

// isPlain is the quick answer for what nearly every path is.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func visible(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r < utf8.RuneSelf:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// isSafe tells characters that only show themselves from those that change
// how others are shown. The two joiners are format characters that real
// words (Persian, emoji) need and that reorder nothing.
func isSafe(r rune) bool {
	if r < 0x7f {
		return r >= ' ' // nearly all there is
	}
	const zwnj, zwj = 0x200c, 0x200d
	if r == zwnj || r == zwj {
		return true
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
