package run

import (
	"context"
	"errors"
	"strings"

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

// noFence reports whether the remote never had a lease or plan ref of the run:
// then there is no fence that pushing the branch alone would go around.
func (s *session) noFence() bool {
	return s.remote.lease == "" && (s.remote.plan == "" || s.local.BranchOnly)
}

// withoutLease notes that the server takes no refs but heads and tags, or no
// atomic push.
func (s *session) withoutLease() error {
	s.local.BranchOnly = true
	s.Notify("%q takes no refs outside heads and tags, or no atomic push: the branch alone is the fence, the plan goes to %s",
		s.remote.name, ShortBranch(s.planThere()))
	return s.saveLocal()
}

// lockedThere tells a lock file in the remote (somebody's at this moment, or of a
// server that was killed) from a server that takes no such ref at all.
func lockedThere(refusal string) bool { return strings.Contains(refusal, ".lock': File exists") }

// branchAlone is the second question after a push of several refs that the
// server would not take, though nobody outran it: does it take the plan as a
// branch, and the branch by itself? The plan goes first: the branch is what
// makes the run be there.
func (s *session) branchAlone(ctx context.Context, p pushed) (taken bool, err error) {
	if !s.noFence() || len(p.refs) < 2 || refused(p.verdicts) && lockedThere(whyRefused(p.verdicts, p.cause)) {
		return false, nil
	}
	for _, ref := range []object.PushRef{{Name: planBranchPrefix + s.run, ID: s.planTip}, {Name: s.branch, ID: p.tip}} {
		if _, errPush := s.Git.Push(ctx, s.remote.name, object.Push{Refs: []object.PushRef{ref}}); errPush != nil {
			return false, nil //nolint:nilerr // the answer is no; the caller tells why the whole was refused
		}
	}
	return true, errors.Join(s.withoutLease(), s.ask(ctx))
}
