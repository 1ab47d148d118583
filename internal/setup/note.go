package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/git-agent/git-agent/internal/setup/jsonc"
)

// note is what was inserted into a file, so that exactly that can be taken out.
// It holds places and no content: settings may hold secrets.
type note struct {
	Path    string     `json:"path"`
	After   string     `json:"after"` // sha256 of the text that it describes
	Made    bool       `json:"made,omitempty"`
	Folders []string   `json:"folders,omitempty"`
	Rounds  [][]length `json:"rounds,omitempty"` // one for each time something was inserted
	// Edited: before those something was inserted whose place is not known any more.
	Edited bool `json:"edited,omitempty"`
	// Theirs are digests of a person's own entries that look like ours.
	Theirs []string `json:"theirs,omitempty"`

	first bool // there was none
}

// length is an insertion: so many bytes at a place of the text after its round.
type length struct {
	At  int `json:"at"`
	Len int `json:"len"`
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func noteName(at *place) string { return "setup/" + digest([]byte(at.real))[:32] + ".json" }

// noteOf is the note about the text as it is; without one, an empty note and
// false. A note about another text is of no use.
func (s *Setup) noteOf(at *place) (n note, known bool, err error) {
	data, err := s.Notes.Read(noteName(at))
	if errors.Is(err, fs.ErrNotExist) {
		return note{Path: at.real, first: true}, false, nil
	}
	if err != nil {
		return note{}, false, fmt.Errorf("read what was set up: %w", err)
	}
	_ = json.Unmarshal(data, &n) // a torn note is one that does not fit
	if n.After == digest(at.text) && n.Path == at.real {
		return n, true, nil
	}
	return note{Path: at.real, Made: n.Made, Folders: n.Folders, Theirs: n.Theirs, Edited: n.Edited || n.Rounds != nil}, false, nil
}

// saveNote keeps a note that says anything, of the text as it is.
func (s *Setup) saveNote(at *place, n note, text []byte) error {
	n.After = digest(text)
	if n.Rounds == nil && !n.Made && !n.Edited && n.Theirs == nil {
		return s.Notes.Remove(noteName(at))
	}
	data, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	return s.Notes.Write(noteName(at), append(data, '\n'))
}

// add notes changes that only insert.
func (n *note) add(changes []jsonc.Change) {
	var round []length
	moved := 0
	for _, c := range changes {
		round = append(round, length{c.At + moved, len(c.Text)})
		moved += len(c.Text)
	}
	n.Rounds = append(n.Rounds, round)
}

// takeOut gives the text as it was before the first round; ok is false where the
// note does not fit.
func (n *note) takeOut(text []byte) (before []byte, ok bool) {
	for i := len(n.Rounds) - 1; i >= 0; i-- {
		var cuts []jsonc.Change
		end := 0
		for _, l := range n.Rounds[i] {
			if l.At < end || l.Len < 0 || l.At+l.Len > len(text) {
				return nil, false
			}
			end = l.At + l.Len
			cuts = append(cuts, jsonc.Change{At: l.At, Cut: l.Len})
		}
		text = jsonc.Apply(text, cuts)
	}
	return text, true
}
