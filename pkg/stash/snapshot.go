package stash

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// Request names what to preserve.
type Request struct {
	Head    string   // the commit HEAD is at: first parent
	Paths   []string // exact; one that exists nowhere is accepted
	Message string   // byte-exact
	Scratch string   // an existing private folder, for index files
}

// Snapshot writes the preserving commit and answers its id. It moves nothing:
// no ref, no file, no index entry. A *Refusal where git could not hold what
// lies at a path: a repository of its own, a submodule, a conflict, a pipe.
func (s *Store) Snapshot(ctx context.Context, req Request) (string, error) {
	snap, err := s.look(ctx, req)
	if err != nil {
		return "", err
	}
	index, err := snap.commitIndex(ctx)
	if err != nil {
		return "", fmt.Errorf("preserve the index: %w", err)
	}
	work, err := snap.writeWorktree(ctx, index.tree)
	if err != nil {
		return "", fmt.Errorf("preserve the working tree: %w", err)
	}
	parents := []string{req.Head, index.commit}
	more, err := snap.commitRest(ctx)
	if err != nil {
		return "", fmt.Errorf("preserve untracked files: %w", err)
	}
	return s.Git.WriteCommit(ctx, object.NewCommit{Tree: work, Parents: append(parents, more...), Message: req.Message})
}

// snapshot is one request while it is carried out.
type snapshot struct {
	store  *Store
	req    Request
	paths  []string
	disk   map[string]place.File
	index  map[string]object.IndexEntry
	stored map[string]object.Entry // as git add stores the files
}

// look reads disk and index, and refuses.
func (s *Store) look(ctx context.Context, req Request) (*snapshot, error) {
	if req.Head == "" || req.Message == "" {
		return nil, fmt.Errorf("preserve: a commit to build on and a message are needed")
	}
	snap := &snapshot{store: s, req: req, paths: slices.Compact(slices.Sorted(slices.Values(req.Paths))),
		index: make(map[string]object.IndexEntry), stored: make(map[string]object.Entry)}
	entries, err := s.Git.IndexEntries(ctx, req.Scratch, snap.paths)
	if err != nil {
		return nil, err
	}
	disk, modules := s.Disk(req.Head), submodules(entries, snap.paths)
	if snap.disk, err = disk.LookAt(s.Git, snap.paths); err != nil {
		return nil, err
	}
	for _, p := range snap.paths {
		if modules.below(p) {
			snap.disk[p] = place.File{Mode: object.ModeNone} // what lies there is the submodule's
		} else if err := fit(disk, p, snap.disk[p], modules); err != nil {
			return nil, err
		}
	}
	if err := FitIndex(entries, snap.paths); err != nil {
		return nil, err
	}
	for _, e := range entries {
		if _, asked := snap.disk[e.Path]; asked {
			snap.index[e.Path] = e
		}
	}
	return snap, nil
}

// sparse: not checked out on purpose, git takes the entry for the file.
func (s *snapshot) sparse(p string) bool {
	return s.index[p].SkipWorktree && !s.disk[p].HasBytes()
}

// module: a submodule of the index whose folder is there. git stores its commit.
func (s *snapshot) module(p string) bool {
	return s.index[p].Mode == object.ModeGitlink && s.disk[p].Mode == object.ModeTree
}

type indexCommit struct{ tree, commit string }

// commitIndex writes HEAD's tree with the paths as the index has them.
func (s *snapshot) commitIndex(ctx context.Context) (indexCommit, error) {
	var entries []object.Entry
	var flagged []object.IndexEntry
	sparse := make(map[string]bool)
	for _, p := range s.paths {
		e, tracked := s.index[p]
		if tracked {
			flagged = append(flagged, e)
			sparse[p] = s.sparse(p)
		}
		if !tracked || e.IntentToAdd {
			e.Entry = object.Entry{Path: p, Mode: object.ModeNone}
		}
		entries = append(entries, e.Entry)
	}
	tree, _, err := s.store.Git.Overlay(ctx, s.req.Scratch, s.req.Head, entries, nil)
	if err != nil {
		return indexCommit{}, err
	}
	commit, err := s.store.Git.WriteCommit(ctx, object.NewCommit{Tree: tree, Parents: []string{s.req.Head},
		Message: indexMessage(flagged, sparse)})
	return indexCommit{tree, commit}, err
}

// writeWorktree writes the tree of the tracked files as they lie on disk. It
// starts from the index's tree: whether git normalises line ends depends on
// what the entry holds already.
func (s *snapshot) writeWorktree(ctx context.Context, index string) (string, error) {
	var gone []object.Entry
	var there []string
	for _, p := range s.paths {
		_, tracked := s.index[p]
		switch {
		case s.sparse(p):
		case tracked && (s.disk[p].HasBytes() || s.module(p)):
			there = append(there, p)
		default:
			gone = append(gone, object.Entry{Path: p, Mode: object.ModeNone})
		}
	}
	tree, err := s.add(ctx, index, gone, there)
	return tree, err
}

// commitRest writes the untracked files and the raw bytes.
func (s *snapshot) commitRest(ctx context.Context) ([]string, error) {
	var untracked []string
	for _, p := range s.paths {
		if _, tracked := s.index[p]; !tracked && s.disk[p].HasBytes() {
			untracked = append(untracked, p)
		}
	}
	tree, err := s.add(ctx, "", nil, untracked)
	if err != nil {
		return nil, err
	}
	raw, err := s.raw(ctx)
	if err != nil || len(untracked)+len(raw) == 0 {
		return nil, err
	}
	git := s.store.Git
	third, err := git.WriteCommit(ctx, object.NewCommit{Tree: tree, Message: untrackedMessage})
	if err != nil || len(raw) == 0 {
		return []string{third}, err
	}
	rawTree, _, err := git.Overlay(ctx, s.req.Scratch, "", raw, nil)
	if err != nil {
		return nil, err
	}
	fourth, err := git.WriteCommit(ctx, object.NewCommit{Tree: rawTree, Message: rawMessage})
	return []string{third, fourth}, err
}

// add stores files as git add would and remembers as what.
func (s *snapshot) add(ctx context.Context, base string, entries []object.Entry, files []string) (string, error) {
	tree, stored, err := s.store.Git.Overlay(ctx, s.req.Scratch, base, entries, files)
	if err != nil {
		return "", err
	}
	for _, p := range files {
		e, ok := stored[p]
		if !ok {
			return "", changed(p)
		}
		s.stored[p] = e
	}
	return tree, nil
}

func changed(p string) error {
	return fmt.Errorf("%q changed while it was being preserved", p)
}

// raw stores the bytes of every file that git stores otherwise.
func (s *snapshot) raw(ctx context.Context) ([]object.Entry, error) {
	var paths []string
	for _, p := range s.paths {
		if e, ok := s.stored[p]; ok && e.Mode != object.ModeGitlink && e.ID != s.disk[p].ID {
			if s.disk[p].Mode == object.ModeSymlink {
				return nil, changed(p) // a link has no filter
			}
			paths = append(paths, p)
		}
	}
	ids, err := s.store.Git.StoreRaw(ctx, paths)
	if err != nil {
		return nil, err
	}
	entries := make([]object.Entry, 0, len(paths))
	for i, p := range paths {
		if ids[i] != s.disk[p].ID {
			return nil, changed(p)
		}
		entries = append(entries, object.Entry{Path: p, Mode: s.disk[p].Mode, ID: ids[i]})
	}
	return entries, nil
}
