package run

import (
	"context"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
)

// wantShared notes that a step's preserved work is to go to the remote, where the
// plan says that it is expensive (keep_partial) or a person did. Until it is there
// every later command tries: what only this clone has goes with it.
func (s *session) wantShared(step, commit string) error {
	found, _ := s.plan.Step(step)
	wanted := s.sharing || found != nil && found.KeepPartial
	if !wanted || commit == "" || slices.Contains(s.local.Unshared, commit) {
		return nil
	}
	s.local.Unshared = append(s.local.Unshared, commit)
	return s.saveLocal()
}

// sharePartial pushes a step's preserved work, where that is wanted. That it cannot
// be pushed is told and stops nothing: it is preserved here.
func (s *session) sharePartial(ctx context.Context, step, ref string) error {
	if ref == "" {
		return nil
	}
	commit, err := s.Git.Ref(ctx, ref)
	if err != nil {
		return err
	}
	if err := s.wantShared(step, commit); err != nil {
		return err
	}
	return s.shareLeft(ctx)
}

// shareLeft pushes what is preserved here alone and was to be pushed, each under a
// name that nobody has there.
func (s *session) shareLeft(ctx context.Context) error {
	if len(s.local.Unshared) == 0 || !s.remote.answers() || s.local.NoPush {
		return nil
	}
	left, waiting, err := s.unshared(ctx)
	if err != nil {
		return err
	}
	s.local.Unshared = waiting
	left = slices.DeleteFunc(left, func(one stash.Saved) bool { return s.keptBack(ctx, one) })
	var refs []object.PushRef
	for _, one := range left {
		refs = append(refs, object.PushRef{Name: one.Ref, ID: one.Commit, CAS: true})
	}
	var verdicts []object.PushVerdict
	if len(refs) > 0 {
		verdicts, err = s.Git.Push(ctx, s.remote.name, object.Push{Refs: refs, Apart: true})
	}
	for _, one := range left {
		if err == nil || slices.ContainsFunc(verdicts, func(v object.PushVerdict) bool { return v.Ref == one.Ref && v.Flag == '*' }) {
			s.remote.partial[one.Ref] = one.Commit
			s.Notify("%s: its partial work is on %q too", one.Step, s.remote.name)
			continue
		}
		s.local.Unshared = append(s.local.Unshared, one.Commit)
		s.Notify("%s: its partial work is kept here only: %s", one.Step, whyRefused(verdicts, err))
	}
	if err := s.saveLocal(); err != nil {
		return err
	}
	return ctx.Err()
}

// unshared are the refs of what was to be pushed and is not seen there: not what
// somebody dropped meanwhile, nor what a certificate was made of. waiting is the
// work of a rollback under way, which has no name yet.
func (s *session) unshared(ctx context.Context) (left []stash.Saved, waiting []string, err error) {
	saved, err := s.store.List(ctx, s.run)
	for _, one := range saved {
		switch {
		case !slices.Contains(s.local.Unshared, one.Commit) || s.remote.partial[one.Ref] == one.Commit:
		case one.N == 0:
			waiting = append(waiting, one.Commit)
		case !s.served(one, s.standing(one.Step)):
			left = append(left, one)
		}
	}
	return left, waiting, err
}

// served reports whether preserved work is from before its step was certified.
func (s *session) served(one stash.Saved, r *ledger.Record) bool {
	began, on := s.ledger.Place(one.Base)
	return r != nil && on && began < r.Index
}

// sharingAtEnd is how long work in flight may take to reach the remote after an
// interrupt; a container gets 30 seconds between SIGTERM and SIGKILL.
const sharingAtEnd = 8 * time.Second

// shareInterrupted preserves what an interrupted job of an expensive step made
// and pushes that: the machine may be gone before anybody resumes here. The
// work stays where it is, for a resume that does come.
func (s *session) shareInterrupted(ctx context.Context, w *work) {
	if !w.step.KeepPartial || !w.job() || !s.remote.answers() || s.local.NoPush {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), sharingAtEnd)
	defer stop()
	view, err := s.survey(ctx, w)
	if err != nil || len(view.mine) == 0 {
		return // resume tells what is wrong with it
	}
	ref, err := s.preserve(ctx, w.step.ID, view.mine, s.partialMessage(w, nil, w.boundary))
	if err != nil {
		s.Notify("%s: its partial work is in this working tree only: %v", w.step.ID, err)
		return
	}
	_ = s.sharePartial(ctx, w.step.ID, ref) // it has told
}
