package reconcile

import (
	"crypto/sha1"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const (
	runID = "r-1"
	base  = "0000000000000000000000000000000000000b00"
	none  = "0000000000000000000000000000000000000000"
)

// fatal is what the fixture needs of testing.T and rapid.T.
type fatal interface{ Fatal(...any) }

// files is a tree: content by path.
type files map[string]string

func (f files) id() string {
	text := ""
	for _, path := range slices.Sorted(maps.Keys(f)) {
		text += path + "\x00" + f[path] + "\x00"
	}
	return fmt.Sprintf("%x", sha1.Sum([]byte(text)))
}

// with is the tree after these edits; an empty content deletes.
func (f files) with(edits files) files {
	after := maps.Clone(f)
	maps.Copy(after, edits)
	maps.DeleteFunc(after, func(_, content string) bool { return content == "" })
	return after
}

// history is a made-up first-parent chain above the base.
type history struct {
	t     fatal
	trees []files // of the base, then of each commit
	chain []object.Commit
}

func newHistory(t fatal, at files) *history { return &history{t: t, trees: []files{at}} }

func (h *history) head() files { return h.trees[len(h.trees)-1] }

func (h *history) commit(message string, edits files) string {
	before, after := h.head(), h.head().with(edits)
	c := object.Commit{ID: fmt.Sprintf("%040x", len(h.chain)+0xc0), Tree: after.id(), Parents: []string{base}, Message: message,
		Changes: difference(before, after)}
	if n := len(h.chain); n > 0 {
		c.Parents[0] = h.chain[n-1].ID
	}
	h.trees, h.chain = append(h.trees, after), append(h.chain, c)
	return c.ID
}

// difference compares two trees path by path.
func difference(before, after files) []object.Change {
	var changes []object.Change
	for _, path := range slices.Sorted(maps.Keys(before.with(after))) {
		was, now := before[path], after[path]
		if was != now {
			changes = append(changes, object.Change{Path: path, OldMode: mode(was), OldID: blob(was), NewMode: mode(now), NewID: blob(now)})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if _, stays := after[path]; !stays {
			changes = append(changes, object.Change{Path: path, OldMode: mode(before[path]), OldID: blob(before[path]), NewMode: object.ModeNone, NewID: none})
		}
	}
	slices.SortFunc(changes, func(a, b object.Change) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(changes, func(a, b object.Change) bool { return a.Path == b.Path })
}

// mode and blob read a content; one that begins with "x:" is executable.
func mode(content string) string {
	switch {
	case content == "":
		return object.ModeNone
	case strings.HasPrefix(content, "x:"):
		return object.ModeExecutable
	}
	return object.ModeFile
}

func blob(content string) string {
	if content == "" {
		return none
	}
	return fmt.Sprintf("%x", sha1.Sum([]byte(strings.TrimPrefix(content, "x:"))))
}

var passed = trailers.Check{Command: "true", Secs: "0.1", Outcome: trailers.Outcome{Kind: trailers.Exit}}

// certify adds a certificate; change has a last hand at its evidence.
func (h *history) certify(step string, edits files, change ...func(*trailers.Evidence)) string {
	e := trailers.Evidence{Run: runID, Step: step, PlanVersion: 1, Tree: h.head().with(edits).id(), Checks: []trailers.Check{passed}}
	for _, f := range change {
		f(&e)
	}
	block, err := e.Trailers()
	if err != nil {
		h.t.Fatal(err)
	}
	text, err := trailers.Format(trailers.Message{Subject: step + ": work", Trailers: block})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.commit(text, edits)
}

func (h *history) undo(step string, edits files) string {
	return h.commit("Undo "+step+"\n\nAgent-Run: "+runID+"\nAgent-Undo: "+step+"\n", edits)
}

func (h *history) ledger() *ledger.Ledger { return ledger.Read(runID, base, h.chain) }

// steps is a plan of these steps.
func steps(all ...plan.Step) *plan.Plan { return &plan.Plan{Title: "x", Steps: all} }

// step is one whose check is always the same.
func step(id string, touches []string, reads ...string) plan.Step {
	return plan.Step{ID: id, Title: id, Touches: touches, Reads: reads, Confirm: 1, Check: []plan.Check{{Run: "true"}}}
}

// guard decides one step's guard under one plan version.
func (h *history) guard(p *plan.Plan, id string, change ...func(*GuardFacts)) (Guard, error) {
	f := GuardFacts{Plan: p, Versions: map[int]*plan.Plan{1: p}, Ledger: h.ledger()}
	for _, c := range change {
		c(&f)
	}
	guards, err := Guards(f)
	return guards[id], err
}
