package ui

import (
	"unicode"

	"golang.org/x/text/width"
)

// displayWidth is the number of terminal columns of an escaped text: two for
// wide East Asian characters and emoji, none for combining marks. Sequences
// that a terminal may join into one picture count as their parts.
func displayWidth(s string) int {
	if isPlain(s) {
		return len(s)
	}
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	if r < 0x300 { // nothing combines and nothing is wide below
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// truncate cuts an escaped text to at most limit columns, the ellipsis
// included; where not even that fits, the ellipsis is cut.
func truncate(s string, limit int, ellipsis string) string {
	if displayWidth(s) <= limit {
		return s
	}
	room := limit - displayWidth(ellipsis)
	if room < 0 {
		return prefix(ellipsis, limit)
	}
	return prefix(s, room) + ellipsis
}

// prefix is the longest start of s of at most limit columns, with the
// combining marks of its last character.
func prefix(s string, limit int) string {
	n := 0
	for i, r := range s {
		if n += runeWidth(r); n > limit {
			return s[:i]
		}
	}
	return s
}
