package run

import "context"

// headTree is what HEAD holds, to compare with: the empty tree on a branch that
// has no commit yet (`git checkout --orphan`), as git takes it to switch from there.
func (s *session) headTree(ctx context.Context) (string, error) {
	if s.head.ID != "" {
		return s.head.ID, nil
	}
	return s.Git.EmptyTree(ctx)
}

// putAside is the command that takes changes out of the way. On a branch without
// a commit git stashes nothing: there, its first one keeps them.
func (s *session) putAside(stash, before string) string {
	if s.head.ID != "" {
		return stash
	}
	return before + "git commit --all --allow-empty -m " + quoteArg("work on "+ShortBranch(s.head.Branch))
}
