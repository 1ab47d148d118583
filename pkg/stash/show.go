package stash

import (
	"bytes"
	"context"
	"fmt"

	"github.com/git-agent/git-agent/pkg/object"
)

// Held is what is preserved of one path.
type Held struct {
	Path      string
	Worktree  bool // its content, or absence, on disk differs from the base
	Index     bool // its index entry does, or has a flag
	Untracked bool // it lay there untracked
	Raw       bool // its bytes are kept past every filter too
	Deleted   bool // it was in the base and not on disk
}

// Detail is one preserving commit in full.
type Detail struct {
	Commit, Base string
	Held         []Held
}

// Show says what a ref preserves, path by path.
func (s *Store) Show(ctx context.Context, ref string) (Detail, error) {
	c, err := s.openRef(ctx, ref)
	if err != nil {
		return Detail{}, err
	}
	d := Detail{Commit: c.ID, Base: c.Base}
	for _, p := range c.Paths() {
		_, work := c.work[p]
		_, index := c.index[p]
		_, flagged := c.flags[p]
		_, untracked := c.untracked[p]
		_, raw := c.raw[p]
		_, based := c.base[p]
		d.Held = append(d.Held, Held{Path: p, Worktree: work && !untracked, Index: index || flagged, Untracked: untracked,
			Raw: raw, Deleted: based && work && c.File(p).Mode == object.ModeNone})
	}
	return d, nil
}

// Patch is what a ref preserves of the working tree as a patch against its
// base, untracked files included, in git's words.
func (s *Store) Patch(ctx context.Context, ref string) ([]byte, error) {
	c, err := s.openRef(ctx, ref)
	if err != nil {
		return nil, err
	}
	tracked, err := s.Git.Patch(ctx, c.Base, c.ID)
	if err != nil || len(c.untracked) == 0 {
		return tracked, err
	}
	nothing, err := s.Git.EmptyTree(ctx)
	if err != nil {
		return nil, err
	}
	untracked, err := s.Git.Patch(ctx, nothing, c.parents[2])
	return bytes.Join([][]byte{tracked, untracked}, nil), err
}

func (s *Store) openRef(ctx context.Context, ref string) (*Content, error) {
	commit, err := s.existing(ctx, ref)
	if err != nil {
		return nil, err
	}
	c, err := s.Open(ctx, commit)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	return c, nil
}
