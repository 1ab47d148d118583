// Package trailers is the grammar of the evidence that git agent keeps in
// commit messages (the design, section 4): it writes one trailer block, reads
// it exactly as git does, and says what kind of message it is.
//
// It owns the keys, the spelling of every value, the rule by which git finds
// the last paragraph of trailers, and the diagnosis of damaged evidence. It
// never runs git, never reads configuration, and never decides whether a
// certificate is still true: that takes the tree, and trees are not here.
//
//	text, err := trailers.Format(trailers.Message{Subject: "s05: move it", Trailers: evidence})
//	reading := trailers.Read(text) // reading.Kind == trailers.Certificate
//
// Text is written byte for byte and has to be stored the same way: on the
// standard input of `git commit-tree -F -`, never through several `-m` or
// `--trailer`, which the person's configuration may rewrite.
package trailers

import "strings"

// The keys of the design, section 4. They match without case; any other
// `Agent-*` key is kept and ignored.
const (
	KeyRun         = "Agent-Run"
	KeyStep        = "Agent-Step"
	KeyCheck       = "Agent-Check"
	KeyPlanVersion = "Agent-Plan-Version"
	KeyTree        = "Agent-Tree"
	KeyAttempt     = "Agent-Attempt"
	KeyStray       = "Agent-Stray"
	KeyDirty       = "Agent-Dirty"
	KeyNote        = "Agent-Note"
	KeyFingerprint = "Agent-Fingerprint"
	KeyUndo        = "Agent-Undo"
	KeyLanded      = "Agent-Landed"
	KeyOpened      = "Agent-Opened"
	KeyRefutes     = "Agent-Refutes"
	KeyBase        = "Agent-Base"
)

// Trailer is one line of a block: what stands before and after the colon,
// both without outer blanks, the value unfolded to one line.
type Trailer struct{ Key, Value string }

// Message is a commit message in parts. The zero Message is the empty one.
type Message struct {
	// Subject is the first paragraph, its lines joined by a space, as in
	// git's `%s`.
	Subject string
	// Body is what stands between the subject and the block, without blank
	// lines at either end.
	Body string
	// Trailers is the block in order, repeated keys included.
	Trailers []Trailer
}

// Values returns the values of key in order, matching without case. It is nil
// where the key is absent; an empty value is an element.
func (m Message) Values(key string) []string { return values(m.Trailers, key) }

func values(block []Trailer, key string) []string {
	var found []string
	for _, t := range block {
		if sameKey(t.Key, key) {
			found = append(found, t.Value)
		}
	}
	return found
}

// sameKey: keys match without case. They are ASCII, so that the length tells
// most of them apart; a history has hundreds of thousands of these questions.
func sameKey(a, b string) bool { return len(a) == len(b) && strings.EqualFold(a, b) }
