package ledger

import (
	"maps"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// Own is what of a step's records is the step's: what lies under its touches and,
// elsewhere, what its certificates' own commits changed, or those that its job
// made, as far down as no other commit changed the path. Whatever else is in its
// newest certificate was there when the checks looked, and may be anybody's:
// others. The old side is what the step found.
func (l *Ledger) Own(step string, touches, made func(name string) bool) (own []object.Change, others []string) {
	records := l.byStep[step]
	before := l.found(records, touches, made)
	for _, r := range slices.Backward(records) {
		for _, c := range r.Span {
			if touches(c.Path) {
				before[c.Path] = c
			}
		}
	}
	if r := l.Newest(step); r != nil {
		for _, c := range r.Span {
			if _, ours := before[c.Path]; !ours {
				others = append(others, c.Path)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(before)) {
		own = append(own, before[path])
	}
	return own, others
}

// found is what the step's own commits found at the paths outside its touches.
func (l *Ledger) found(records []*Record, touches, made func(string) bool) map[string]object.Change {
	found, others := map[string]object.Change{}, map[string]bool{}
	for i, c := range slices.Backward(l.Chain) {
		if len(records) == 0 || i > records[len(records)-1].Index {
			continue
		}
		ours := slices.ContainsFunc(records, func(r *Record) bool {
			below, _ := l.Place(r.Boundary)
			return i == r.Index || below < i && i < r.Index && made(c.ID)
		})
		for _, change := range c.Changes {
			switch {
			case !ours:
				others[change.Path] = true
			case !others[change.Path] && !touches(change.Path):
				found[change.Path] = change
			}
		}
	}
	return found
}
