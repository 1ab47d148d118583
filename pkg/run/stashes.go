package run

import (
	"context"
	"errors"
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
	return d, noStash(ref, err)
}

// StashPatch is what one ref preserves, as a patch.
func (e *Engine) StashPatch(ctx context.Context, ref string) ([]byte, error) {
	patch, err := e.store.Patch(ctx, stashRef(ref))
	return patch, noStash(ref, err)
}

// StashApply brings preserved work back, byte for byte, where nothing else
// changed the same paths; else it writes nothing.
func (e *Engine) StashApply(ctx context.Context, ref string) error {
	ref = stashRef(ref)
	run, unlock, err := e.lockOf(ctx, ref, "stash apply")
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
	return noStash(ref, asRefusal(e.store.Apply(ctx, ref, tmp)))
}

// lockOf takes the lock of the run that a ref preserves work of.
func (e *Engine) lockOf(ctx context.Context, ref, verb string) (run string, unlock func(), err error) {
	if run, err = stash.RunOf(ref); err != nil {
		return "", nil, noStash(ref, err)
	}
	unlock, err = e.lock(ctx, run, verb)
	return run, unlock, err
}

// StashDrop deletes a ref, on the remote too where it was pushed (or the next
// resume brings it back), and answers the commit that it named. Of a rollback under
// way it is all there is to finish it by.
func (e *Engine) StashDrop(ctx context.Context, ref string) (commit string, there bool, err error) {
	ref = stashRef(ref)
	run, unlock, err := e.lockOf(ctx, ref, "stash drop")
	if err != nil {
		return "", false, err
	}
	defer unlock()
	commit, err = e.Git.Ref(ctx, ref)
	if commit != "" && strings.HasSuffix(ref, "/pending") {
		return "", false, failf("REFUSED", ExitPerson, "%s is of a rollback that is under way and could not be finished without it; nothing was dropped", ref).
			hint("git agent resume %s", run)
	}
	if err == nil && commit != "" {
		there, err = e.dropPushed(ctx, run, stash.Saved{Ref: ref, Commit: commit})
	}
	if err != nil {
		return "", false, err
	}
	return commit, there, noStash(ref, e.store.Drop(ctx, ref))
}

// dropPushed drops what the remote has of it; a run that cannot be read has
// nothing that comes back.
func (e *Engine) dropPushed(ctx context.Context, run string, one stash.Saved) (there bool, err error) {
	s, err := e.lookAround(ctx, run, false)
	if err != nil || s.remote.name == "" || s.local.NoPush {
		return false, ctx.Err()
	}
	if s.remote.err != nil {
		e.Notify("%s goes here only: %v; where it was pushed, a resume brings it back", one.Ref, s.remote.err)
		return false, ctx.Err()
	}
	there, asked := s.dropThere(ctx, []stash.Saved{one})[one.Ref]
	if asked && !there {
		return false, failf("NOT_PUSHED", ExitNotPushed, "%s was dropped neither here nor on %q", one.Ref, s.remote.name).
			hint("git agent stash drop %s", quoteArg(one.Ref))
	}
	return there, nil
}

// stashRef accepts the name without its root, as a person types it.
func stashRef(ref string) string {
	if strings.HasPrefix(ref, "refs/") {
		return ref
	}
	return stash.Root + ref
}

// noStash: commits that lost a race are looked at and taken by git's own commands.
func noStash(ref string, err error) error {
	if err == nil || CodeOf(err) != "UNKNOWN" {
		return err
	}
	if errors.Is(err, stash.ErrCommits) {
		lost := quoteArg("HEAD.." + stashRef(ref))
		return fail("STASH", ExitNo, fmt.Errorf("preserved work: %w", err), "git log -p "+lost,
			"git cherry-pick --no-commit "+lost+"   # on the run's branch: what they changed, to be certified anew")
	}
	return fail("STASH", ExitNo, fmt.Errorf("preserved work: %w", err), "git agent stash list")
}
