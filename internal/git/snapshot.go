package git

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
)

// SnapshotTree is base's tree with these paths as they are in the working tree
// now (content as git sees it, mode, or absence), built in an index file of our
// own, which is left for [Repo.SnapshotHolds] and is the caller's to remove.
// Neither the person's index nor any ref changes.
func (r *Repo) SnapshotTree(ctx context.Context, index, base string, paths []string) (string, error) {
	x := &Index{repo: r, path: index}
	x.Remove()
	if err := x.Read(ctx, base); err != nil {
		return "", err
	}
	if err := x.AddWorktree(ctx, paths); err != nil {
		return "", err
	}
	return x.WriteTree(ctx)
}

// SnapshotHolds reports whether the same paths still are what [Repo.SnapshotTree]
// left in its index file. No is not certain: what had to be written anew there
// may come out alike.
//
// The file is dated back to before any other, so that git compares contents
// and takes no time stamp for a proof (racy-git in git's technical
// documentation); git leaves an index file alone in which nothing changed.
func (r *Repo) SnapshotHolds(ctx context.Context, index string, paths []string) (bool, error) {
	old := time.Unix(1, 0)
	if err := os.Chtimes(index, old, old); err != nil {
		return false, fmt.Errorf("look at the tree again: %w", err)
	}
	x := &Index{repo: r, path: index}
	if err := x.AddWorktree(ctx, paths); err != nil {
		return false, err
	}
	now, err := os.Stat(index)
	return err == nil && now.ModTime().Equal(old), err
}

// SetIndex puts exactly these entries into the person's index (ModeNone
// removes one); every other entry stays as it is.
func (r *Repo) SetIndex(ctx context.Context, entries []object.Entry) error {
	return r.OwnIndex().Set(ctx, entries)
}

// EntriesAt lists what a tree or commit holds at exactly these paths, sorted;
// one that it lacks, or has as a folder, has ModeNone.
func (r *Repo) EntriesAt(ctx context.Context, treeish string, paths []string) ([]object.Entry, error) {
	want := slices.Compact(slices.Sorted(slices.Values(paths)))
	found := make(map[string]object.Entry, len(want))
	for chunk := range slices.Chunk(want, 500) {
		args := append([]string{"ls-tree", "-z", "--full-tree", treeish, "--"}, chunk...)
		recs, err := r.reading(args...).records(ctx)
		if err != nil {
			return nil, err
		}
		entries, err := parseEntries(treeish, recs)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			found[e.Path] = e
		}
	}
	out := make([]object.Entry, 0, len(want))
	for _, path := range want {
		e, ok := found[path]
		if !ok || e.Mode == object.ModeTree {
			e = object.Entry{Path: path, Mode: object.ModeNone}
		}
		out = append(out, e)
	}
	return out, nil
}

// TreeWith is base's tree with these entries put in; ModeNone takes one out.
func (r *Repo) TreeWith(ctx context.Context, scratch, base string, entries []object.Entry) (string, error) {
	x := r.PrivateIndex(scratch)
	defer x.Remove()
	if err := x.Read(ctx, base); err != nil {
		return "", err
	}
	if err := x.Set(ctx, entries); err != nil {
		return "", err
	}
	return x.WriteTree(ctx)
}
