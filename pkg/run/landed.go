package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// landedAt is where a step's work is in the target, and how that is known.
type landedAt struct {
	commit, how string
	back        string // the commit that took it back, "" for none
	newer       string // a certificate of the step that is newer than what landed
}

// finder looks for the steps of one run in a target.
type finder struct {
	*scan
	s       *session
	o       *subject
	reverts landing.Reverts
	onChain map[string]bool
	found   map[string]landedAt
	alike   map[string]string // the commit that may make a step
}

// find says for each step of a run whether its work is in the target, by
// whatever way it came there: as it is, under other ids, or in a squash. The
// marks are the run's own markers, if any.
func (s *session) find(ctx context.Context, g *scan, o *subject, marks []mark) (*finder, error) {
	f := &finder{scan: g, s: s, o: o, onChain: map[string]bool{}, found: map[string]landedAt{}, alike: map[string]string{}}
	for _, c := range o.ledger.Chain {
		f.onChain[c.ID] = true
	}
	f.reverts = landing.ReadReverts(f.outside(marks))
	if g.skipped {
		return f, nil
	}
	for _, id := range o.allSteps() {
		f.byAncestry(id)
		f.byClaims(id)
	}
	f.byTree()
	if err := f.byPatch(ctx, marks); err != nil {
		return f, err
	}
	f.withoutChange()
	f.leaveReopened()
	for id, at := range f.found {
		if at.back == "" {
			at.back = f.takenBack(id, at.commit)
			f.found[id] = at
		}
	}
	return f, f.keepStanding(ctx)
}

// outside are the target's commits that the run did not make: what it took
// back on its own branch is its own affair.
func (f *finder) outside(marks []mark) []object.Commit {
	if len(f.o.ledger.Chain) == 0 && len(marks) > 0 {
		return f.after(marks[len(marks)-1].SHA)
	}
	return slices.DeleteFunc(slices.Clone(f.commits), func(c object.Commit) bool { return f.onChain[c.ID] })
}

// solid is the newest valid certificate of a step that changed something, else
// the newest valid one; nil for none. One that only says that a check ran again
// need not land.
func (o *subject) solid(step string) *ledger.Record {
	var newest *ledger.Record
	for _, r := range slices.Backward(o.ledger.Of(step)) {
		if !r.Valid() {
			continue
		}
		if len(r.Span) > 0 {
			return r
		}
		if newest == nil {
			newest = r
		}
	}
	return newest
}

func (f *finder) byAncestry(step string) {
	if r := f.o.solid(step); r != nil && f.has(r.Commit.ID) && f.undoneThere(step, r.Commit.ID) == "" {
		f.found[step] = landedAt{commit: r.Commit.ID, how: landing.ByAncestry}
	}
}

// byClaims takes the target's word for a step where it fits a certificate, or
// where no certificate is left to compare with. The newest that stands counts.
func (f *finder) byClaims(step string) {
	if _, ok := f.found[step]; ok {
		return
	}
	solid := f.o.solid(step)
	for _, c := range slices.Backward(f.claims[f.o.run]) {
		if c.Step != step || f.onChain[c.commit] || f.o.otherPlans(c.Claim) || f.ofReopened(step, c.Tree) || f.undoneThere(step, c.commit) != "" {
			continue
		}
		at := landedAt{commit: c.commit, how: landing.ByTrailers, back: f.reverts.Of(c.commit)}
		if solid != nil && c.Tree != "" && !f.certified(step, c.Tree, solid.Index) {
			if !f.certified(step, c.Tree, -1) {
				continue // of no certificate that this run has
			}
			at.newer = solid.Commit.ID
		}
		if before, ok := f.found[step]; !ok || before.back != "" && at.back == "" {
			f.found[step] = at
		}
	}
}

// otherPlans reports whether what the target says of a step passed checks that no
// version of the run's plan has for it: it is of an earlier run of the same id.
func (o *subject) otherPlans(c landing.Claim) bool {
	versions := o.versions
	if versions == nil {
		versions = map[int]*plan.Plan{1: o.plan}
	}
	if c.Checks == "" || len(versions) < len(o.chain.Versions) {
		return false // it cannot be told
	}
	for _, p := range versions {
		if step, _ := p.Step(c.Step); step != nil && c.Checks == commands(step) {
			return false
		}
	}
	return true
}

func commands(step *plan.Step) string {
	lines := ""
	for _, c := range step.Check {
		lines += c.Run + "\n"
	}
	return lines
}

// certified reports whether a valid certificate of the step, at or above a
// place of the chain, is of that tree.
func (f *finder) certified(step, tree string, from int) bool {
	return slices.ContainsFunc(f.o.ledger.Of(step), func(r *ledger.Record) bool {
		return r.Index >= from && r.Valid() && r.Evidence.Tree == tree
	})
}

// byTree: a commit of the target that has a certificate's very tree holds
// everything that is certified up to it.
func (f *finder) byTree() {
	for _, r := range slices.Backward(f.o.ledger.Records) {
		commit, ok := f.trees[r.Commit.Tree]
		if !ok || !r.Valid() || f.onChain[commit] || len(f.o.ledger.Net(-1, r.Index)) == 0 {
			continue
		}
		for _, id := range f.o.allSteps() {
			_, known := f.found[id]
			if s := f.o.solid(id); !known && s != nil && s.Index <= r.Index && !f.o.undoneWithin(id, s.Index, r.Index) {
				f.found[id] = landedAt{commit: commit, how: landing.ByTree}
			}
		}
		return
	}
}

// ledgerUpTo is the run's history as it was at a place of its chain.
func (o *subject) ledgerUpTo(index int) *ledger.Ledger {
	return ledger.Read(o.run, o.base, o.ledger.Chain[:index+1])
}

// withoutChange: a certified step that changed nothing has nothing to land; it
// is there as soon as everything certified below it is.
func (f *finder) withoutChange() {
	for _, id := range f.o.allSteps() {
		r := f.o.solid(id)
		if _, known := f.found[id]; known || r == nil || len(r.Span) > 0 {
			continue
		}
		if at, ok := f.below(r.Index); ok {
			f.found[id] = at
		}
	}
}

func (f *finder) below(index int) (at landedAt, ok bool) {
	for _, id := range f.o.allSteps() {
		r := f.o.solid(id)
		if r == nil || r.Index >= index {
			continue
		}
		if at, ok = f.found[id]; !ok {
			return at, false
		}
	}
	return at, ok
}

// takenBack is a commit of the target that takes back where a step landed, or a
// certificate of it.
func (f *finder) takenBack(step, commit string) string {
	if by := f.reverts.Of(commit); by != "" {
		return by
	}
	for _, r := range f.o.ledger.Of(step) {
		if by := f.reverts.Of(r.Commit.ID); by != "" && f.has(r.Commit.ID) {
			return by
		}
	}
	return ""
}
