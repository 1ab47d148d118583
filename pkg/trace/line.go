package trace

import (
	"strings"
)

// call is one system call of a recording.
type call struct {
	pid    string
	name   string
	args   []string
	result string // behind the last "=", e.g. "3</etc/passwd>" or "-1 ENOENT (…)"
}

// ok reports that the kernel did it.
func (c call) ok() bool { return c.result != "" && c.result[0] >= '0' && c.result[0] <= '9' }

func (c call) arg(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// lines joins calls that another process's line cut in two.
type lines struct{ unfinished map[string]string }

// next reads one line; done is false where it is no whole call (yet).
func (l *lines) next(line string) (c call, done bool) {
	pid, rest, ok := strings.Cut(line, " ")
	if !ok {
		return call{}, false
	}
	rest = strings.TrimLeft(rest, " ")
	if before, cut := strings.CutSuffix(rest, "<unfinished ...>"); cut {
		l.unfinished[pid] = before
		return call{}, false
	}
	if _, after, resumed := strings.Cut(rest, " resumed>"); resumed && strings.HasPrefix(rest, "<... ") {
		rest = l.unfinished[pid] + after
		delete(l.unfinished, pid)
	}
	return parseCall(pid, rest)
}

// parseCall reads `name(args) = result`.
func parseCall(pid, text string) (c call, ok bool) {
	name, rest, found := strings.Cut(text, "(")
	if !found || name == "" || strings.ContainsAny(name, " +-") {
		return call{}, false // a signal, an exit
	}
	c = call{pid: pid, name: name}
	var end int
	c.args, end = splitArgs(rest)
	if end < 0 {
		return call{}, false
	}
	_, c.result, found = strings.Cut(rest[end:], "= ")
	return c, found
}

// splitArgs cuts at the commas of the outermost level, up to the parenthesis
// that closes; end is behind that, -1 where there is none.
func splitArgs(text string) (args []string, end int) {
	depth, begin := 0, 0
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '"':
			i = closing(text, i, '"')
		case ch == '<' && i > 0 && isFD(text[i-1]):
			i = closing(text, i, '>')
		case strings.IndexByte("([{", ch) >= 0:
			depth++
		case ch == ')' && depth == 0:
			return append(args, strings.TrimSpace(text[begin:i])), i + 1
		case strings.IndexByte(")]}", ch) >= 0:
			depth--
		case ch == ',' && depth == 0:
			args = append(args, strings.TrimSpace(text[begin:i]))
			begin = i + 1
		}
	}
	return nil, -1
}

// isFD is the last character of what carries a path behind it: a descriptor's
// number or AT_FDCWD.
func isFD(ch byte) bool { return ch >= '0' && ch <= '9' || ch == 'D' }

// closing is where a quoted text, or a path behind a descriptor, ends.
func closing(text string, from int, mark byte) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case mark:
			return i
		}
	}
	return len(text)
}

// quoted is the content of a string argument; ok is false for a pointer, and
// for a text that strace cut short.
func quoted(arg string) (text string, ok bool) {
	if len(arg) < 2 || arg[0] != '"' || arg[len(arg)-1] != '"' {
		return "", false
	}
	return unescape(arg[1 : len(arg)-1]), true
}

// behind is the path that strace wrote behind a descriptor, "" for none or for
// what is no path (a socket, a pipe).
func behind(arg string) string {
	_, rest, ok := strings.Cut(arg, "<")
	if !ok || !strings.HasPrefix(rest, "/") {
		return ""
	}
	return unescape(rest[:closing(rest, -1, '>')])
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'v': '\v', 'f': '\f', 'a': 7, 'b': 8, '\\': '\\', '"': '"'}

// unescape undoes strace's escapes: those of C, numbers in octal.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		if ch, known := escapes[text[i]]; known {
			out.WriteByte(ch)
			continue
		}
		value, digits := 0, 0
		for ; digits < 3 && i+digits < len(text) && text[i+digits] >= '0' && text[i+digits] <= '7'; digits++ {
			value = value*8 + int(text[i+digits]-'0')
		}
		if digits == 0 {
			out.WriteByte(text[i])
			continue
		}
		out.WriteByte(byte(value))
		i += digits - 1
	}
	return out.String()
}
