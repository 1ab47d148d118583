package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// phaseB runs checks for the verdict table.
type phaseB struct {
	*session
	pad         *scratchpad
	fingerprint string
	last        map[string]judged // at HEAD
	output      map[string]string
}

// AtHead checks on HEAD's tree: here, or in a scratch checkout where the step
// asks for one, or a tracked change (hidden from git or not), or an untracked file that the step touches or reads,
// lies here, or a sparse checkout left out what it touches or reads, or a checkout would have other bytes.
func (b *phaseB) AtHead(ctx context.Context, step *plan.Step) (reconcile.Outcome, error) {
	dir := b.Place.Top
	sees, err := seenBy(step)
	if err != nil {
		return 0, err
	}
	clear, err := b.clearFor(ctx, step, sees)
	if err != nil {
		return 0, err
	}
	if clear = clear && !step.Isolate; !clear {
		if dir, err = b.pad.at(ctx, b.head.ID); err != nil {
			return 0, err
		}
	}
	j, err := b.judge(ctx, step, place{dir: dir, step: step.ID})
	if before, asked := b.last[step.ID]; asked && before.outcome == reconcile.Failed && j.outcome == reconcile.Passed {
		b.noteFlaky(step.ID, before.tally.plus(j.tally))
	}
	if clear && err == nil {
		j.dirty, err = b.beside(ctx, step)
	}
	b.last[step.ID] = j
	b.show(step.ID, "at HEAD", j)
	if err != nil || !clear || j.outcome != reconcile.Passed {
		return j.outcome, err
	}
	return j.outcome, b.unmoved(ctx, step, sees)
}

// beside counts the files that lay beside HEAD's tree, none of them the step's.
func (b *phaseB) beside(ctx context.Context, step *plan.Step) (n int, err error) {
	if err := b.headKept(ctx, step.ID); err != nil {
		return 0, err
	}
	status, err := b.status(ctx)
	for _, f := range status {
		if !f.Tracked() {
			n++
		}
	}
	return n, err
}

// unmoved refuses a pass during which the check changed tracked files here:
// what it saw is not HEAD's tree any more.
func (b *phaseB) unmoved(ctx context.Context, step *plan.Step, sees plan.Paths) error {
	l, err := b.lookClosely(ctx, sees)
	if err != nil {
		return err
	}
	moved := pathsOf(l.hidden)
	for _, f := range l.status {
		if f.Tracked() {
			moved = append(moved, f.Path)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	w := &work{step: step, verb: "resume " + b.run}
	if err := b.setupChanged(w, moved); err != nil {
		return err
	}
	return b.checkChanged(w, moved)
}

func (b *phaseB) clearFor(ctx context.Context, step *plan.Step, sees plan.Paths) (bool, error) {
	l, err := b.lookClosely(ctx, sees)
	if err != nil {
		return false, err
	}
	if len(l.leftOut) > 0 {
		b.Notify("%s: checked in a scratch checkout with %s, which the sparse checkout lacks", step.ID, listPaths(l.leftOut))
	}
	if len(l.leftOut)+len(l.hidden) > 0 {
		return false, nil
	}
	for _, f := range l.status {
		if f.Tracked() || sees.Match(f.Path) {
			return false, nil
		}
	}
	if dirs, err := b.dirsLeftOut(ctx, step.Check...); err != nil || len(dirs) > 0 {
		return false, err
	}
	bits, err := b.otherBits(ctx, b.head.ID)
	if err != nil || len(bits) > 0 {
		return false, err
	}
	bytes, err := b.otherBytes(ctx, b.head.ID, sees, nil)
	return len(bytes) == 0, err
}

// otherBits are the files whose executable bit here is not the tree's, and git
// was told not to look: a check would see another tree.
func (s *session) otherBits(ctx context.Context, tree string) ([]string, error) {
	scratch, err := s.tmp()
	if err != nil {
		return nil, err
	}
	return s.Git.OtherBits(ctx, scratch, tree)
}

// AtRecord checks on the certificate's own tree.
func (b *phaseB) AtRecord(ctx context.Context, step *plan.Step, r *ledger.Record) (reconcile.Outcome, error) {
	j, err := b.at(ctx, step, r.Commit.ID)
	b.show(step.ID, "on its own tree "+short(r.Commit.ID), j)
	return j.outcome, err
}

func (b *phaseB) at(ctx context.Context, step *plan.Step, commit string) (judged, error) {
	dir, err := b.pad.at(ctx, commit)
	if err != nil {
		return judged{}, err
	}
	return b.judge(ctx, step, place{dir: dir, step: step.ID})
}

func (b *phaseB) show(step, where string, j judged) {
	if j.failed == nil || strings.Contains(b.output[step], "--- "+where+",") {
		return
	}
	b.output[step] += fmt.Sprintf("--- %s, `%s` ended with %s:\n%s\n", where, j.command, j.failed.Outcome, lastBytes(j.failed.Merged.Bytes, 2<<10))
}

// attribute finds out who broke a regressed step. A check that passes in a
// checkout of exactly HEAD's tree and fails here was broken by nothing that is
// in any commit: this place is at fault.
func (b *phaseB) attribute(ctx context.Context, f reconcile.Facts, o *outcome) error {
	clean, err := b.at(ctx, f.Step, b.head.ID)
	if err != nil {
		return err
	}
	if clean.outcome == reconcile.Passed {
		o.Verdict = reconcile.Verdict{Rule: 9, Status: reconcile.Environment, Reason: failsHere, Person: true}
		return nil
	}
	o.culprit, err = b.bisect(ctx, f.Step, f.Record)
	return err
}

// failsHere is the reason of a check that fails only in this working tree.
const failsHere = "fails-here-only"

// bisect finds the first commit above a certificate at which its step's check
// fails: one scratch checkout per halving. "" where one in between cannot tell.
func (b *phaseB) bisect(ctx context.Context, step *plan.Step, r *ledger.Record) (string, error) {
	good, bad := r.Index, len(b.ledger.Chain)-1
	for bad-good > 1 {
		middle := (good + bad) / 2
		j, err := b.at(ctx, step, b.ledger.Chain[middle].ID)
		if err != nil {
			return "", err
		}
		switch j.outcome {
		case reconcile.Passed:
			good = middle
		case reconcile.Unsettled:
			return "", nil
		default:
			bad = middle
		}
	}
	return b.ledger.Chain[bad].ID, nil
}
