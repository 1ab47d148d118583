package landing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-agent/git-agent/pkg/trailers"
)

// Prefix begins every marker. It is shared with other programs of this kind,
// and never changes.
const Prefix = "orchestrate: "

// Verb is what a marker says that happened.
type Verb string

// The verbs. A further milestone is one more entry of verbs, and a reader that
// does not know it answers "none".
const (
	Landed   Verb = "landed"
	OpenedPR Verb = "opened PR"
)

// Marker is one milestone of a run, as it stands in a comment or, without
// [Prefix], in a trailer of the plan ref.
type Marker struct {
	Verb   Verb
	SHA    string // Landed: the commit on the target, full when written
	Branch string // Landed: the target, without refs/heads/
	PR     int    // OpenedPR: its number
	Run    string
}

// verbs are the forms: what stands between the prefix and ", run <run>".
var verbs = []struct {
	verb Verb
	key  string // of the trailer
	text func(Marker) (string, error)
	read func(words string, m *Marker) bool
}{
	{Landed, trailers.KeyLanded, landedText, readLanded},
	{OpenedPR, trailers.KeyOpened, openedText, readOpened},
}

// FormatMarker is the one form of a marker, a single line without a newline.
// What [ParseMarker] would not read back is refused.
func FormatMarker(m Marker) (string, error) {
	value, err := m.Value()
	if err != nil {
		return "", err
	}
	return Prefix + value, nil
}

// Value is the marker without its prefix: the value of the trailer.
func (m Marker) Value() (string, error) {
	if err := trailers.ValidID(m.Run); err != nil {
		return "", fmt.Errorf("write a marker: run %q: %w", m.Run, err)
	}
	for _, v := range verbs {
		if v.verb != m.Verb {
			continue
		}
		text, err := v.text(m)
		if err != nil {
			return "", fmt.Errorf("write a marker: %w", err)
		}
		return string(v.verb) + " " + text + ", run " + m.Run, nil
	}
	return "", fmt.Errorf("write a marker: there is no verb %q", m.Verb)
}

// Key is the trailer in which the marker stands on the plan ref.
func (m Marker) Key() string {
	for _, v := range verbs {
		if v.verb == m.Verb {
			return v.key
		}
	}
	return ""
}

// ParseMarker finds the marker in the text of a comment: the first line that is
// one, whole, outside fenced code. Blanks and CR at a line's end do not matter,
// other lines do not either; a quotation, a marker inside a sentence or one with
// anything behind it is none.
func ParseMarker(text string) (Marker, bool) {
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if fence != "" {
			if strings.TrimLeft(line, " ") == fence {
				fence = ""
			}
			continue
		}
		if fence = opensFence(line); fence != "" {
			continue
		}
		if value, ok := strings.CutPrefix(line, Prefix); ok {
			if m, ok := ParseValue(value); ok {
				return m, true
			}
		}
	}
	return Marker{}, false
}

func opensFence(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, fence := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, fence) {
			return fence
		}
	}
	return ""
}

// ParseValue reads a marker without its prefix, as a trailer holds it.
func ParseValue(value string) (Marker, bool) {
	words, run, ok := cutLast(value, ", run ")
	if !ok || trailers.ValidID(run) != nil {
		return Marker{}, false
	}
	for _, v := range verbs {
		rest, ok := strings.CutPrefix(words, string(v.verb)+" ")
		m := Marker{Verb: v.verb, Run: run}
		if ok && v.read(rest, &m) {
			return m, true
		}
	}
	return Marker{}, false
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func landedText(m Marker) (string, error) {
	switch {
	case len(m.SHA) != 40 && len(m.SHA) != 64 || !isHex(m.SHA):
		return "", fmt.Errorf("%q is no full object id", m.SHA)
	case !validBranch(m.Branch):
		return "", fmt.Errorf("%q is no branch", m.Branch)
	}
	return m.SHA + " on " + m.Branch, nil
}

// readLanded takes an abbreviated id too: others wrote such markers.
func readLanded(words string, m *Marker) bool {
	sha, branch, ok := strings.Cut(words, " on ")
	m.SHA, m.Branch = sha, branch
	return ok && len(sha) >= 7 && len(sha) <= 64 && isHex(sha) && validBranch(branch)
}

func openedText(m Marker) (string, error) {
	if m.PR < 1 {
		return "", fmt.Errorf("%d is no number of a pull request", m.PR)
	}
	return "#" + strconv.Itoa(m.PR), nil
}

func readOpened(words string, m *Marker) bool {
	digits, ok := strings.CutPrefix(words, "#")
	n, err := strconv.Atoi(digits)
	m.PR = n
	return ok && err == nil && n > 0 && strconv.Itoa(n) == digits
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// validBranch is the part of git-check-ref-format(1) that keeps a marker one
// line with its words in their places.
func validBranch(name string) bool {
	bad := func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune("~^:?*[\\", r) }
	return name != "" && name[0] != '-' && !strings.ContainsFunc(name, bad) && strings.ToValidUTF8(name, "") == name
}
