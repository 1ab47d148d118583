package run

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/git-agent/git-agent/pkg/object"
)

// catchUp goes on with git's own move of the working tree to a commit, where a
// kill cut it off: git writes the files first and the index after them, and
// would then refuse its own half as somebody's changes. Files that are as the
// commit has them get its index entries; one that was cut short in writing is
// preserved and taken back. It answers the paths that it dealt with.
func (s *session) catchUp(ctx context.Context, from, to string) (done map[string]bool, err error) {
	dirty, err := s.dirtyOf(ctx, from, to)
	if err != nil || len(dirty) == 0 {
		return nil, err
	}
	now, err := s.snapshot(ctx, from, dirty)
	if err != nil {
		return nil, err
	}
	changes, err := s.Git.DiffTrees(ctx, to, now)
	if err != nil {
		return nil, err
	}
	otherwise := map[string]bool{}
	for _, c := range changes {
		otherwise[c.Path] = true
	}
	entries, err := s.Git.EntriesAt(ctx, to, dirty)
	if err != nil {
		return nil, err
	}
	done = map[string]bool{}
	var there, rest []object.Entry
	for _, e := range entries {
		if otherwise[e.Path] {
			rest = append(rest, e)
		} else {
			there, done[e.Path] = append(there, e), true
		}
	}
	if err := s.Git.SetIndex(ctx, there); err != nil {
		return nil, err
	}
	s.forget()
	return done, s.takeBackTorn(ctx, from, rest, done)
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

// takeBackTorn preserves files that hold only the beginning of what the commit
// has, and takes them back to where the move began.
func (s *session) takeBackTorn(ctx context.Context, from string, entries []object.Entry, done map[string]bool) error {
	torn, err := s.torn(ctx, entries)
	if err != nil || len(torn) == 0 {
		return err
	}
	ref, err := s.preserve(ctx, "strays", torn, fmt.Sprintf("%s files cut short, %s\n", s.run, s.stamp()))
	if err != nil {
		return err
	}
	commit, err := s.Git.Ref(ctx, ref)
	if err != nil {
		return err
	}
	s.Notify("%s: cut short in writing by a kill, kept at %s", listPaths(torn), ref)
	for _, path := range torn {
		done[path] = true
	}
	return s.move(ctx, commit, from, torn)
}

func (s *session) torn(ctx context.Context, entries []object.Entry) ([]string, error) {
	top, err := os.OpenRoot(s.Place.Top)
	if err != nil {
		return nil, err
	}
	defer top.Close()
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
