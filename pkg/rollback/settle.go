package rollback

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
)

// Paths lists every path, sorted, that the target and any part of the
// preserving commit have otherwise: what Move and PutBack are to be given.
func (r *Roller) Paths(ctx context.Context, stashCommit, target string) ([]string, error) {
	content, err := r.store().Open(ctx, stashCommit)
	if err != nil {
		return nil, err
	}
	paths := content.Paths()
	changes, err := r.Git.DiffTrees(ctx, target, content.Base)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// Settle ends a rollback: pending becomes the step's next number in one
// transaction, or goes where that work is kept already. It answers the ref
// that keeps it, "" where no rollback is pending.
func (r *Roller) Settle(ctx context.Context, run, step string) (ref string, err error) {
	store, pending := r.store(), stash.PendingRef(run, step)
	commit, err := store.Value(ctx, pending)
	if err != nil || commit == "" {
		return "", err
	}
	ref, err = store.Number(ctx, stash.StepPrefix(run, step), commit, "settle", object.RefUpdate{Name: pending, Old: commit})
	if err != nil {
		return "", fmt.Errorf("settle the rollback of %s/%s: %w", run, step, err)
	}
	return ref, nil
}
