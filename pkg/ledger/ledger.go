// Package ledger turns a run branch's history into records: what each
// certificate claims, what it covers, and which commits carry evidence that
// cannot be used. It reads one walk of base..branch that somebody else made;
// it never asks git, never runs a check and never decides a status.
//
//	l := ledger.Read("r-4471", base, commits)
//	record := l.Newest("s05")
package ledger

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// Record is what was read from one certificate of the run.
type Record struct {
	Commit   object.Commit
	Index    int // place on the chain, 0 the oldest
	Evidence trailers.Evidence
	// Boundary is the newest certificate below on the chain, else the run's base.
	Boundary string
	// Span is what changed between boundary and certificate, net, by path.
	Span []object.Change
	// Transplanted: the commit's tree is not the one its checks saw (a rebase,
	// cherry-pick or amend keeps the trailers and changes the tree).
	Transplanted bool
}

// Valid reports whether the record can certify: it parses, names one step of
// this run, every outcome is exit 0, and the tree is the one that was checked.
func (r *Record) Valid() bool {
	failed := slices.ContainsFunc(r.Evidence.Checks, func(c trailers.Check) bool { return !c.Outcome.Passed() })
	return !r.Transplanted && !failed && len(r.Evidence.Checks) > 0
}

// Claim is evidence that is present and cannot be used.
type Claim struct {
	Commit string
	Steps  []string // those that could be made out; may be empty
	Faults []string
	Repair string // a command that mends it, "" where there is none
	// OffChain: sound, but reachable only through another parent than the
	// first (a merge the wrong way round).
	OffChain bool
}

// Ledger is a run branch's history, read.
type Ledger struct {
	Run, Base string
	Chain     []object.Commit // first-parent, oldest first
	Records   []*Record       // of this run, oldest first, valid or not
	Claims    []Claim
	// Undone holds, by step, the chain index of the newest undo of ours.
	Undone map[string]int
	// Differs lists certificates whose trailers git reads otherwise, under the
	// person's configuration.
	Differs []string
	// parents of every commit above the base, where OffChain was told them.
	parents map[string][]string
	byStep  map[string][]*Record
}

// Read reads the chain base..tip (first-parent, oldest first, with changes).
func Read(run, base string, chain []object.Commit) *Ledger {
	l := &Ledger{Run: run, Base: base, Chain: chain, Undone: map[string]int{}, byStep: map[string][]*Record{}}
	span := newSpan(base)
	for i, c := range chain {
		span.add(c)
		r := l.read(i, c, span)
		if r == nil {
			continue
		}
		if r.Valid() {
			span = newSpan(c.ID)
		}
		if !slices.Equal(trailers.ParseBlock(c.Trailers), trailers.Parse(c.Message).Trailers) {
			l.Differs = append(l.Differs, c.ID)
		}
	}
	return l
}

// UndoneBy is the commit of ours above a record that took its step back, "" for
// none.
func (l *Ledger) UndoneBy(r *Record) string {
	if at, undone := l.Undone[r.Evidence.Step]; undone && at > r.Index {
		return l.Chain[at].ID
	}
	return ""
}

// RecordOf is what one commit's message, as it was read, records of a run,
// without its place in history; ok is false where that is nothing. Another
// run's evidence in one history proves nothing here.
func RecordOf(run string, c object.Commit, reading trailers.Reading) (r Record, ok bool) {
	e := reading.Evidence
	if reading.Kind != trailers.Certificate && reading.Kind != trailers.FailureRecord || e.Run != run {
		return r, false
	}
	return Record{Commit: c, Evidence: e, Transplanted: e.Tree != "" && e.Tree != c.Tree}, true
}

// read files one commit under what it is.
func (l *Ledger) read(i int, c object.Commit, s *span) *Record {
	reading := trailers.Read(c.Message)
	if r, ok := RecordOf(l.Run, c, reading); ok {
		r.Index, r.Boundary, r.Span = i, s.boundary, s.net()
		l.Records = append(l.Records, &r)
		l.byStep[r.Evidence.Step] = append(l.byStep[r.Evidence.Step], &r)
		return &r
	}
	switch reading.Kind {
	case trailers.Undo:
		if reading.Evidence.Run == l.Run {
			l.Undone[reading.Undo] = i
		}
	case trailers.Damaged, trailers.Scattered, trailers.Squash:
		l.claim(c, reading, i == len(l.Chain)-1)
	}
	return nil // a person's commit, or one of the plan ref's kinds: no evidence here
}

// claim files evidence that cannot be used. The repair of a commit below the
// tip is another one: what amends HEAD would give HEAD that commit's message.
func (l *Ledger) claim(c object.Commit, reading trailers.Reading, tip bool) {
	said := append([]trailers.Evidence{reading.Evidence}, reading.Groups...)
	if slices.ContainsFunc(said, func(e trailers.Evidence) bool { return e.Run != l.Run && trailers.ValidID(e.Run) == nil }) {
		return // another run's
	}
	claim := Claim{Commit: c.ID, Faults: reading.RunBranchFaults(), Repair: reading.Repair}
	if claim.Repair != "" && !tip {
		claim.Repair, _ = trailers.RepairCommand(c.Message, c.ID)
	}
	for _, e := range said {
		if trailers.ValidID(e.Step) == nil && !slices.Contains(claim.Steps, e.Step) {
			claim.Steps = append(claim.Steps, e.Step)
		}
	}
	l.Claims = append(l.Claims, claim)
}

// OffChain adds the evidence of commits that base..tip reaches only through
// other parents than the first.
func (l *Ledger) OffChain(all []object.Commit) {
	on := make(map[string]bool, len(l.Chain))
	for _, c := range l.Chain {
		on[c.ID] = true
	}
	l.parents = make(map[string][]string, len(all))
	for _, c := range all {
		l.parents[c.ID] = c.Parents
		reading := trailers.Read(c.Message)
		if on[c.ID] || reading.Kind != trailers.Certificate || reading.Evidence.Run != l.Run {
			continue
		}
		l.Claims = append(l.Claims, Claim{Commit: c.ID, Steps: []string{reading.Evidence.Step}, OffChain: true,
			Faults: []string{"its certificate is not on the branch's first-parent chain (a merge the wrong way round)"}})
	}
}

// Merges reports whether the chain holds a merge, so that evidence may lie off it.
func (l *Ledger) Merges() bool {
	return slices.ContainsFunc(l.Chain, func(c object.Commit) bool { return len(c.Parents) > 1 })
}
