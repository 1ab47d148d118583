package trailers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format writes a message: subject, body and one trailer block, apart by one
// blank line, ending in one newline. No value is ever folded.
//
// The subject loses outer blanks, the body blank lines at either end. Nothing
// else is changed; what would not be read back as it is, is refused, every
// fault at once (one a line):
//
//   - an empty subject, or one of several lines;
//   - control characters and invalid UTF-8 (a body may hold newlines and TABs);
//   - a key other than a letter followed by letters, digits and hyphens; a
//     value that is empty or has outer blanks;
//   - lines at which git or its mail tools would cut the message off:
//     scissors, `---`, `--- <name>`, `diff -…`, `Index: …`. [Escape] makes a
//     body fit;
//   - a body that git would take for the trailers.
//
// Parse(Format(m)) is m, so git reads exactly m.Trailers.
func Format(m Message) (string, error) {
	m.Subject = strings.Trim(m.Subject, gitSpace)
	m.Body = trimBlankLines(m.Body)
	faults := slices.Concat(subjectFaults(m.Subject), bodyFaults(m.Body), blockFaults(m.Trailers))
	text := assemble(m)
	faults = append(faults, cutFaults(text)...)
	if len(faults) == 0 && !same(Parse(text), m) {
		faults = append(faults, errors.New("git would read another trailer block out of this message: "+
			"the last paragraph of the body looks like trailers"))
	}
	if len(faults) > 0 {
		return "", errors.Join(faults...)
	}
	return text, nil
}

func same(a, b Message) bool {
	return a.Subject == b.Subject && a.Body == b.Body && slices.Equal(a.Trailers, b.Trailers)
}

func assemble(m Message) string {
	paragraphs := []string{m.Subject}
	if m.Body != "" {
		paragraphs = append(paragraphs, m.Body)
	}
	if len(m.Trailers) > 0 {
		lines := make([]string, len(m.Trailers))
		for i, t := range m.Trailers {
			lines[i] = t.Key + ": " + t.Value
		}
		paragraphs = append(paragraphs, strings.Join(lines, "\n"))
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}

func subjectFaults(subject string) []error {
	if subject == "" {
		return []error{errors.New("the subject is empty")}
	}
	return textFaults("the subject", subject, "")
}

func bodyFaults(body string) []error { return textFaults("the body", body, "\n\t") }

func blockFaults(block []Trailer) []error {
	var faults []error
	for _, t := range block {
		if !validKey(t.Key) {
			faults = append(faults, fmt.Errorf("%q is no trailer key (a letter, then letters, digits, hyphens)", t.Key))
		}
		if t.Value == "" {
			faults = append(faults, fmt.Errorf("the value of %q is empty", t.Key))
		}
		if outerBlank(t.Value) {
			faults = append(faults, fmt.Errorf("the value of %q begins or ends with a blank: %q", t.Key, t.Value))
		}
		faults = append(faults, textFaults(fmt.Sprintf("the value of %q", t.Key), t.Value, "")...)
	}
	return faults
}

// validKey is narrower than what git reads: a key that begins with a hyphen
// could make a line of dashes.
func validKey(key string) bool {
	for i := range len(key) {
		if !keyByte(key[i]) {
			return false
		}
	}
	return key != "" && key[0] != '-' && (key[0] < '0' || key[0] > '9')
}

// textFaults names the first control character outside allowed, and invalid
// UTF-8.
func textFaults(what, text, allowed string) []error {
	var faults []error
	if !utf8.ValidString(text) {
		faults = append(faults, fmt.Errorf("%s is not UTF-8: %q", what, text))
	}
	bad := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(allowed, r) }
	if i := strings.IndexFunc(text, bad); i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		faults = append(faults, fmt.Errorf("%s holds the control character %U", what, r))
	}
	return faults
}

// cutFaults names every line at which git would stop reading.
func cutFaults(text string) []error {
	var faults []error
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		if cuts(line) {
			faults = append(faults, fmt.Errorf("line %d, %q: git or git am would cut the message off there", n, line))
		}
	}
	return faults
}

// cuts recognises the lines that end a message for somebody: scissors behind
// any comment character (git-commit(1), `--cleanup=scissors`), and where a
// patch begins for `git am` and `git interpret-trailers` (git-mailinfo(1)).
func cuts(line string) bool {
	if strings.HasPrefix(line, "diff -") || strings.HasPrefix(line, "Index: ") {
		return true
	}
	if after, ok := strings.CutPrefix(line, "---"); ok {
		return blank(after) || after[0] == ' ' || after[0] == '\t'
	}
	return strings.HasSuffix(line, scissors) && !blank(line[:1])
}

// Escape makes free text fit for a body, for text that somebody else wrote:
// lines at which git would cut the message off are indented by one space, CRLF
// becomes LF, other control characters become visible (`\x1b`), and what is
// not UTF-8 becomes U+FFFD. Text that [Format] accepts comes back unchanged.
func Escape(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\ufffd")
	var out strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		if cuts(line) {
			out.WriteByte(' ')
		}
		for _, r := range line {
			if unicode.IsControl(r) && r != '\t' {
				fmt.Fprintf(&out, `\x%02x`, r)
			} else {
				out.WriteRune(r)
			}
		}
	}
	return out.String()
}
