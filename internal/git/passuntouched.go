package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/object"
)

// PassUntouched makes way for a move from HEAD to another commit ([Repo.Switch],
// [Repo.Follow]) that git refuses because of files that nobody changed (see
// withoutUntouched): it takes the working tree along and gives the index what the
// move changes, so that the move, tried again, finds all of it done. passed is
// false where no such file is in the way. An error of git, as where something
// else is in the way as well, has changed nothing, or left half a move, as any
// that a kill cuts off. scratch is an existing private folder.
//
// A private index has what git would store of these files today. By that they are
// as they should be, and git takes all along or nothing, looking at each itself.
func (r *Repo) PassUntouched(ctx context.Context, scratch, from, to string) (passed bool, err error) {
	p := &passing{repo: r, from: from, to: to}
	if err := p.look(ctx); err != nil || len(p.files) == 0 {
		return false, err
	}
	dir, err := os.MkdirTemp(scratch, "pass-")
	if err != nil {
		return false, fmt.Errorf("private index: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	p.index = r.PrivateIndex(dir)
	if err := p.store(ctx); err != nil {
		return false, err
	}
	tree, err := r.TreeWith(ctx, scratch, from, p.stored)
	if err != nil {
		return false, err
	}
	if err := p.index.follow(ctx, tree, to); err != nil {
		return false, err
	}
	if err := p.layAlike(ctx, filepath.Join(dir, "files")); err != nil {
		return false, err
	}
	return true, p.bringIndex(ctx)
}

// passing is one [Repo.PassUntouched].
type passing struct {
	repo     *Repo
	from, to string
	changes  []object.Change
	files    []object.Entry // that are in the way, as HEAD has them
	stored   []object.Entry // the same, as git would store them
	index    *Index
}

// look finds the files. git minds those that it was told to assume unchanged as
// well, where it would write over them.
func (p *passing) look(ctx context.Context) error {
	r := p.repo
	status, err := r.statusOf(ctx, "--ignore-submodules=all")
	if err != nil {
		return err
	}
	flagged, _, err := r.Flagged(ctx)
	if err != nil {
		return err
	}
	untouched := map[string]object.Entry{}
	for _, f := range status {
		if r.untouched(f) {
			untouched[f.Path] = object.Entry{Path: f.Path, Mode: f.IndexMode, ID: f.IndexID}
		}
	}
	for _, e := range flagged {
		if e.AssumeUnchanged && !e.SkipWorktree && isFile(e.Mode) && r.holds(e.Path, e.ID) {
			untouched[e.Path] = e.Entry
		}
	}
	if len(untouched) == 0 {
		return nil
	}
	p.changes, err = r.DiffTrees(ctx, p.from, p.to)
	for _, c := range p.changes {
		if e := untouched[c.Path]; e.Mode == c.OldMode && e.ID == c.OldID {
			p.files = append(p.files, e)
		}
	}
	return err
}
