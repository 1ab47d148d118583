package run

import (
	"context"
	"maps"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/object"
)

// segment is what the run changed between two points of its chain, net: a step,
// several, or all of it. A squash makes one of them.
type segment struct {
	above, upTo      int // chain places; above is -1 for the base
	oldTree, newTree string
	changes          []object.Change
}

// allPairs is up to how many points every stretch between two of them is tried;
// with more, each step by itself and the whole.
const allPairs = 12

// byPatch looks for commits of the target that make a change of the run, on
// whatever they make it, and for those that take one back without saying so.
// Only what touches the very same paths in the same way is looked at closely.
func (f *finder) byPatch(ctx context.Context, marks []mark) error {
	if len(f.commits) == 0 {
		return nil
	}
	segments, err := f.segments(ctx)
	if err != nil || len(segments) == 0 {
		return err
	}
	candidates, err := f.candidates(ctx, segments)
	if err != nil || len(candidates) == 0 {
		return err
	}
	p := &patches{finder: f, place: map[[2]string]int{}}
	if err := p.readForks(ctx, candidates, segments); err != nil {
		return err
	}
	for _, c := range candidates {
		for i := range segments {
			p.consider(c, &segments[i])
		}
	}
	matched, err := p.compare(ctx)
	if err != nil {
		return err
	}
	f.apply(matched, marks)
	return nil
}

// segments are made of what a ledger knows already; only the base's tree is
// asked for.
func (f *finder) segments(ctx context.Context) ([]segment, error) {
	points := []int{-1}
	for _, r := range f.o.ledger.Records {
		if r.Valid() && len(r.Span) > 0 {
			points = append(points, r.Index)
		}
	}
	if len(points) == 1 {
		return nil, nil
	}
	if f.o.baseTree == "" {
		var err error
		if f.o.baseTree, err = f.s.Git.TreeOf(ctx, f.o.base); err != nil {
			return nil, err
		}
	}
	var all []segment
	for i, from := range points {
		for j := i + 1; j < len(points); j++ {
			if whole := i == 0 && j == len(points)-1; len(points) <= allPairs || j == i+1 || whole {
				all = append(all, f.segment(from, points[j]))
			}
		}
	}
	return slices.DeleteFunc(all, func(s segment) bool { return len(s.changes) == 0 }), nil
}

func (f *finder) segment(above, upTo int) segment {
	l := f.o.ledger
	s := segment{above: above, upTo: upTo, oldTree: f.o.baseTree, newTree: l.Chain[upTo].Tree, changes: l.Net(above, upTo)}
	if above >= 0 {
		s.oldTree = l.Chain[above].Tree
	}
	return s
}

// candidates are the commits of the target, not the run's own, that change at
// least one of the paths by which a segment begins.
func (f *finder) candidates(ctx context.Context, segments []segment) ([]object.Commit, error) {
	paths := map[string]bool{}
	for _, s := range segments {
		paths[s.changes[0].Path] = true
	}
	found, err := f.s.Git.Touching(ctx, f.base, f.tip, slices.Sorted(maps.Keys(paths)), f.limit)
	return slices.DeleteFunc(found, func(c object.Commit) bool { return f.onChain[c.ID] || !f.has(c.ID) }), err
}

// patches are the pairs of trees whose difference is to be compared.
type patches struct {
	*finder
	pairs [][2]string
	place map[[2]string]int // of a pair in pairs: each is read once
	forks map[string]object.Commit
	asked []question
}

// question: does the commit make the segment's change, or take it back?
type question struct {
	commit  object.Commit
	segment *segment
	back    bool
	answer  answer

	made, wanted int // the pairs whose changes have to read alike
}

// readForks asks, at once, for the parents that lie below this walk: a target need
// not hold the run's base, and a branch that it took in may have left it earlier.
func (p *patches) readForks(ctx context.Context, candidates []object.Commit, segments []segment) (err error) {
	var ids []string
	for _, c := range candidates {
		alike := func(s segment) bool {
			return samePaths(c.Changes, s.changes, false) || samePaths(c.Changes, s.changes, true)
		}
		if id := c.FirstParent(); id != "" && p.treeOf(id) == "" && slices.ContainsFunc(segments, alike) {
			ids = append(ids, id)
		}
	}
	p.forks, err = p.s.Git.Commits(ctx, ids)
	return err
}

// consider asks git only where paths and modes agree already.
func (p *patches) consider(c object.Commit, s *segment) {
	for _, back := range []bool{false, true} {
		if !samePaths(c.Changes, s.changes, back) {
			continue
		}
		old := p.treeOf(c.FirstParent())
		if old == "" {
			continue
		}
		want := [2]string{s.oldTree, s.newTree}
		if back {
			want = [2]string{s.newTree, s.oldTree}
		}
		p.asked = append(p.asked, question{commit: c, segment: s, back: back, made: p.pair([2]string{old, c.Tree}), wanted: p.pair(want)})
	}
}

func (p *patches) pair(trees [2]string) int {
	at, known := p.place[trees]
	if !known {
		at = len(p.pairs)
		p.place[trees], p.pairs = at, append(p.pairs, trees)
	}
	return at
}

// treeOf is a commit's tree, "" for none.
func (p *patches) treeOf(id string) string {
	if id == p.o.base {
		return p.o.baseTree
	}
	if i, ok := p.at[id]; ok {
		return p.commits[i].Tree
	}
	return p.forks[id].Tree
}

// samePaths: net changes are sorted by path, git's are too but for its own
// order of folders.
func samePaths(a, b []object.Change, back bool) bool {
	if len(a) != len(b) {
		return false
	}
	want := make(map[string]string, len(b))
	for _, c := range b {
		modes := c.OldMode + c.NewMode
		if back {
			modes = c.NewMode + c.OldMode
		}
		want[c.Path] = modes
	}
	return !slices.ContainsFunc(a, func(c object.Change) bool { return want[c.Path] != c.OldMode+c.NewMode })
}

// apply goes through the matching commits in their order: the last word about a
// step counts.
func (f *finder) apply(matched []question, marks []mark) {
	for _, q := range matched {
		for _, id := range f.o.allSteps() {
			if f.within(id, q.segment) {
				f.applyTo(id, q)
			}
		}
		for _, k := range marks {
			if q.back && f.follows(q.commit.ID, k.SHA) && q.segment.upTo <= k.index {
				f.reverts.Add(q.commit.ID, k.SHA)
			}
		}
	}
}

func (f *finder) applyTo(step string, q question) {
	at, known := f.found[step]
	commit := q.commit.ID
	later := known && f.order(at.commit, commit) < 0
	switch {
	case q.back && later:
		f.reverts.Add(commit, at.commit)
	case q.back:
	case q.answer == maybe:
		f.alike[step] = commit
	case later:
		f.reverts.Add(commit, f.reverts.Of(at.commit)) // made once more
	case !known:
		f.found[step] = landedAt{commit: commit, how: landing.ByPatch}
	}
}

// follows reports whether a commit came into the target after another one.
func (f *finder) follows(commit, other string) bool {
	return f.has(other) && f.order(other, commit) < 0
}

// within reports whether all that a step changed lies in a segment, and is not
// undone there.
func (f *finder) within(step string, s *segment) bool {
	any := false
	if r := f.o.solid(step); r != nil && f.o.undoneWithin(step, r.Index, s.upTo) {
		return false
	}
	for _, r := range f.o.ledger.Of(step) {
		if !r.Valid() || len(r.Span) == 0 {
			continue
		}
		if r.Index <= s.above || r.Index > s.upTo {
			return false
		}
		any = true
	}
	return any
}
