package run

import (
	"context"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
)

// mendIndex finishes row 10 after a kill: index entries that still are what
// the certificate replaced, under files that are as it has them.
func (s *session) mendIndex(ctx context.Context) error {
	r := s.ledger.Certificate()
	if r == nil || r.Commit.ID != s.head.ID || len(r.Span) == 0 {
		return nil
	}
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	stale := staleEntries(r, status)
	if len(stale) == 0 {
		return nil
	}
	now, err := s.snapshot(ctx, s.head.ID, s.withNewNames(stale, status))
	if err != nil {
		return err
	}
	changed, err := s.Git.DiffTrees(ctx, s.head.ID, now)
	if err != nil || len(changed) > 0 {
		return err
	}
	entries, err := s.Git.EntriesAt(ctx, s.head.ID, stale)
	if err != nil {
		return err
	}
	s.forget() // the look at the working tree was made before this
	return s.Git.SetIndex(ctx, entries)
}

// withNewNames are the paths, and by what other names in the index files are
// there that the paths are only aliases of (`git mv a/File a/file`, where case is
// not told apart): what has a new name is not as the certificate has it.
func (s *session) withNewNames(paths []string, status []object.FileStatus) []string {
	var all []string
	for _, f := range status {
		all = append(all, f.Path)
	}
	for _, alias := range s.Git.Aliases(all) {
		if slices.Contains(paths, alias) {
			paths = append(paths, slices.DeleteFunc(slices.Clone(all), func(p string) bool { return !strings.EqualFold(p, alias) })...)
		}
	}
	return sortedUnion(paths)
}

// staleEntries: a mode that was staged for the certificate may be in the index
// before its content is.
func staleEntries(r *ledger.Record, status []object.FileStatus) []string {
	before := map[string]object.Change{}
	for _, c := range r.Span {
		before[c.Path] = c
	}
	var stale []string
	for _, f := range status {
		c, ok := before[f.Path]
		added := c.OldMode == object.ModeNone && (f.Untracked() || f.IndexMode == object.ModeNone)
		if ok && (added || !f.Untracked() && f.IndexID == c.OldID && (f.IndexMode == c.OldMode || f.IndexMode == c.NewMode)) {
			stale = append(stale, f.Path)
		}
	}
	return stale
}
