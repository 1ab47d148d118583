package run

import "context"

// mayLeave refuses to take HEAD and the working tree to another commit where that
// would lose what is here and nowhere else.
func (s *session) mayLeave(ctx context.Context, to string) error {
	if err := s.needKept(ctx, to); err != nil {
		return err
	}
	return s.needRoom(ctx, s.head.ID, to, "run this again")
}

// needKept: a detached HEAD is all that holds its commits where no ref contains
// them; left, they are in its reflog for some weeks, and then nowhere.
func (s *session) needKept(ctx context.Context, to string) error {
	if s.head.Branch != "" || s.head.ID == "" {
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
