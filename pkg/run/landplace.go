package run

import (
	"context"
	"io"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/object"
)

// inPlace keeps the answers whose change is made where the run makes it: in a
// file of like blocks the same lines in another block are another change. Where
// both are of the very same files nothing has to be asked; else one child for all.
func (p *patches) inPlace(ctx context.Context, yes []question) ([]question, error) {
	var pairs [][2]string
	var paths []string
	for _, q := range yes {
		if q.exact {
			continue
		}
		made, wanted := p.pairs[q.made], p.pairs[q.wanted]
		pairs = append(pairs, wanted, made, [2]string{wanted[0], made[0]})
		for _, c := range q.segment.changes {
			paths = append(paths, c.Path)
		}
	}
	if len(pairs) == 0 {
		return yes, nil
	}
	slices.Sort(paths)
	places := make([]landing.Places, len(pairs))
	if err := p.s.Git.Patches(ctx, pairs, slices.Compact(paths), func(i int) io.Writer { return &places[i] }); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(yes, func(q question) bool {
		if q.exact {
			return false
		}
		three := places[:3]
		places = places[3:]
		return !landing.SamePlace(&three[0], &three[1], &three[2])
	}), nil
}

// sameFiles: both changes are from the same contents to the same contents.
// Their paths are the same already.
func sameFiles(a, b []object.Change, back bool) bool {
	want := make(map[string]object.Change, len(b))
	for _, c := range b {
		if back {
			c.OldID, c.NewID = c.NewID, c.OldID
		}
		want[c.Path] = c
	}
	return !slices.ContainsFunc(a, func(c object.Change) bool { return want[c.Path].OldID != c.OldID || want[c.Path].NewID != c.NewID })
}
