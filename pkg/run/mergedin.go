package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
)

// Where target and run changed the same lines, a person merges the target on the
// run's branch and settles it there. What came so is nobody's work in flight.

// mergesOfTarget are the merges on the branch of commits that the target has.
func (s *session) mergesOfTarget(ctx context.Context, l *ledger.Ledger) (map[string]bool, error) {
	tips, err := s.targetTips(ctx)
	if err != nil {
		return nil, err
	}
	return s.mergesOf(ctx, l, tips)
}

// mergesOf are the merges on the branch of commits that these tips have.
func (s *session) mergesOf(ctx context.Context, l *ledger.Ledger, tips []string) (map[string]bool, error) {
	found, merged := map[string]bool{}, []string{}
	for _, c := range l.Chain {
		if len(c.Parents) == 2 {
			merged = append(merged, c.Parents[1])
		}
	}
	if len(tips) == 0 || len(merged) == 0 {
		return found, nil
	}
	beside := map[string]bool{} // of what was merged, what the target has not
	if err := s.Git.Unpublished(ctx, merged, tips, nil, func(c object.Commit) { beside[c.ID] = true }); err != nil {
		return nil, err
	}
	for _, c := range l.Chain {
		found[c.ID] = len(c.Parents) == 2 && !beside[c.Parents[1]]
	}
	return found, nil
}

// targetTips are the places where the target was seen: on the remote, else here.
func (s *session) targetTips(ctx context.Context) (tips []string, err error) {
	target := s.targetName("")
	if target == "" {
		return nil, nil
	}
	names := []string{headsPrefix + target}
	if !s.landsHere() {
		names = []string{trackTarget(s.remote.name, s.run), theirBranch(s.remote.name, headsPrefix+target)}
	}
	refs, err := s.Git.Refs(ctx, names...)
	for _, r := range refs {
		for _, name := range names {
			if r.Name == name { // asked for by prefix
				tips = append(tips, r.ID)
			}
		}
	}
	return tips, err
}

// aboveMerges is the newest of such merges that lie directly above a place of the
// chain: what a commit between them holds may be work.
func (s *session) aboveMerges(at int) int {
	for at+1 < len(s.ledger.Chain) && s.brought[s.ledger.Chain[at+1].ID] {
		at++
	}
	return at
}
