// Package reconcile decides what is true about each step: the guard (the
// proof that a check need not run again) and the verdict table of the design,
// section 7. It is pure: facts come in as values and through one small
// interface that runs a check; it never asks git, writes nothing and moves nothing.
package reconcile

import (
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// GuardFacts are what the guard is decided from.
type GuardFacts struct {
	Plan     *plan.Plan
	Versions map[int]*plan.Plan // every version a record names and today's
	Ledger   *ledger.Ledger
	// Fingerprint is today's; "" where the plan names no such commands.
	Fingerprint string
	// AnyFingerprint skips the comparison: `status` runs no command.
	AnyFingerprint bool
	// Refuted holds the certificates (commit ids) that a failure record refutes.
	Refuted map[string]bool
}

// Guard is the answer for one step that has a record.
type Guard struct {
	Holds bool
	How   How    // ByTree or ByTouches where it holds
	Why   string // what broke it, a token or a short phrase
	// Void: a revert or an undo took the step's work back; the record counts
	// for nothing.
	Void bool
	// Foreign: the record claims other checks than the plan version that it names
	// has for its step, if any. A version is a number: another plan of the run's id
	// may have it too.
	Foreign bool
}

// CheckChanged is why a guard does not hold where today's plan checks a step
// otherwise than the version that certified it.
const CheckChanged = "check-changed"

// Why a record is void: an undo of ours took its work back, or somebody's revert.
const (
	Undone   = "undone"
	Reverted = "reverted"
)

// UnknownVersionError says that a record names a plan version that is not in the plan
// ref. Whether its checks equal today's cannot be said.
type UnknownVersionError struct {
	Step, Commit string
	Version      int
}

func (e *UnknownVersionError) Error() string {
	return fmt.Sprintf("step %s: certificate %s was made under plan version %d, which this clone does not have", e.Step, e.Commit, e.Version)
}

// Guards decides the guard of every step that has a record, in one walk of the
// chain from the newest commit down, whatever the number of steps.
func Guards(f GuardFacts) (map[string]Guard, error) {
	w, err := newWalk(f)
	if err != nil {
		return nil, err
	}
	guards := make(map[string]Guard, len(w.due))
	for i := len(f.Ledger.Chain) - 1; i >= 0; i-- {
		w.noteUndo(i)
		for _, d := range w.due[i] {
			g, err := w.judge(d)
			if err != nil {
				return nil, err
			}
			guards[d.step.ID] = g
		}
		w.reverse(f.Ledger.Chain[i])
	}
	return guards, nil
}

// due is a record that the walk judges when it gets to its commit.
type due struct {
	step    *plan.Step
	record  *ledger.Record
	guarded plan.Paths          // touches and reads
	changed map[string]struct{} // by any record of the step
}

// walk knows, at each commit of the chain, which paths have another content
// there than at HEAD.
type walk struct {
	GuardFacts
	due     map[int][]due
	head    map[string]content // at HEAD, of each path met so far
	here    map[string]content // at the commit the walk has reached
	differs plan.PathSet
	// certificates are the valid records, oldest first; touches by step of today's plan.
	certificates []*ledger.Record
	touches      map[string]plan.Paths
	// taken holds, by step, the undo of ours that took its newest record back.
	taken map[string]string
}

type content struct{ mode, id string }

func newWalk(f GuardFacts) (*walk, error) {
	w := &walk{GuardFacts: f, due: map[int][]due{}, head: map[string]content{}, here: map[string]content{},
		touches: map[string]plan.Paths{}, taken: map[string]string{}}
	records := map[string][]*ledger.Record{}
	for _, r := range f.Ledger.Records {
		records[r.Evidence.Step] = append(records[r.Evidence.Step], r)
		if r.Valid() {
			w.certificates = append(w.certificates, r)
		}
	}
	for i := range f.Plan.Steps {
		step := &f.Plan.Steps[i]
		of := records[step.ID]
		if len(of) == 0 {
			continue
		}
		touches, err := plan.CompilePaths(step.Touches)
		if err != nil {
			return nil, fmt.Errorf("step %s: %w", step.ID, err)
		}
		w.touches[step.ID] = touches
		guarded, err := plan.CompilePaths(append(append([]string{}, step.Touches...), step.Reads...))
		if err != nil {
			return nil, fmt.Errorf("step %s: %w", step.ID, err)
		}
		newest := of[len(of)-1]
		w.due[newest.Index] = append(w.due[newest.Index], due{step: step, record: newest, guarded: guarded, changed: changedBy(of)})
	}
	return w, nil
}

func changedBy(records []*ledger.Record) map[string]struct{} {
	paths := map[string]struct{}{}
	for _, r := range records {
		for _, c := range r.Span {
			paths[c.Path] = struct{}{}
		}
	}
	return paths
}

// reverse takes one commit's changes back, so that `here` is its parent.
func (w *walk) reverse(c object.Commit) {
	for _, ch := range c.Changes {
		if _, met := w.head[ch.Path]; !met {
			w.head[ch.Path] = content{ch.NewMode, ch.NewID}
		}
		now := content{ch.OldMode, ch.OldID}
		w.here[ch.Path] = now
		if now == w.head[ch.Path] {
			w.differs.Remove(ch.Path)
		} else {
			w.differs.Add(ch.Path)
		}
	}
}

func (w *walk) judge(d due) (Guard, error) {
	if !d.record.Valid() {
		return Guard{Why: "not-valid"}, nil
	}
	if why, _ := w.takenBack(d); why != "" {
		return Guard{Void: true, Why: why}, nil
	}
	version := d.record.Evidence.PlanVersion
	then := w.Versions[version]
	if then == nil {
		return Guard{}, &UnknownVersionError{Step: d.step.ID, Commit: d.record.Commit.ID, Version: version}
	}
	old, _ := then.Step(d.step.ID)
	switch {
	case old == nil || !Claims(d.record.Evidence.Checks, old.Check):
		return Guard{Why: CheckChanged, Foreign: true}, nil
	case w.Refuted[d.record.Commit.ID]:
		return Guard{Why: "refuted"}, nil
	case d.record.Evidence.Tree == "":
		return Guard{Why: "no-tree"}, nil
	case !plan.SameChecks(old.Check, d.step.Check):
		return Guard{Why: CheckChanged}, nil
	case !w.AnyFingerprint && d.record.Evidence.Fingerprint != w.Fingerprint:
		return Guard{Why: "fingerprint-changed"}, nil
	case w.moved(d):
		return Guard{Why: "tree-changed"}, nil
	}
	return Guard{Holds: true, How: w.how(d.step)}, nil
}

// Claims reports whether these are the checks that a certificate says passed:
// every one, in plan order.
func Claims(said []trailers.Check, checks []plan.Check) bool {
	return slices.EqualFunc(said, checks, func(a trailers.Check, b plan.Check) bool { return a.Command == b.Run })
}

// moved reports whether a guarded path differs between the certified tree and HEAD.
func (w *walk) moved(d due) bool {
	if d.guarded.Empty() {
		return w.differs.Len() > 0 // touches nothing, reads nothing: guarded by the whole tree
	}
	if d.guarded.Touches(&w.differs) {
		return true
	}
	for path := range d.changed {
		if w.differs.Has(path) {
			return true
		}
	}
	return false
}

// how says what the guard rests on: a step that declares no reads is guarded
// by its touches alone where the rest of the tree has moved on.
func (w *walk) how(step *plan.Step) How {
	if len(step.Reads) == 0 && w.differs.Len() > 0 {
		return ByTouches
	}
	return ByTree
}
