package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/stash"
)

// Stashes lists what is preserved of a run.
func (e *Engine) Stashes(ctx context.Context, run string) ([]stash.Saved, error) {
	return e.store.List(ctx, run)
}

// StashShow says what one ref preserves.
func (e *Engine) StashShow(ctx context.Context, ref string) (stash.Detail, error) {
	d, err := e.store.Show(ctx, stashRef(ref))
	return d, noStash(err)
}

// StashPatch is what one ref preserves, as a patch.
func (e *Engine) StashPatch(ctx context.Context, ref string) ([]byte, error) {
	patch, err := e.store.Patch(ctx, stashRef(ref))
	return patch, noStash(err)
}

// StashApply brings preserved work back, byte for byte, where nothing else
// changed the same paths; else it writes nothing.
func (e *Engine) StashApply(ctx context.Context, ref string) error {
	ref = stashRef(ref)
	run, _, _ := strings.Cut(strings.TrimPrefix(ref, stash.Root), "/")
	unlock, err := e.lock(ctx, run, "stash apply")
	if err != nil {
		return err
	}
	defer unlock()
	head, err := e.Git.Head(ctx)
	if err != nil {
		return err
	}
	if err := e.noJobOf(e.runOfBranch(head.Branch)); err != nil {
		return err
	}
	s := &session{Engine: e, run: run}
	tmp, err := s.tmp()
	if err != nil {
		return err
	}
	return noStash(asRefusal(e.store.Apply(ctx, ref, tmp)))
}

// StashDrop deletes a ref and answers the commit that it named.
func (e *Engine) StashDrop(ctx context.Context, ref string) (commit string, err error) {
	ref = stashRef(ref)
	commit, err = e.Git.Ref(ctx, ref)
	if err != nil {
		return "", err
	}
	return commit, noStash(e.store.Drop(ctx, ref))
}

// stashRef accepts the name without its root, as a person types it.
func stashRef(ref string) string {
	if strings.HasPrefix(ref, "refs/") {
		return ref
	}
	return stash.Root + ref
}

func noStash(err error) error {
	if err == nil || CodeOf(err) != "UNKNOWN" {
		return err
	}
	return fail("STASH", ExitNo, fmt.Errorf("preserved work: %w", err), "git agent stash list")
}
