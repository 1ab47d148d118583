package reconcile

import "slices"

// noteUndo looks, as the walk reaches an undo of ours, whether it took back
// what a step's newest record certified. An undo of later, uncertified work on
// the same step leaves that as it was.
func (w *walk) noteUndo(i int) {
	for step, at := range w.Ledger.Undone {
		if at != i {
			continue
		}
		records := w.Ledger.Of(step)
		if n := len(records); n > 0 && records[n-1].Index < i && w.areBack(step, i) {
			w.taken[step] = w.Ledger.Chain[i].ID
		}
	}
}

// areBack reports whether, at a place of the chain, all that a step's records
// changed under its touches has the content again that it had before the first of
// them. What they hold elsewhere may be others', whose work no undo takes back;
// it decides where there is nothing else.
func (w *walk) areBack(step string, at int) bool {
	before, elsewhere := map[string]content{}, map[string]content{}
	own, _ := w.Ledger.Own(step, w.touches[step].Match, func(string) bool { return false })
	for _, c := range own {
		if w.touches[step].Match(c.Path) {
			before[c.Path] = content{c.OldMode, c.OldID}
		} else {
			elsewhere[c.Path] = content{c.OldMode, c.OldID}
		}
	}
	if len(before) == 0 {
		before = elsewhere
	}
	for ; at >= 0 && len(before) > 0; at-- {
		for _, c := range w.Ledger.Chain[at].Changes {
			was, asked := before[c.Path]
			if asked && was != (content{c.NewMode, c.NewID}) {
				return false
			}
			delete(before, c.Path)
		}
	}
	return true
}

// takenBack is why and by which commit a valid record counts for nothing any
// more; "" where it stands.
func (w *walk) takenBack(d due) (why, by string) {
	if by := w.taken[d.step.ID]; by != "" {
		return Undone, by
	}
	if by := w.revertedBy(d); by != "" {
		return Reverted, by
	}
	return "", ""
}

// revertedBy is the newest commit of those that put all paths of the certificate
// back, and lie above every certificate; "" where none did.
func (w *walk) revertedBy(d due) string {
	own := map[string]struct{}{}
	for _, c := range d.record.Span {
		if now, met := w.head[c.Path]; !met || now != (content{c.OldMode, c.OldID}) {
			return ""
		}
		own[c.Path] = struct{}{}
	}
	for i := len(w.Ledger.Chain) - 1; i > d.record.Index && len(own) > 0; i-- {
		for _, ch := range w.Ledger.Chain[i].Changes {
			// what lies below a certificate that answers for it was seen by its checks
			if _, ok := own[ch.Path]; ok && !w.answeredFor(i, ch.Path) {
				return w.Ledger.Chain[i].ID
			}
		}
	}
	return ""
}

// answeredFor reports whether a certificate at or above a place of the chain
// answers for a path's change there. One that changed nothing itself, as resume
// writes where a step was only checked again, answers for its own paths alone:
// else a revert would stop being one because of what resume recorded above it.
func (w *walk) answeredFor(at int, path string) bool {
	for _, c := range slices.Backward(w.certificates) {
		if c.Index < at {
			return false
		}
		touches, known := w.touches[c.Evidence.Step]
		if len(c.Commit.Changes) > 0 || !known || touches.Match(path) || slices.Contains(c.Evidence.Strays, path) {
			return true
		}
	}
	return false
}
