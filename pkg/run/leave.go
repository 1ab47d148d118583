package run

import (
	"context"
	"errors"
	"slices"
)

// mayLeave refuses to take HEAD and the working tree to another commit where that
// would lose what is here and nowhere else.
func (s *session) mayLeave(ctx context.Context, to string) error {
	if err := s.needKept(ctx, to); err != nil {
		return err
	}
	from, err := s.headTree(ctx)
	if err != nil {
		return err
	}
	return s.needRoom(ctx, from, to, "run this again")
}

// needKept: a detached HEAD is all that holds its commits where no ref contains
// them; left, they are in its reflog for some weeks, and then nowhere.
func (s *session) needKept(ctx context.Context, to string) error {
	if s.head.Branch != "" || s.head.ID == "" || s.unbegun() {
		return nil
	}
	kept, err := s.Git.Kept(ctx, s.head.ID)
	if err == nil && !kept {
		kept, err = s.Git.IsAncestor(ctx, s.head.ID, to) // a run that begins here
	}
	if err != nil || kept {
		return err
	}
	return failf("COMMITS_IN_THE_WAY", ExitPerson, "HEAD is detached at %s, which no branch or other ref has: it would be lost; nothing was moved", short(s.head.ID)).
		hint("%s   # then run this again", keepCommit(s.head.ID))
}

// keepCommit is the command that gives a commit a branch.
func keepCommit(id string) string { return "git branch kept-" + short(id) + " " + id }

// gitRefused is git's refusal to take the working tree from HEAD to a commit, with
// the commands that make way: what git was told not to look at no stash sees.
func (s *session) gitRefused(ctx context.Context, code string, cause error, to, then string) error {
	hidden, err := s.hiddenFrom(ctx, to)
	if err != nil {
		return errors.Join(cause, err)
	}
	if len(hidden) == 0 {
		status, err := s.status(ctx)
		if err != nil {
			return errors.Join(cause, err)
		}
		return fail(code, ExitPerson, cause, "git status", s.putAside(stashingAll(status, "git stash push --include-untracked"), "git add --all && ")+"   # "+then)
	}
	return failf(code, ExitPerson, "%w; changed here, and git was told not to look at it: %s", cause, listPaths(hidden)).
		hint("%s && %s   # %s", s.lookAgain(hidden), s.putAside("git stash push -- "+pathspecs(hidden), ""), then)
}

// hiddenFrom are the changes behind git's flags that a move to a commit meets.
func (s *session) hiddenFrom(ctx context.Context, to string) ([]string, error) {
	flagged, _, err := s.Git.Flagged(ctx)
	if err != nil {
		return nil, err
	}
	hidden, err := s.unlikeIndex(ctx, flagged)
	if err != nil || len(hidden) == 0 {
		return nil, err
	}
	from, err := s.headTree(ctx)
	if err != nil {
		return nil, err
	}
	coming, err := s.changedBetween(ctx, from, to)
	return slices.DeleteFunc(pathsOf(hidden), func(p string) bool { return !coming[p] }), err
}
