package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/object"
)

// startBranch makes the branch where it is missing and puts HEAD on it.
func (s *session) startBranch(ctx context.Context, req StartRequest) (*Report, error) {
	if err := s.reload(ctx); err != nil {
		return nil, err
	}
	if done, err := s.landedBefore(ctx); err != nil || done {
		return s.reportAnd(err)
	}
	if err := s.needBranchThere(ctx); err != nil {
		return nil, err
	}
	if err := s.mayLeaveRun(ctx); err != nil {
		return nil, err
	}
	s.Fault("start-branch")
	if err := s.beginBranch(ctx); err != nil {
		return nil, err
	}
	s.Fault("start-switch")
	if err := s.ontoBranch(ctx); err != nil {
		return nil, err
	}
	s.local.NoPush = s.local.NoPush || req.NoPush
	s.local.Top, s.local.Target = job.Text(s.Place.Top), s.targetName("")
	s.noteTaken()
	if err := s.saveLocal(); err != nil {
		return nil, err
	}
	if err := s.reload(ctx); err != nil {
		return nil, err
	}
	s.did = "started"
	s.Fault("start-push")
	return s.pushAndReport(ctx)
}

// beginBranch makes the run's branch at what the remote has of it, else at the base.
func (s *session) beginBranch(ctx context.Context) error {
	if s.tip != "" {
		return nil
	}
	if s.remote.plan != "" && s.remote.branch == "" && s.remote.answers() {
		return s.branchGoneThere()
	}
	tip := first(s.remote.branch, s.base)
	if err := s.Git.UpdateRefs(ctx, s.why("start", ""), object.RefUpdate{Name: s.branch, New: tip}); err != nil {
		return err
	}
	s.tip = tip
	return nil
}

// ontoBranch puts HEAD on the run's branch unless another working tree has it.
func (s *session) ontoBranch(ctx context.Context) error {
	if s.head.Branch == s.branch {
		return nil
	}
	if err := s.branchFree(ctx); err != nil {
		return err
	}
	if err := s.mayLeave(ctx, s.tip); err != nil {
		return err
	}
	from, err := s.headTree(ctx)
	if err != nil {
		return err
	}
	var hook error
	err = s.past(ctx, from, s.tip, func() (err error) { hook, err = s.Git.Switch(ctx, s.branch); return err })
	if hook != nil {
		s.Notify("HEAD is on %s; the post-checkout hook failed after that: %v", ShortBranch(s.branch), hook)
	}
	if err != nil {
		return s.gitRefused(ctx, "WRONG_BRANCH", fmt.Errorf("switch to %s: %w", ShortBranch(s.branch), err), s.tip, "then run this again")
	}
	if s.head, err = s.Git.Head(ctx); err != nil {
		return err
	}
	if err := s.syncBetween(ctx, from, s.head.ID); err != nil {
		return err
	}
	return s.moved(ctx, from)
}

// branchFree refuses what only the working tree can do that has the run's branch.
func (s *session) branchFree(ctx context.Context) error {
	elsewhere, err := s.Git.CheckedOutAt(ctx, s.branch)
	if err != nil {
		return err
	}
	if len(elsewhere) > 0 && elsewhere[0].Gone {
		return failf("CHECKED_OUT", ExitPerson, "branch %s is checked out in the working tree %s, which is not there any more; nothing was moved", ShortBranch(s.branch), elsewhere[0].Path).
			hint("%s   # then run this again", forgetTree(elsewhere[0]))
	}
	if len(elsewhere) > 0 && elsewhere[0].End != "" {
		return failf("CHECKED_OUT", ExitPerson, "branch %s is being rebased or bisected in the working tree %s; nothing was moved", ShortBranch(s.branch), elsewhere[0].Path).
			hint("git -C %s status", quoteArg(elsewhere[0].Path)).
			hint("git -C %s %s   # or finish it; then: cd %s && git agent resume %s", quoteArg(elsewhere[0].Path), elsewhere[0].End, quoteArg(elsewhere[0].Path), s.run)
	}
	if len(elsewhere) > 0 {
		return failf("CHECKED_OUT", ExitPerson, "branch %s is checked out in the working tree %s; nothing was moved", ShortBranch(s.branch), elsewhere[0].Path).
			hint("cd %s && git agent resume %s", quoteArg(elsewhere[0].Path), s.run)
	}
	return nil
}

// forgetTree is the command by which git no longer counts a working tree whose
// folder is gone. A locked one may be on a disk that is not there just now.
func forgetTree(w object.Worktree) string {
	if w.Locked {
		return "git worktree unlock " + quoteArg(w.Path) + " && git worktree prune"
	}
	return "git worktree prune"
}

// pushAndReport ends a command: what it made goes to the remote, what is there
// now is reported, also where the push did not work.
func (s *session) pushAndReport(ctx context.Context) (*Report, error) {
	err := s.push(ctx)
	r, errReport := s.report()
	return r, errors.Join(err, errReport)
}
