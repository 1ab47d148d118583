package git

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// adoptModules puts the entries of the person's index in for those of the paths
// that are submodules there with a folder here. update-index then takes the
// commit that is checked out, or leaves the entry; where this index file has a
// file or a folder, it takes that out and puts nothing in (2.39). It answers the
// paths that are still to be looked at: what lies below such a folder is another
// repository's, and a folder of this one is nothing but what lies below it.
func (x *Index) adoptModules(ctx context.Context, paths []string) (rest []string, err error) {
	folders := x.repo.folders(paths)
	if x.path == "" || len(folders) == 0 {
		return paths, nil
	}
	modules, err := x.repo.modulesAt(ctx, folders)
	if err != nil {
		return nil, err
	}
	var entries, gone []object.Entry
	var names []string
	for p, e := range modules {
		entries, names = append(entries, e), append(names, p)
	}
	for _, p := range paths {
		_, module := modules[p]
		_, err := os.Lstat(filepath.Join(x.repo.at(p), ".git"))
		if below(p, names) || !module && slices.Contains(folders, p) && absent(err) {
			gone = append(gone, object.Entry{Path: p, Mode: object.ModeNone})
		} else {
			rest = append(rest, p)
		}
	}
	return rest, x.Set(ctx, append(gone, entries...))
}

// folders are those of the paths at which a folder lies.
func (r *Repo) folders(paths []string) (folders []string) {
	for _, p := range paths {
		if info, err := os.Lstat(r.at(p)); err == nil && info.IsDir() {
			folders = append(folders, p)
		}
	}
	return folders
}

// modulesAt are those of the paths that are submodules of the person's index.
func (r *Repo) modulesAt(ctx context.Context, paths []string) (map[string]object.Entry, error) {
	modules := map[string]object.Entry{}
	for chunk := range slices.Chunk(paths, 500) {
		staged, err := r.OwnIndex().Staged(ctx, chunk...)
		if err != nil {
			return nil, err
		}
		for _, e := range staged {
			if e.Mode == object.ModeGitlink && slices.Contains(chunk, e.Path) {
				modules[e.Path] = e
			}
		}
	}
	return modules, nil
}

// outsideModules are those of the paths that are below no submodule of the
// index; all, where that cannot be told.
func (r *Repo) outsideModules(ctx context.Context, paths []string) []string {
	marks, err := r.marks(ctx)
	if err != nil {
		return paths
	}
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return below(p, marks.modules) })
}

func below(p string, folders []string) bool {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(folders, dir) {
			return true
		}
	}
	return false
}
