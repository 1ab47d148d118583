package run

import (
	"context"
	"slices"
)

// A step that its run took back is not in the target because its certificate
// is: where the undo came along (a merge, a squash of both) there is nothing of
// it. Where the undo did not come along, the target holds the work.

// undoneThere is the commit of the target that contains another one and takes
// back a step of it, on the run's own branch; "" for none.
func (f *finder) undoneThere(step, commit string) string {
	for _, u := range slices.Backward(f.undos[f.o.run]) {
		if u.Step == step && u.commit != commit && f.reach(u.commit)[commit] {
			return u.commit
		}
	}
	return ""
}

// undoneSince is the commit of the target that takes back the newest work of a
// step that had landed.
func (f *finder) undoneSince(step string) string {
	if r := f.o.solid(step); r != nil {
		return f.undoneThere(step, r.Commit.ID)
	}
	return ""
}

// undoneWithin reports whether a step was taken back, by an undo of ours or by a
// revert, above a place of the run's chain, and not above another.
func (o *subject) undoneWithin(step string, above, upTo int) bool {
	within := func(at int, known bool) bool { return known && at > above && at <= upTo }
	at, undone := o.ledger.Undone[step]
	if within(at, undone) {
		return true
	}
	newest := o.ledger.Newest(step)
	return newest != nil && within(o.ledger.Place(o.records().TakenBackBy(newest)))
}

// takenOut reports whether a landing took out of the target what the run had
// undone by then.
func (o *subject) takenOut(step string, k mark) bool {
	r := o.solid(step)
	return r != nil && o.undoneWithin(step, r.Index, k.index)
}

// withoutTakenOut leaves out the steps that the newest landing took out: nothing
// that says that they landed counts, but the target's tip does where it holds them.
func (f *finder) withoutTakenOut(ctx context.Context, newest *mark, steps []string) ([]string, error) {
	var left []string
	for _, id := range steps {
		if newest == nil || !f.o.takenOut(id, *newest) {
			left = append(left, id)
			continue
		}
		stands, err := f.stands(ctx, []string{id}, f.o.solid(id).Index)
		if err != nil {
			return nil, err
		}
		if stands {
			left = append(left, id)
		}
	}
	return left, nil
}
