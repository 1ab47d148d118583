package ledger

import (
	"maps"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// span gathers what several commits in a row did to each path.
type span struct {
	boundary string
	paths    map[string]object.Change
}

func newSpan(boundary string) *span {
	return &span{boundary: boundary}
}

// add joins a commit's changes to what came before: the old side stays the
// first one seen, the new side becomes the last.
func (s *span) add(c object.Commit) {
	if s.paths == nil && len(c.Changes) > 0 {
		s.paths = make(map[string]object.Change, len(c.Changes))
	}
	for _, change := range c.Changes {
		if before, ok := s.paths[change.Path]; ok {
			change.OldMode, change.OldID = before.OldMode, before.OldID
		}
		s.paths[change.Path] = change
	}
}

// net lists the paths whose content is another at the end, sorted.
func (s *span) net() []object.Change {
	if len(s.paths) == 0 {
		return nil
	}
	var out []object.Change
	for _, path := range slices.Sorted(maps.Keys(s.paths)) {
		if c := s.paths[path]; c.OldID != c.NewID || c.OldMode != c.NewMode {
			out = append(out, c)
		}
	}
	return out
}
