package run

import (
	"context"
	"errors"

	"github.com/git-agent/git-agent/pkg/object"
)

// A server that knows no atomic push, or takes no refs outside heads and tags,
// still is a remote: the branch alone is the fence then, fast-forward only,
// and the plan goes to a branch of its own.

const planBranchPrefix = headsPrefix + "agent-plan/"

// planThere is the ref that holds the plan on the remote.
func (s *session) planThere() string {
	if s.local.BranchOnly {
		return planBranchPrefix + s.run
	}
	return PlanRef(s.run)
}

// withoutLease notes, once, that the server refuses the lease's ref.
func (s *session) withoutLease() (won bool, err error) {
	s.local.BranchOnly = true
	s.Notify("%q takes no refs outside heads and tags, or no atomic push: the branch alone is the fence, the plan goes to %s",
		s.remote.name, ShortBranch(s.planThere()))
	return true, s.saveLocal()
}

// branchAlone is the second question after a push of several refs that was
// refused: does the server take the branch by itself, and the plan as a branch?
func (s *session) branchAlone(ctx context.Context, refs []object.PushRef) (taken bool, err error) {
	if s.local.BranchOnly || len(refs) < 2 {
		return false, nil
	}
	for _, ref := range refs {
		if ref.Name == PlanRef(s.run) {
			ref.Name = planBranchPrefix + s.run
		}
		if ref.CAS {
			continue // the lease
		}
		if _, errPush := s.Git.Push(ctx, s.remote.name, object.Push{Refs: []object.PushRef{ref}}); errPush != nil {
			return false, nil //nolint:nilerr // the answer is no; the caller tells why the whole was refused
		}
	}
	_, err = s.withoutLease()
	return true, errors.Join(err, s.ask(ctx))
}
