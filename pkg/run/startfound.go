package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// needNoBranch refuses to begin a run where its branch, here or on the remote,
// has certificates of the run's id, or is of another base, and the plan that they
// are of is nowhere: a new plan's steps would be certified by another one's checks.
func (s *session) needNoBranch(ctx context.Context, req StartRequest, base string) error {
	for _, at := range []object.Ref{{Name: s.branch, ID: s.tip}, {Name: s.remote.name, ID: s.remote.branch}} {
		if at.ID == "" || at.ID == base {
			continue
		}
		above, err := s.Git.IsAncestor(ctx, base, at.ID)
		if err != nil {
			return err
		}
		commits, err := s.Git.History(ctx, base, at.ID)
		if err != nil {
			return err
		}
		of := func(c object.Commit) bool { return isCertificate(c.Message, s.run, "") }
		if !above || slices.ContainsFunc(commits, of) {
			return s.planMissing(req, at)
		}
	}
	return nil
}

// asNew: what this clone knows of the run is what lies here untracked, and nothing
// of an earlier one of the id.
func (s *session) asNew(ctx context.Context, req StartRequest) error {
	if err := s.forgetEarlier(req); err != nil {
		return err
	}
	return s.rememberOlder(ctx)
}

// forgetEarlier drops what this clone still knows of an earlier run of the id, whose
// plan is gone: its attempts, notes and settings are not this one's. What the
// remote, or a person, still has of it stays.
func (s *session) forgetEarlier(req StartRequest) error {
	live, err := s.liveJob(s.run, func(*attempt) bool { return true })
	switch {
	case err != nil:
		return err
	case live != nil:
		return failf("RUN_BUSY", ExitBusy, "a job of an earlier run %q, whose plan is gone, is at work; nothing was done", s.run).
			hint("%s   # another run", req.another(s.run))
	}
	was := s.local
	s.local = newLocal()
	s.local.Lease, s.local.BranchOnly, s.local.Unshared = was.Lease, was.BranchOnly, was.Unshared
	return errors.Join(s.State.RemoveAll(s.run+"/attempts"), s.State.RemoveAll(s.run+"/notes"))
}

func (s *session) planMissing(req StartRequest, at object.Ref) error {
	where, away := "here", renameRef(at)
	if at.Name != s.branch {
		at.Name, where = s.branch, fmt.Sprintf("on %q", s.remote.name)
		away = renameThere(s.remote.name, at)
	}
	return failf("RUN_EXISTS", ExitPerson, "branch %s %s (%s) is of an earlier run %q, whose plan is gone; nothing was changed", ShortBranch(s.branch), where, short(at.ID), s.run).
		hint("%s   # another run", req.another(s.run)).
		hint("%s   # takes that branch out of the way, then run this again", away)
}
