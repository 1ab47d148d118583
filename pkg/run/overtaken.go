package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/ledger"
)

// done retires an attempt whose step has its record.
func (s *session) done(ctx context.Context, a *attempt, r *ledger.Record) error {
	where := "before the kill"
	if !s.madeHere(r.Commit.ID) {
		where = "elsewhere"
		if err := s.overtaken(ctx, a); err != nil {
			return err
		}
	}
	s.Notify("%s was certified as %s %s", a.Step, short(r.Commit.ID), where)
	return s.retire(a)
}

// overtaken preserves what a killed job left of a step that was certified
// elsewhere meanwhile, and takes it to what the certificate holds: no check saw
// the one beside the other.
func (s *session) overtaken(ctx context.Context, a *attempt) error {
	step := s.stepOf(a)
	if !a.Job || step == nil {
		return nil
	}
	w, err := s.work(ctx, step, a, "", "resume "+s.run)
	if err != nil {
		return err
	}
	view, err := s.survey(ctx, w)
	if err != nil || len(view.mine) == 0 {
		return err
	}
	if err := s.roller.Refuse(ctx, s.head.ID, view.mine); err != nil {
		return asRefusal(err)
	}
	ref, err := s.preserve(ctx, a.Step, view.mine, s.partialMessage(w, nil, ""))
	if err != nil {
		return err
	}
	s.Notify("%s: what attempt %d left is kept at %s", a.Step, a.Number, ref)
	return s.moveKept(ctx, ref, s.head.ID, view.mine)
}
