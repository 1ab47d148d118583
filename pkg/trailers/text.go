package trailers

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// deceptive reports characters that must not stand raw in evidence: control
// characters (C0 with TAB, DEL, C1), the two Unicode line breaks, and the
// bidirectional controls, with which a command can be shown as another one.
func deceptive(r rune) bool {
	switch {
	case unicode.IsControl(r):
		return true
	case r == '\u061c', r == '\u200e', r == '\u200f':
		return true
	case r >= '\u2028' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return false
}

// outerBlank reports blanks that git would trim from a value.
func outerBlank(s string) bool { return s != "" && (space(s[0]) || space(s[len(s)-1])) }

// quoteJSON writes s as a JSON string on one line. encoding/json is not used
// because it leaves DEL, C1 and bidirectional controls raw and disfigures `<`,
// `>` and `&`, which commands are full of. s is UTF-8.
func quoteJSON(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case deceptive(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

func unquoteJSON(written string) (string, error) {
	var s string
	if err := json.Unmarshal([]byte(written), &s); err != nil {
		return "", fmt.Errorf("the command begins with a quote and is no JSON string: %w", err)
	}
	if s == "" {
		return "", fmt.Errorf("the command is empty")
	}
	return s, nil
}

// escapes are the short forms of git's quoted paths (core.quotePath in
// git-config(1)).
var escapes = map[byte]string{
	'\a': `\a`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\v': `\v`, '\f': `\f`,
	'\r': `\r`, '"': `\"`, '\\': `\\`,
}

// quotePath writes a path the way git does in its own output, between double
// quotes and with octal escapes, where it would not survive as it is. A path
// is bytes: it may hold a newline, or no valid UTF-8 at all.
func quotePath(path string) string {
	if utf8.ValidString(path) && !strings.ContainsFunc(path, deceptive) &&
		!outerBlank(path) && path[:1] != `"` {
		return path
	}
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(path) {
		c := path[i]
		switch short, ok := escapes[c]; {
		case ok:
			out.WriteString(short)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// unquotePath reads what quotePath writes.
func unquotePath(written string) (string, error) {
	inner, quoted := strings.CutPrefix(written, `"`)
	if !quoted {
		return written, nil
	}
	inner, closed := strings.CutSuffix(inner, `"`)
	var path []byte
	for inner != "" && closed {
		c, rest, ok := nextByte(inner)
		if !ok {
			closed = false
			break
		}
		path, inner = append(path, c), rest
	}
	if !closed || len(path) == 0 {
		return "", fmt.Errorf("%q is no quoted path", written)
	}
	return string(path), nil
}

// nextByte takes one byte, escaped or not, off the inside of a quoted path.
func nextByte(s string) (c byte, rest string, ok bool) {
	if s[0] != '\\' {
		return s[0], s[1:], s[0] != '"'
	}
	for c, short := range escapes {
		if strings.HasPrefix(s, short) {
			return c, s[len(short):], true
		}
	}
	if len(s) < 4 {
		return 0, "", false
	}
	n, err := strconv.ParseUint(s[1:4], 8, 8)
	return byte(n), s[4:], err == nil
}
