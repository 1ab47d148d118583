package git

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// Overlay writes the tree of base ("": nothing) with entries put in as given
// (ModeNone removes) and then the worktree paths as `git add` would store
// them: clean filters, line ends, modes. stored are those paths' entries; one
// that vanished meanwhile is absent from it. A filter that fails is an error.
func (r *Repo) Overlay(ctx context.Context, scratch, base string, entries []object.Entry, worktree []string) (tree string, stored map[string]object.Entry, err error) {
	dir, err := os.MkdirTemp(scratch, "overlay-")
	if err != nil {
		return "", nil, fmt.Errorf("private index: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	x := r.PrivateIndex(dir)
	if err := x.start(ctx, base); err != nil {
		return "", nil, err
	}
	if err := x.Set(ctx, removalsFirst(entries)); err != nil {
		return "", nil, err
	}
	if stored, err = x.add(ctx, worktree); err != nil {
		return "", nil, err
	}
	tree, err = x.WriteTree(ctx)
	return tree, stored, err
}

func (x *Index) start(ctx context.Context, base string) error {
	if base == "" {
		return x.Empty(ctx)
	}
	return x.Read(ctx, base)
}

// add is AddWorktree with one real sync for all the objects instead of one
// for each (half the time for 5,000 files), and answers what was stored.
func (x *Index) add(ctx context.Context, paths []string) (map[string]object.Entry, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	err := x.take(ctx, x.filtered(updateIndex...).config("core.fsyncMethod=batch"), paths)
	if err != nil {
		return nil, err
	}
	entries, err := x.Staged(ctx)
	if err != nil {
		return nil, err
	}
	all := make(map[string]object.Entry, len(entries))
	for _, e := range entries {
		all[e.Path] = e
	}
	stored := make(map[string]object.Entry, len(paths))
	for _, p := range paths {
		if e, ok := all[p]; ok {
			stored[p] = e
		}
	}
	return stored, nil
}

// removalsFirst orders entries so that a file may take a folder's place.
func removalsFirst(entries []object.Entry) []object.Entry {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b object.Entry) int {
		switch none := object.ModeNone; {
		case a.Mode == none && b.Mode != none:
			return -1
		case a.Mode != none && b.Mode == none:
			return 1
		}
		return 0
	})
	return sorted
}
