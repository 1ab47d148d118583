// Package place puts exactly given paths of one working tree and its index
// into a wanted state. It decides by bytes: every file is hashed as it lies on
// disk, every wanted file is ready in a scratch folder before the first path
// moves, and what is neither the wanted state nor a known, preserved one is
// reported, never overwritten.
//
// It never follows a symbolic link, never removes a file whose bytes it did
// not expect, never removes a folder that is not empty, and runs no git
// command that does (no clean, no checkout, no restore).
//
//	plan, err := mover.Plan(ctx, job)
//	if err == nil && len(plan.Foreign()) == 0 {
//		moved, err := plan.Carry(ctx)
//	}
package place

import (
	"context"

	"github.com/git-agent/git-agent/pkg/object"
)

// Git is what moving paths asks of git.
type Git interface {
	IndexEntries(ctx context.Context, scratch string, among []string) ([]object.IndexEntry, error)
	PutIndex(ctx context.Context, scratch string, entries []object.IndexEntry) error
	Lock() (path string, present bool)
	// Aliases are those of the paths that are another one of them in another
	// case, on a file system that does not tell case apart.
	Aliases(paths []string) []string
	FileModes() bool
	Symlinks() bool
}

// Refusal is a state in which nothing was touched, on purpose.
type Refusal struct {
	Reason string
	Hints  []string // commands that go on, each can be pasted
}

func (r *Refusal) Error() string { return r.Reason }
