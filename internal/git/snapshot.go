package git

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// SnapshotBase writes an index file of our own that holds base's tree, for
// [Repo.SnapshotTree] to begin with; see [Repo.SnapshotDrop].
func (r *Repo) SnapshotBase(ctx context.Context, index, base string) error {
	r.SnapshotDrop(index)
	return (&Index{repo: r, path: index + ".base"}).Read(ctx, base)
}

// SnapshotTree is the tree of the last [Repo.SnapshotBase] in that index file,
// with these paths as they are in the working tree now: content as git sees it,
// mode, or absence. It begins with entries that no file was looked at for, each
// time: git has no time stamp that it could take for a proof, and hashes each
// of the paths. left are not in the tree, though files may lie there: git does
// not track them any more. staged is what the person's index has otherwise than
// base, see [Index.AddWorktree]. Neither the person's index nor any ref changes.
func (r *Repo) SnapshotTree(ctx context.Context, index string, paths, left []string, staged []object.Entry) (string, error) {
	if err := copyFile(index+".base", index); err != nil {
		return "", fmt.Errorf("begin an index file: %w", err)
	}
	x := &Index{repo: r, path: index}
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(left, p) })
	if err := x.AddWorktree(ctx, paths, staged...); err != nil {
		return "", err
	}
	var gone []object.Entry
	for _, p := range left {
		gone = append(gone, object.Entry{Path: p, Mode: object.ModeNone})
	}
	if err := x.Set(ctx, gone); err != nil {
		return "", err
	}
	return x.WriteTree(ctx)
}

// SnapshotDrop deletes what the two above leave.
func (r *Repo) SnapshotDrop(index string) {
	for _, path := range []string{index, index + ".base"} {
		(&Index{repo: r, path: path}).Remove()
	}
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o600)
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
