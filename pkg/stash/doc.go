// Package stash preserves exact paths of a working tree and its index as a
// commit on a ref below refs/agent-stash/, lists, shows, applies and drops
// such commits. They have the shape of a git stash commit, so that `git stash
// apply <ref>` works on them:
//
//	first parent    the commit HEAD was at
//	second parent   the index; its message names what a tree cannot hold
//	third parent    untracked files, where there are any or a fourth follows
//	fourth parent   the raw bytes of files that git stores otherwise (eol, filters)
//
// Every path that was not asked for is as in the first parent. Preserving
// moves nothing; nothing here touches the person's own stash list, and nothing
// but Drop ever deletes a ref.
//
//	commit, err := store.Snapshot(ctx, stash.Request{Head: head, Paths: paths, Message: text, Scratch: dir})
//	err = store.Save(ctx, stash.PendingRef(run, step), commit)
package stash

import (
	"context"
	"io"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// Git is what preserving asks of git.
type Git interface {
	place.Git
	objects
	refs
	// Overlay is the tree of base with entries put in and then the worktree
	// paths as `git add` would store them.
	Overlay(ctx context.Context, scratch, base string, entries []object.Entry, worktree []string) (tree string, stored map[string]object.Entry, err error)
	StoreRaw(ctx context.Context, paths []string) (ids []string, err error)
}

type objects interface {
	Entries(ctx context.Context, treeish string) ([]object.Entry, error)
	EntriesAt(ctx context.Context, treeish string, paths []string) ([]object.Entry, error)
	DiffTrees(ctx context.Context, from, to string) ([]object.Change, error)
	Commits(ctx context.Context, ids []string) (map[string]object.Commit, error)
	WriteCommit(ctx context.Context, c object.NewCommit) (string, error)
	CopyBlobs(ctx context.Context, ids []string, each func(i int, content io.Reader) error) error
	EmptyTree(ctx context.Context) (string, error)
	Patch(ctx context.Context, from, to string) ([]byte, error)
}

type refs interface {
	Refs(ctx context.Context, under ...string) ([]object.Ref, error)
	UpdateRefs(ctx context.Context, why string, updates ...object.RefUpdate) error
}

// Store preserves paths of one working tree.
type Store struct {
	Git Git
	Top string // of the working tree
}

// Refusal is a state in which nothing was touched, on purpose.
type Refusal = place.Refusal

// Disk is the working tree; any object id tells the object format.
func (s *Store) Disk(id string) place.Disk { return place.Disk{Top: s.Top, SHA256: len(id) == 64} }
