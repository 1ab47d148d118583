package run

import (
	"context"
)

// ready is row 1: the plan is trusted, HEAD is on the branch, nothing that an
// earlier command left is in the way, and what it certified is pushed.
//
// A cancelled run is opened again last of all, once what is asked for can be
// done: a refusal must not undo somebody's cancel.
func (s *session) ready(ctx context.Context, req StepRequest) error {
	s.local.NoPush = s.local.NoPush || req.NoPush
	if err := s.samePlace(); err != nil {
		return err
	}
	if err := s.needTrust(ctx, s.vouched); err != nil {
		return err
	}
	if err := s.needNotCancelled(ctx, leaveCancelled); err != nil {
		return err
	}
	if err := s.settleAttempts(ctx, leaveAlive); err != nil {
		return err
	}
	if s.head.Branch != s.branch {
		return s.wrongBranch()
	}
	if err := s.notBehind(ctx); err != nil {
		return err
	}
	if err := s.takeUnseen(ctx, req.Stray); err != nil {
		return err
	}
	if err := s.foreseeStep(ctx, req); err != nil {
		return err
	}
	if err := s.needNotCancelled(ctx, openAgain); err != nil {
		return err
	}
	if err := s.finishEarlier(ctx, req.Stray); err != nil {
		return err
	}
	s.Fault("row1")
	return nil
}

// finishEarlier completes what earlier commands, killed or offline, left
// behind, in the one order that is safe: rollbacks before anything is looked at.
func (s *session) finishEarlier(ctx context.Context, stray string) error {
	if err := s.needVersions(); err != nil {
		return err
	}
	if err := s.finishRollbacks(ctx); err != nil {
		return err
	}
	if err := s.completeRecorded(ctx); err != nil {
		return err
	}
	if err := s.takeGone(ctx, stray); err != nil {
		return err
	}
	return s.pushEarlier(ctx)
}

// pushEarlier retries what an earlier command could not push, before a job
// takes an hour. That it still cannot is told at the end; a run that moved on
// elsewhere stops here.
func (s *session) pushEarlier(ctx context.Context) error {
	if !s.remote.answers() {
		return nil
	}
	err := s.pushTo(ctx, s.soundTip())
	if CodeOf(err) == "LOST" || ctx.Err() != nil {
		return err
	}
	return s.mayRun(ctx) // the plan may have moved on under the push
}

// notBehind: a step only builds on everything that the remote has, or had.
func (s *session) notBehind(ctx context.Context) error {
	if err := s.needBranchThere(ctx); err != nil {
		return err
	}
	if behind, err := s.behind(ctx); err != nil || !behind {
		return err
	}
	return s.lost(map[string]string{s.branch: s.remote.branch})
}

// behind reports whether the remote's branch has commits that are not here.
func (s *session) behind(ctx context.Context) (bool, error) {
	there := s.remote.branch
	if there == "" || there == s.tip || !s.remote.answers() {
		return false, nil
	}
	has, err := s.holds(ctx, there)
	return err == nil && !has, err
}

// holds reports whether the branch here contains a commit, on its first-parent
// chain or through a merge.
func (s *session) holds(ctx context.Context, commit string) (bool, error) {
	if _, on := s.ledger.Place(commit); on {
		return true, nil
	}
	return s.Git.IsAncestor(ctx, commit, s.tip)
}
