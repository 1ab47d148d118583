package stash

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// ErrCommits is for a ref of ours that keeps commits as they were, as those that lost a race.
var ErrCommits = errors.New("it keeps commits, and nothing of a working tree")

// Content is what one preserving commit holds.
type Content struct {
	ID   string
	Base string // the commit HEAD was at
	Time time.Time

	base, work, index, untracked, raw map[string]object.Entry
	flags                             map[string]flag
	parents                           []string
}

// Open reads a preserving commit; any other commit is an error.
func (s *Store) Open(ctx context.Context, commit string) (*Content, error) {
	c, flags, err := s.shape(ctx, commit)
	if err != nil {
		return nil, err
	}
	if flags == nil {
		return nil, fmt.Errorf("stash %s: %w", object.Short(commit), ErrCommits)
	}
	out := &Content{ID: commit, Base: c.Parents[0], Time: c.Time, flags: flags, parents: c.Parents}
	if out.base, err = s.entries(ctx, c.Parents[0]); err != nil {
		return nil, err
	}
	if out.work, err = s.changed(ctx, c.Parents[0], commit); err != nil {
		return nil, err
	}
	if out.index, err = s.changed(ctx, c.Parents[0], c.Parents[1]); err != nil {
		return nil, err
	}
	if out.untracked, err = s.parent(ctx, c, 2); err != nil {
		return nil, err
	}
	out.raw, err = s.parent(ctx, c, 3)
	return out, err
}

// shape reads the commit and, where its second parent is an index commit of
// ours on the first, that one's flags (not nil then).
func (s *Store) shape(ctx context.Context, commit string) (object.Commit, map[string]flag, error) {
	commits, err := s.Git.Commits(ctx, []string{commit})
	if err != nil {
		return object.Commit{}, nil, err
	}
	c := commits[commit]
	if len(c.Parents) < 2 || len(c.Parents) > 4 {
		return c, nil, nil
	}
	second, err := s.Git.Commits(ctx, c.Parents[1:2])
	if err != nil {
		return c, nil, err
	}
	return c, indexFlags(c, second[c.Parents[1]]), nil
}

// indexFlags is nil unless index is the index commit of c.
func indexFlags(c, index object.Commit) map[string]flag {
	if len(c.Parents) < 2 || len(index.Parents) != 1 || index.Parents[0] != c.Parents[0] {
		return nil
	}
	flags, ok := parseFlags(index.Message)
	if !ok {
		return nil
	}
	return flags
}

func (s *Store) parent(ctx context.Context, c object.Commit, i int) (map[string]object.Entry, error) {
	if len(c.Parents) <= i {
		return nil, nil
	}
	return s.entries(ctx, c.Parents[i])
}

func (s *Store) entries(ctx context.Context, treeish string) (map[string]object.Entry, error) {
	list, err := s.Git.Entries(ctx, treeish)
	m := make(map[string]object.Entry, len(list))
	for _, e := range list {
		m[e.Path] = e
	}
	return m, err
}

// changed is what `to` has otherwise than `from`; ModeNone where it lacks it.
func (s *Store) changed(ctx context.Context, from, to string) (map[string]object.Entry, error) {
	changes, err := s.Git.DiffTrees(ctx, from, to)
	m := make(map[string]object.Entry, len(changes))
	for _, c := range changes {
		m[c.Path] = object.Entry{Path: c.Path, Mode: c.NewMode, ID: c.NewID}
	}
	return m, err
}

// File is what lay at a path on disk, as git stores it; ModeNone for nothing.
func (c *Content) File(path string) object.Entry {
	if e, ok := c.untracked[path]; ok {
		return e
	}
	if c.flags[path].sparse {
		return object.Entry{Path: path, Mode: object.ModeNone}
	}
	return overlaid(path, c.work, c.base)
}

// Raw is File with the id of its raw bytes.
func (c *Content) Raw(path string) object.Entry {
	f := c.File(path)
	if e, ok := c.raw[path]; ok && f.Mode != object.ModeNone {
		f.ID = e.ID
	}
	return f
}

// Entry is the index's entry of a path with its flags; ModeNone for none.
func (c *Content) Entry(path string) object.IndexEntry {
	f := c.flags[path]
	if f.intent != "" {
		empty := place.Disk{SHA256: len(c.ID) == 64}.EmptyBlob()
		return object.IndexEntry{Entry: object.Entry{Path: path, Mode: f.intent, ID: empty}, IntentToAdd: true,
			AssumeUnchanged: f.assume, SkipWorktree: f.skip}
	}
	return object.IndexEntry{Entry: overlaid(path, c.index, c.base), AssumeUnchanged: f.assume, SkipWorktree: f.skip}
}

func overlaid(path string, over, base map[string]object.Entry) object.Entry {
	e, ok := over[path]
	if !ok {
		e, ok = base[path]
	}
	if !ok || e.Mode == object.ModeNone {
		return object.Entry{Path: path, Mode: object.ModeNone}
	}
	return e
}

// Paths lists every path that the commit holds otherwise than its base,
// sorted.
func (c *Content) Paths() []string {
	seen := make(map[string]bool)
	for _, m := range []map[string]object.Entry{c.work, c.index, c.untracked, c.raw} {
		for p := range m {
			seen[p] = true
		}
	}
	for p := range c.flags {
		seen[p] = true
	}
	paths := make([]string, 0, len(seen))
	for p := range seen {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}
