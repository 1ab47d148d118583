package run

import (
	"context"
	"slices"
)

// A revert in the target's history takes nothing back where its own branch was
// merged without it (`-s ours`), or somebody made the work again by hand. What
// decides is the target's tree: work stands where every path that it changed
// is at the tip as the run left it. Where one is not, the revert's word stands.

// revertedBy is a commit of the target that takes back what the newest marker
// says, "" for none.
func (f *finder) revertedBy(ctx context.Context, marks []mark) (string, error) {
	k := marks[len(marks)-1]
	by := f.reverts.Of(k.SHA)
	for _, id := range k.steps {
		if back := f.takenBack(id, k.SHA); by == "" && back != "" && !f.reach(k.SHA)[back] { // else it landed once more since
			by = back
		}
		if by == "" && !f.o.own { // its own run does it again
			by = f.undoneSince(id)
		}
	}
	for _, older := range marks[:len(marks)-1] {
		if one := f.reverts.Of(older.SHA); by == "" && one != "" && f.order(k.SHA, one) < 0 {
			by = one
		}
	}
	if by == "" {
		return "", nil
	}
	if stands, err := f.stands(ctx, k.steps, k.index); err != nil || stands {
		return "", err
	}
	return by, nil
}

// stands reports whether the work of these steps, up to a place of the run's
// chain, is in the target's tree as it landed.
func (f *finder) stands(ctx context.Context, steps []string, upTo int) (bool, error) {
	same, err := f.unchanged(ctx, steps, upTo)
	if err != nil || len(same) == 0 {
		return false, err
	}
	return !slices.ContainsFunc(steps, func(id string) bool { return !f.allSame(id, upTo, same) }), nil
}

// keepStanding drops the reverts that took nothing back from what was found.
func (f *finder) keepStanding(ctx context.Context) error {
	var back []string
	upTo := -1
	for _, id := range f.o.allSteps() {
		if at, ok := f.found[id]; ok && at.back != "" {
			back = append(back, id)
		}
		if r := f.o.solid(id); r != nil && f.found[id].commit != "" {
			upTo = max(upTo, r.Index)
		}
	}
	same, err := f.unchanged(ctx, back, upTo)
	if err != nil || len(same) == 0 {
		return err
	}
	for _, id := range back {
		if f.allSame(id, upTo, same) {
			at := f.found[id]
			at.back = ""
			f.found[id] = at
		}
	}
	return nil
}

// unchanged says of each path that the steps changed whether the target's tip
// has it as the run's chain had it.
func (f *finder) unchanged(ctx context.Context, steps []string, upTo int) (map[string]bool, error) {
	if upTo < 0 || upTo >= len(f.o.ledger.Chain) || f.tip == "" {
		return nil, nil
	}
	var paths []string
	for _, id := range steps {
		paths = append(paths, f.pathsOf(id, upTo)...)
	}
	if len(paths) == 0 {
		return nil, nil
	}
	ours, err := f.s.Git.EntriesAt(ctx, f.o.ledger.Chain[upTo].ID, paths)
	if err != nil {
		return nil, err
	}
	theirs, err := f.s.Git.EntriesAt(ctx, f.tip, paths)
	if err != nil {
		return nil, err
	}
	same := map[string]bool{}
	for i, e := range ours {
		same[e.Path] = e == theirs[i]
	}
	return same, nil
}

// allSame: a step that changed nothing says nothing either way, so it stands
// only with every other one.
func (f *finder) allSame(step string, upTo int, same map[string]bool) bool {
	paths := f.pathsOf(step, upTo)
	if len(paths) == 0 {
		for path := range same {
			paths = append(paths, path)
		}
	}
	return !slices.ContainsFunc(paths, func(p string) bool { return !same[p] })
}

func (f *finder) pathsOf(step string, upTo int) []string {
	var paths []string
	for _, r := range f.o.ledger.Of(step) {
		if r.Valid() && r.Index <= upTo {
			for _, c := range r.Span {
				paths = append(paths, c.Path)
			}
		}
	}
	return paths
}
