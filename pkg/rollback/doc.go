// Package rollback moves exact paths back to what a commit holds, and forth
// again to what a preserving commit (package stash) holds. It knows nothing of
// plans or steps' touches: paths, ids and messages are handed in. Of a
// submodule it moves the index entry; the folder is another repository's.
//
// The caller's sequence is
//
//	err := roller.Refuse(ctx, target, paths)           // nothing moves
//	commit, err := store.Snapshot(ctx, …)              // nothing moves
//	err = store.Save(ctx, stash.PendingRef(run, step), commit)
//	// a branch with uncertified commits goes back here
//	moved, err := roller.Move(ctx, rollback.Request{…})
//	ref, err := roller.Settle(ctx, run, step)          // or PutBack, then Drop of pending
//
// After a kill anywhere, whoever finds the pending ref takes the stash from
// it, Paths from that, and calls Move again. Bytes that are neither preserved
// nor the target's are preserved in a further ref before anything overwrites
// them. No code path here runs a git command that discards.
package rollback

import (
	"context"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// Git is what moving paths asks of git beside what preserving them does.
type Git interface {
	stash.Git
	// Operation names a merge, rebase, … under way, "" for none.
	Operation() (what, end string)
	Ignored(ctx context.Context, paths []string) ([]string, error)
	Status(ctx context.Context) ([]object.FileStatus, error)
	CheckoutInto(ctx context.Context, scratch, treeish string, paths []string, folder string, own bool) error
}

// Roller moves paths of one working tree.
type Roller struct {
	Git Git
	Top string // of the working tree
	Now func() time.Time
	// Fault is called before each thing that cannot be taken back; only tests
	// set it, to die there.
	Fault func(point string)
}

// Refusal is a state in which nothing was touched, on purpose.
type Refusal = place.Refusal

func (r *Roller) store() *stash.Store { return &stash.Store{Git: r.Git, Top: r.Top} }

func (r *Roller) mover(id string) place.Mover {
	return place.Mover{Git: r.Git, Disk: r.store().Disk(id), Fault: r.Fault}
}
