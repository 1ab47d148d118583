package verify

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Update is one ref that a push moves. Ids are "" where there is none: New of
// a deleted ref, Old of a new one.
type Update struct {
	// Label is the local side as the person typed it; it may be anything and
	// is never asked of git. Only a full branch name in it is used, for people.
	Label    string
	Ref      string // on the receiving side, in full
	Old, New string
}

// maxLine bounds a line of the input: two ids, a ref name, a label.
const maxLine = 1 << 20

// ReadPrePush reads what git gives a pre-push hook (githooks(5)): `<local ref>
// <local oid> <remote ref> <remote oid>` lines. The local ref may hold blanks
// (`HEAD@{1 day ago}`), so a line is read from its end. No line at all is
// fine: everything is up to date, or git refuses the push by itself.
func ReadPrePush(r io.Reader) ([]Update, error) {
	return readLines(r, func(f []string) (Update, bool) {
		n := len(f)
		if n < 4 {
			return Update{}, false
		}
		return Update{Label: strings.Join(f[:n-3], " "), New: f[n-3], Ref: f[n-2], Old: f[n-1]}, true
	})
}

// ReadPreReceive reads what git gives a pre-receive hook: `<old> <new> <ref>`.
func ReadPreReceive(r io.Reader) ([]Update, error) {
	return readLines(r, func(f []string) (Update, bool) {
		if len(f) != 3 {
			return Update{}, false
		}
		return Update{Old: f[0], New: f[1], Ref: f[2]}, true
	})
}

// NewUpdate is one ref as git gives it to an update hook.
func NewUpdate(ref, old, id string) (Update, error) {
	u := Update{Ref: ref, Old: old, New: id}
	return u.checked()
}

func readLines(r io.Reader, parse func(fields []string) (Update, bool)) ([]Update, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var updates []Update
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		u, ok := parse(strings.Split(lines.Text(), " "))
		if !ok {
			return nil, fmt.Errorf("%q is no line that git gives to this hook", lines.Text())
		}
		u, err := u.checked()
		if err != nil {
			return nil, err
		}
		updates = append(updates, u)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the hook's input: %w", err)
	}
	return updates, nil
}

// checked turns git's "there is none" into "" and refuses what is no id. The
// zero id has as many digits as the repository's hash: 40 or 64.
func (u Update) checked() (Update, error) {
	for _, id := range []*string{&u.Old, &u.New} {
		if (len(*id) != 40 && len(*id) != 64) || strings.Trim(*id, "0123456789abcdef") != "" {
			return Update{}, fmt.Errorf("%q is no object id (of %q)", *id, u.Ref)
		}
		if strings.Trim(*id, "0") == "" {
			*id = ""
		}
	}
	if !strings.HasPrefix(u.Ref, "refs/") {
		return Update{}, fmt.Errorf("%q is no full ref name", u.Ref)
	}
	return u, nil
}
