package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Index is an index file: a private one under construction, or the person's.
type Index struct {
	repo *Repo
	path string // "": the person's
}

// PrivateIndex is an index file of our own in an existing folder.
func (r *Repo) PrivateIndex(folder string) *Index {
	return &Index{repo: r, path: filepath.Join(folder, fmt.Sprintf("index.%d", os.Getpid()))}
}

// OwnIndex is the person's index. Only exact paths are ever set in it.
func (r *Repo) OwnIndex() *Index { return &Index{repo: r} }

// Remove deletes a private index file, with what a killed git left beside it.
func (x *Index) Remove() {
	if x.path != "" {
		_ = os.Remove(x.path)
		_ = os.Remove(x.path + ".lock")
	}
}

// plumbing works on the index file. A private one serves this command only, so
// that it need not outlive a power cut; the objects that are written have to.
func (x *Index) plumbing(args ...string) *command {
	c := x.repo.plumbing(args...)
	if x.path != "" {
		c.index(x.path).config("core.fsync=committed,reference").config("core.splitIndex=false")
	}
	return c
}

// filtered is plumbing that runs the person's clean filters, as `git add` would.
func (x *Index) filtered(args ...string) *command {
	return x.plumbing(args...).config("core.safecrlf=false")
}

// Empty starts from nothing.
func (x *Index) Empty(ctx context.Context) error {
	x.Remove()
	return x.plumbing("read-tree", "--empty").do(ctx)
}

// Read starts from a tree or commit.
func (x *Index) Read(ctx context.Context, treeish string) error {
	return x.plumbing("read-tree", "--reset", treeish).do(ctx)
}

// AddWorktree records these paths as they are in the working tree now:
// content as git sees it (clean filters, eol, what only the person's index
// says of a file), mode, or their absence. staged is what the person's index
// has otherwise than this one, ModeNone where it lacks the path.
func (x *Index) AddWorktree(ctx context.Context, paths []string, staged ...object.Entry) error {
	paths, gone := x.repo.reachable(paths)
	if err := x.Set(ctx, gone); err != nil {
		return err
	}
	paths, err := x.adoptModules(ctx, paths)
	if err != nil || len(paths) == 0 {
		return err
	}
	if err := x.adopt(ctx, paths, staged); err != nil {
		return err
	}
	return x.take(ctx, x.filtered(updateIndex...), paths)
}

// reachable sorts out aliases, and paths below a folder that is a symbolic link in
// the working tree: nothing of this repository is there, and git dies when asked to look.
func (r *Repo) reachable(paths []string) (here []string, gone []object.Entry) {
	aliases := r.Aliases(paths)
	links := map[string]bool{".": false}
	var beyond func(dir string) bool
	beyond = func(dir string) bool {
		known, asked := links[dir]
		if !asked {
			info, err := os.Lstat(filepath.Join(r.Top, filepath.FromSlash(dir)))
			known = err == nil && info.Mode()&os.ModeSymlink != 0 || beyond(path.Dir(dir))
			links[dir] = known
		}
		return known
	}
	for _, p := range paths {
		if slices.Contains(aliases, p) || beyond(path.Dir(strings.TrimSuffix(p, "/"))) {
			gone = append(gone, object.Entry{Path: p, Mode: object.ModeNone})
		} else {
			here = append(here, p)
		}
	}
	return here, gone
}

// Set puts entries in as given; ModeNone removes the path.
func (x *Index) Set(ctx context.Context, entries []object.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	var in strings.Builder
	for _, e := range entries {
		id := e.ID
		if e.Mode == object.ModeNone {
			id = x.repo.ZeroID()
		}
		fmt.Fprintf(&in, "%s %s\t%s\x00", e.Mode, id, e.Path)
	}
	return x.plumbing("update-index", "--add", "--replace", "-z", "--index-info").input(in.String()).do(ctx)
}

// WriteTree writes what the index holds as a tree.
func (x *Index) WriteTree(ctx context.Context) (string, error) {
	return x.plumbing("write-tree").text(ctx)
}

// Staged lists the index's entries at stage 0 under exactly these paths or,
// with none given, all of them.
func (x *Index) Staged(ctx context.Context, paths ...string) ([]object.Entry, error) {
	c := x.plumbing(append([]string{"ls-files", "-s", "-z", "--full-name", "--"}, paths...)...)
	c.env = append(c.env, "GIT_OPTIONAL_LOCKS=0")
	recs, err := c.records(ctx)
	if err != nil {
		return nil, err
	}
	var entries []object.Entry
	for _, rec := range recs {
		meta, path, _ := strings.Cut(rec, "\t")
		f := strings.Fields(meta)
		if len(f) == 3 && f[2] == "0" {
			entries = append(entries, object.Entry{Path: path, Mode: f[0], ID: f[1]})
		}
	}
	return entries, nil
}

// Lock is the lock file of the person's index where one is there now: who
// holds it is not known to git.
func (r *Repo) Lock() (path string, present bool) {
	path = filepath.Join(r.GitDir, "index.lock")
	_, err := os.Lstat(path)
	return path, !errors.Is(err, os.ErrNotExist)
}

// ReadsIndex is git's word on an index that it cannot read.
func (r *Repo) ReadsIndex(ctx context.Context) error {
	return r.reading("ls-files", "-z", "--", ".git").do(ctx) // no such entry: all is read, nothing printed
}
