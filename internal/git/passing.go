package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/object"
)

// store begins the index file as the person's is, and records the files in it.
// Set takes flags and stat data away, so that git reads each. One that is another
// by then is somebody's change, which would be written over.
func (p *passing) store(ctx context.Context) error {
	if err := p.index.copyOwn(); err != nil {
		return err
	}
	if err := p.index.Set(ctx, p.files); err != nil {
		return err
	}
	if err := p.index.AddWorktree(ctx, pathsOf(p.files)); err != nil {
		return err
	}
	staged, err := p.index.Staged(ctx)
	if err != nil {
		return err
	}
	now := make(map[string]object.Entry, len(staged))
	for _, e := range staged {
		now[e.Path] = e
	}
	for _, e := range p.files {
		if now[e.Path].Mode != e.Mode || !p.repo.holds(e.Path, e.ID) {
			return fmt.Errorf("%q changed meanwhile", e.Path)
		}
		p.stored = append(p.stored, now[e.Path])
	}
	return nil
}

// copyOwn begins the index file as the person's is. git takes an entry's stat data
// for no proof where the index file is as old as they are; a younger copy would
// make them one.
func (x *Index) copyOwn() error {
	own := filepath.Join(x.repo.GitDir, "index")
	info, err := os.Stat(own)
	if err == nil {
		err = copyFile(own, x.path)
	}
	if err == nil {
		err = os.Chtimes(x.path, info.ModTime(), info.ModTime())
	}
	if err != nil {
		return fmt.Errorf("begin an index file: %w", err)
	}
	return nil
}

// layAlike lays out the files of which the move brings just what git would store
// of them: git left their bytes as they were. Each is put in its place whole.
func (p *passing) layAlike(ctx context.Context, folder string) error {
	coming := make(map[string]object.Entry, len(p.changes))
	for _, e := range p.coming() {
		coming[e.Path] = e
	}
	was := map[string]string{}
	var alike []string
	for i, e := range p.stored {
		if coming[e.Path] == e {
			was[e.Path], alike = p.files[i].ID, append(alike, e.Path)
		}
	}
	if len(alike) == 0 {
		return nil
	}
	err := p.index.plumbing("checkout-index", "-z", "--stdin", "--prefix="+folder+"/").input(joinNUL(alike)).do(ctx)
	for _, path := range alike {
		if err == nil && p.repo.holds(path, was[path]) {
			err = replaceFile(filepath.Join(folder, filepath.FromSlash(path)), p.repo.at(path))
		}
	}
	return err
}

// replaceFile takes one rename, where both are on one file system.
func replaceFile(with, name string) error {
	if os.Rename(with, name) == nil {
		return nil
	}
	return copyFile(with, name)
}

// bringIndex gives the person's index what the move changes.
func (p *passing) bringIndex(ctx context.Context) error {
	own := p.repo.OwnIndex()
	if err := own.Set(ctx, removalsFirst(p.coming())); err != nil {
		return err
	}
	return own.refresh(ctx)
}

// coming are the paths that the move changes, as they come.
func (p *passing) coming() []object.Entry {
	entries := make([]object.Entry, 0, len(p.changes))
	for _, c := range p.changes {
		entries = append(entries, object.Entry{Path: c.Path, Mode: c.NewMode, ID: c.NewID})
	}
	return entries
}

func pathsOf(entries []object.Entry) []string {
	paths := make([]string, 0, len(entries))
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	return paths
}
