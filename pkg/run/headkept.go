package run

import "context"

// headKept is asked wherever checks or a job took their time, before what lies
// here is judged or moved: somebody, or the check itself, may have put HEAD
// elsewhere meanwhile, and then it is another branch's.
func (s *session) headKept(ctx context.Context, step string) error {
	head, err := s.Git.Head(ctx)
	if err != nil || head.Branch == s.branch && head.ID == s.tip {
		return err
	}
	where := ShortBranch(head.Branch)
	if head.Branch == s.branch || where == "" {
		where = first(where, "no branch") + " at " + short(head.ID)
	}
	return failf("WRONG_BRANCH", ExitPerson, "step %s: HEAD went from %s at %s to %s meanwhile; what lies there was not judged, and not moved",
		step, ShortBranch(s.branch), short(s.tip), where).hint("git status").hint("git agent resume %s", s.run)
}
