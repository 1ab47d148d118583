package run

import (
	"context"
	"errors"

	"github.com/git-agent/git-agent/pkg/lease"
)

// fenced ends a holder whose epoch is past, or who was cancelled from another
// clone: its work is preserved, and who won is told.
func (s *session) fenced(ctx context.Context, w *work) error {
	ctx = context.WithoutCancel(ctx)
	left := s.cutOff(ctx, w)
	s.hold.mine = lease.Lease{}
	if err := s.ask(ctx); err != nil {
		return err
	}
	by, err := s.readLease(ctx)
	if err != nil {
		return err
	}
	if by.State == lease.Cancelled {
		return s.stoppedAs(ctx, w, left)
	}
	f := failf("LOST", ExitLost, "step %s: the run was taken over by %s; nothing was certified here", w.step.ID, describe(by))
	if left != nil {
		return errors.Join(f.hint("git status").hint("git agent resume %s", s.run), left)
	}
	view, err := s.survey(ctx, w)
	if err != nil {
		return errors.Join(f, err)
	}
	if len(view.mine) > 0 {
		ref, err := s.preserve(ctx, w.step.ID, view.mine, s.partialMessage(w, nil, w.boundary))
		if err != nil {
			return errors.Join(f, err)
		}
		f = f.hint("git agent stash show %s", ref)
	}
	return f.hint("git agent resume %s", s.run)
}
