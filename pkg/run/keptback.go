package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/stash"
)

// keptBack tells, once, of preserved work that is not for every clone: it holds
// unfiltered what git lets nobody see in the repository, as a secret that a filter
// encrypts. To push that is a person's decision.
func (s *session) keptBack(ctx context.Context, one stash.Saved) bool {
	paths, err := s.store.Unfiltered(ctx, one.Commit)
	switch {
	case err != nil:
		s.local.Unshared = append(s.local.Unshared, one.Commit)
		s.Notify("%s: its partial work is kept here only: %v", one.Step, err)
	case len(paths) > 0:
		s.Notify("%s: its partial work is kept here only: it holds %s unfiltered, as the repository does not; git push %s %s shares it all the same",
			one.Step, listPaths(paths), quoteArg(s.remote.name), one.Ref)
	}
	return err != nil || len(paths) > 0
}
