package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
)

// halfMove is what git's own move of the working tree to a commit left where a
// kill cut it off: git writes the files first and the index after them, and
// would then refuse its own half as somebody's changes.
type halfMove struct {
	from  string
	there []object.Entry // files that are as the commit has them
	torn  []string       // files that are a beginning of what it has, or taken away for it
}

func (h halfMove) paths() map[string]bool {
	paths := map[string]bool{}
	for _, e := range h.there {
		paths[e.Path] = true
	}
	for _, path := range h.torn {
		paths[path] = true
	}
	return paths
}

// without is the rest of it where somebody else sees to some paths.
func (h halfMove) without(paths []string) halfMove {
	seen := func(path string) bool { return slices.Contains(paths, path) }
	h.there = slices.DeleteFunc(slices.Clone(h.there), func(e object.Entry) bool { return seen(e.Path) })
	h.torn = slices.DeleteFunc(slices.Clone(h.torn), seen)
	return h
}

// halfMoved looks for a cut off move from one commit, HEAD, to another.
func (s *session) halfMoved(ctx context.Context, from, to string) (h halfMove, err error) {
	h.from = from
	dirty, err := s.dirtyOf(ctx, from, to)
	if err != nil || len(dirty) == 0 {
		return h, err
	}
	now, err := s.snapshot(ctx, from, dirty)
	if err != nil {
		return h, err
	}
	otherwise, err := s.changedBetween(ctx, to, now)
	if err != nil {
		return h, err
	}
	entries, err := s.Git.EntriesAt(ctx, to, dirty)
	if err != nil {
		return h, err
	}
	var rest []object.Entry
	for _, e := range entries {
		switch there, err := s.isThere(e, otherwise[e.Path]); {
		case err != nil:
			return h, err
		case there:
			h.there = append(h.there, e)
		default:
			rest = append(rest, e)
		}
	}
	if h.torn, err = s.torn(ctx, rest); err == nil && len(h.there)+len(h.torn) > 0 && s.head.ID != "" {
		h.torn = append(h.torn, s.takenAway(rest)...)
	}
	return h, err
}

// isThere reports whether a file is as the entry has it. Where git would store
// something else, it may still be: what a commit has of it need not be what git
// would store today.
func (s *session) isThere(e object.Entry, otherwise bool) (bool, error) {
	if !otherwise {
		return true, nil
	}
	f, err := s.store.Disk(e.ID).Look(e.Path)
	return err == nil && f.HasBytes() && f.ID == e.ID && f.Mode == e.Mode, err
}

// takenAway lists the files that a move which had begun took away and did not
// write yet: git unlinks the old one first. Without any other sign of a move
// somebody deleted them, and so did they where HEAD has no commit whose files
// a move would take away.
func (s *session) takenAway(entries []object.Entry) []string {
	var gone []string
	for _, e := range entries {
		file := e.Mode != object.ModeNone && e.Mode != object.ModeTree && e.Mode != object.ModeGitlink
		if _, err := os.Lstat(s.at(e.Path)); file && errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, e.Path)
		}
	}
	return gone
}

// catchUp makes git go on where it was: what is there gets its index entries,
// what is torn is preserved and taken back to where the move began.
func (s *session) catchUp(ctx context.Context, h halfMove) error {
	if len(h.there) > 0 {
		if err := s.Git.SetIndex(ctx, h.there); err != nil {
			return err
		}
		s.forget()
	}
	if len(h.torn) == 0 {
		return nil
	}
	ref, err := s.preserve(ctx, "strays", h.torn, fmt.Sprintf("%s beginnings of files, %s\n", s.run, s.stamp()))
	if err != nil {
		return err
	}
	s.Notify("%s: only a beginning of what comes there (cut off in writing, or somebody's own), kept at %s", listPaths(h.torn), ref)
	return s.moveKept(ctx, ref, h.from, h.torn)
}

// dirtyOf lists the paths that the move changes and that differ from HEAD here,
// but for those of which the index holds a third version.
func (s *session) dirtyOf(ctx context.Context, from, to string) ([]string, error) {
	status, err := s.status(ctx)
	if err != nil || len(status) == 0 {
		return nil, err
	}
	changes, err := s.Git.DiffTrees(ctx, from, to)
	if err != nil {
		return nil, err
	}
	coming := map[string]string{}
	for _, c := range changes {
		coming[c.Path] = c.NewID
	}
	var dirty []string
	for _, f := range status {
		id, comes := coming[f.Path]
		if comes && (f.Untracked() || f.IndexID == f.HeadID || f.IndexID == id) {
			dirty = append(dirty, f.Path)
		}
	}
	return dirty, nil
}

// torn lists the files that hold only the beginning of what they should.
func (s *session) torn(ctx context.Context, entries []object.Entry) ([]string, error) {
	top, err := os.OpenRoot(s.Place.Top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = top.Close() }()
	var torn []string
	for _, e := range entries {
		info, err := top.Lstat(e.Path)
		if err != nil || !info.Mode().IsRegular() || e.Mode != object.ModeFile && e.Mode != object.ModeExecutable {
			continue // not something that git began to write
		}
		whole, err := s.Git.Blobs(ctx, []string{e.ID})
		if err != nil {
			return nil, err
		}
		if info.Size() >= int64(len(whole[e.ID])) {
			continue
		}
		part, err := top.ReadFile(e.Path)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(whole[e.ID], part) {
			torn = append(torn, e.Path)
		}
	}
	return torn, nil
}

// moved ends a move from a commit to HEAD: where git could not take away an old
// file it only warned. What is still as it was is preserved and goes.
func (s *session) moved(ctx context.Context, from string) error {
	s.forget()
	stay, err := s.stayed(ctx, from)
	if err != nil || len(stay) == 0 {
		return err
	}
	commit, err := s.snapshotStash(ctx, stay, fmt.Sprintf("%s files that git could not replace, %s\n", s.run, s.stamp()))
	if err != nil {
		return err
	}
	if _, err := s.store.SaveNext(ctx, stash.StepPrefix(s.run, stash.Strays), commit); err != nil {
		return err
	}
	return s.move(ctx, commit, s.head.ID, stay)
}

// stayed lists the paths that a commit has otherwise than HEAD, and that are
// as the commit has them.
func (s *session) stayed(ctx context.Context, from string) ([]string, error) {
	status, err := s.status(ctx)
	if err != nil || len(status) == 0 {
		return nil, err
	}
	changed, err := s.changedBetween(ctx, from, s.head.ID)
	if err != nil {
		return nil, err
	}
	var dirty, stay []string
	for _, f := range status {
		if changed[f.Path] && !f.Submodule() { // whose folder no switch of ours moves
			dirty = append(dirty, f.Path)
		}
	}
	if len(dirty) == 0 {
		return nil, nil
	}
	now, err := s.snapshot(ctx, s.head.ID, dirty)
	if err != nil {
		return nil, err
	}
	otherwise, err := s.changedBetween(ctx, from, now)
	for _, path := range dirty {
		if !otherwise[path] {
			stay = append(stay, path)
		}
	}
	return stay, err
}

func (s *session) changedBetween(ctx context.Context, from, to string) (map[string]bool, error) {
	changes, err := s.Git.DiffTrees(ctx, from, to)
	paths := map[string]bool{}
	for _, c := range changes {
		paths[c.Path] = true
	}
	return paths, err
}
