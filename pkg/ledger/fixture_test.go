package ledger

import (
	"crypto/sha1"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const (
	run  = "r-1"
	base = "0000000000000000000000000000000000000b00"
	none = "0000000000000000000000000000000000000000"
)

// history is a made-up first-parent chain: trees are maps, ids are hashes.
type history struct {
	t      *testing.T
	tree   map[string]string
	parent string
	chain  []object.Commit
}

func newHistory(t *testing.T, files map[string]string) *history {
	return &history{t: t, tree: files, parent: base}
}

// commit adds a commit that makes these edits; an empty content deletes.
func (h *history) commit(message string, edits map[string]string) string {
	c := object.Commit{ID: fmt.Sprintf("%040x", len(h.chain)+0xc0), Parents: []string{h.parent}, Message: message}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		was, now := blob(h.tree[path]), blob(edits[path])
		if was != now {
			c.Changes = append(c.Changes, object.Change{Path: path, OldMode: mode(was), OldID: was, NewMode: mode(now), NewID: now})
		}
		h.tree[path] = edits[path]
	}
	c.Tree, h.parent = h.treeID(), c.ID
	c.Trailers = block(message)
	h.chain = append(h.chain, c)
	return c.ID
}

// block is what git reads where nothing in its configuration says otherwise.
func block(message string) string {
	text := ""
	for _, t := range trailers.Parse(message).Trailers {
		text += t.Key + ": " + t.Value + "\n"
	}
	return text
}

func (h *history) treeID() string {
	text := ""
	for _, path := range slices.Sorted(maps.Keys(h.tree)) {
		if h.tree[path] != "" {
			text += path + "\x00" + h.tree[path] + "\x00"
		}
	}
	return fmt.Sprintf("%x", sha1.Sum([]byte(text)))
}

func blob(content string) string {
	if content == "" {
		return none
	}
	return fmt.Sprintf("%x", sha1.Sum([]byte(content)))
}

func mode(id string) string {
	if id == none {
		return object.ModeNone
	}
	return object.ModeFile
}

// certify adds a certificate; change is a last hand at its evidence.
func (h *history) certify(step string, edits map[string]string, change ...func(*trailers.Evidence)) string {
	h.t.Helper()
	after := maps.Clone(h.tree)
	maps.Copy(after, edits)
	e := trailers.Evidence{Run: run, Step: step, PlanVersion: 1, Tree: (&history{tree: after}).treeID(),
		Checks: []trailers.Check{{Command: "true", Secs: "0.1", Outcome: trailers.Outcome{Kind: trailers.Exit}}}}
	for _, f := range change {
		f(&e)
	}
	return h.commit(message(h.t, step+": work", e), edits)
}

func message(t *testing.T, subject string, e trailers.Evidence) string {
	t.Helper()
	block, err := e.Trailers()
	if err != nil {
		t.Fatal(err)
	}
	text, err := trailers.Format(trailers.Message{Subject: subject, Trailers: block})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (h *history) read() *Ledger { return Read(run, base, h.chain) }
