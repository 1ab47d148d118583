package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// adoptModes puts the entries of the person's index in where only that says what
// a file is: its executable bit with core.fileMode=false, whether it is a link
// with core.symlinks=false. `git add` and `git commit -a` keep both from there
// (update-index(1), --chmod), and so does update-index in this index file then.
func (x *Index) adoptModes(ctx context.Context, paths []string) error {
	r := x.repo
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		info, err := os.Lstat(filepath.Join(r.Top, filepath.FromSlash(p)))
		return err != nil || !info.Mode().IsRegular()
	})
	var adopted []object.Entry
	for chunk := range slices.Chunk(paths, 500) {
		staged, err := r.OwnIndex().Staged(ctx, chunk...)
		if err != nil {
			return err
		}
		for _, e := range staged {
			link := e.Mode == object.ModeSymlink
			if slices.Contains(chunk, e.Path) && (!r.Symlinks() || !link && !r.FileModes()) && e.Mode != object.ModeGitlink {
				adopted = append(adopted, e)
			}
		}
	}
	return x.Set(ctx, adopted)
}

// OtherBits lists the files of a tree that are executable there and not here, or
// the other way round, where git was told not to look (core.fileMode=false)
// and the file system keeps such bits all the same. scratch is an existing
// private folder.
func (r *Repo) OtherBits(ctx context.Context, scratch, tree string) ([]string, error) {
	if r.FileModes() {
		return nil, nil
	}
	entries, err := r.Entries(ctx, tree)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, e := range entries {
		if e.Mode != object.ModeFile && e.Mode != object.ModeExecutable {
			continue
		}
		info, err := os.Lstat(filepath.Join(r.Top, filepath.FromSlash(e.Path)))
		if err != nil && !absent(err) {
			return nil, r.unsearchable(e.Path, err)
		}
		if err == nil && info.Mode().IsRegular() && (info.Mode()&0o100 != 0) != (e.Mode == object.ModeExecutable) {
			others = append(others, e.Path)
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	keeps, err := keepsBits(scratch)
	if err != nil || !keeps {
		return nil, err
	}
	return others, nil
}

// keepsBits asks a folder's file system as git init does.
func keepsBits(folder string) (bool, error) {
	f, err := os.CreateTemp(folder, "bits-")
	if err != nil {
		return false, fmt.Errorf("ask for executable bits: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	defer func() { _ = f.Close() }()
	for _, perm := range []os.FileMode{0o700, 0o600} {
		if f.Chmod(perm) != nil {
			return false, nil // a file system that refuses has none
		}
		info, err := f.Stat()
		if err != nil || info.Mode().Perm() != perm {
			return false, err
		}
	}
	return true, nil
}
