package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// keepFixpoint preserves and pushes what a failed attempt at an expensive step
// left, and leaves it where it is, for the next attempt here. f is nil where the
// attempt was cancelled. What cannot be preserved is still in the tree.
func (s *session) keepFixpoint(ctx context.Context, w *work, view *survey, f *failure) (ref string, err error) {
	if !w.step.KeepPartial || len(view.paths()) == 0 {
		return "", nil
	}
	ref, err = s.preserve(ctx, w.step.ID, view.paths(), s.partialMessage(w, f, w.boundary))
	if err != nil {
		s.Notify("%s: its partial work is in this working tree only: %v", w.step.ID, err)
		return "", ctx.Err()
	}
	s.Notify("%s: its partial work is kept at %s too", w.step.ID, ref)
	return ref, s.sharePartial(ctx, w.step.ID, ref)
}

// goOnFrom brings what the last failed attempt elsewhere left of an expensive
// fixpoint step, so that the first attempt in a clone builds on it. It is done
// once the attempt is open: whatever of it is there after a kill is the step's.
// Where it cannot be applied nothing is written, and the brief names it.
func (s *session) goOnFrom(ctx context.Context, step *plan.Step, a *attempt) error {
	if !step.Fixpoint || !step.KeepPartial || !a.Job || s.ledger.Newest(step.ID) != nil || s.triedHere(a) {
		return nil
	}
	ref, err := s.leftElsewhere(ctx, step.ID)
	if err != nil || ref == "" {
		return err
	}
	tmp, err := s.tmp()
	if err != nil {
		return err
	}
	s.forget()
	if err := s.store.Apply(ctx, ref, tmp); err != nil {
		s.Notify("%s: what an earlier attempt left at %s was not brought back: %v", step.ID, ref, err)
		return ctx.Err()
	}
	s.Notify("%s: goes on from what an earlier attempt left at %s (fixpoint)", step.ID, ref)
	return nil
}

// triedHere reports whether this clone made another attempt at the step: what it
// left is in the tree then, or somebody took it out of there.
func (s *session) triedHere(a *attempt) bool {
	all, _ := job.List(s.State, s.run)
	return slices.ContainsFunc(all, func(o *job.Attempt) bool { return o.Step == a.Step && o.Attempt != a.ID && !o.Far })
}

// leftElsewhere is the newest ref that preserves a failed attempt at a step, "" for none.
func (s *session) leftElsewhere(ctx context.Context, step string) (string, error) {
	found, newest := "", -1
	for _, r := range s.stashes {
		n, ok := stash.NumberOf(r.Name, s.run, step)
		if !ok || n <= newest {
			continue
		}
		c, err := s.Git.ReadCommit(ctx, r.ID)
		if err != nil {
			return "", err
		}
		if m := trailers.Read(c.Message); m.Kind == trailers.FailureRecord && m.Evidence.Run == s.run && m.Evidence.Step == step {
			found, newest = r.Name, n
		}
	}
	return found, nil
}
