package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// AmendRequest is a new version of a run's plan.
type AmendRequest struct {
	Run, File string
	Text      []byte
	NoPush    bool
}

// Amend appends a plan version. One that was made from another version than
// today's is refused with the difference.
func (e *Engine) Amend(ctx context.Context, req AmendRequest) (*Report, []plan.Difference, error) {
	p, err := plan.ParseNew(req.File, req.Text)
	if err != nil {
		return nil, nil, fail("PLAN_INVALID", ExitUsage, err, "git agent plan schema")
	}
	if err := e.Git.KnowsCommitter(ctx); err != nil {
		return nil, nil, e.noIdentity(err)
	}
	unlock, err := e.lock(ctx, req.Run, "plan amend")
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	known, err := e.Git.Ref(ctx, PlanRef(req.Run)) // what this clone showed so far
	if err != nil {
		return nil, nil, err
	}
	s, err := e.openSynced(ctx, req.Run)
	if err != nil {
		return nil, nil, err
	}
	if err := s.sameVersion(ctx, known); err != nil {
		return nil, nil, err
	}
	if err := s.noOwnTarget(p.Target); err != nil {
		return nil, nil, err
	}
	diff := plan.Diff(s.plan, p)
	if len(diff) > 0 {
		if err := s.grantNext(p); err != nil {
			return nil, nil, err
		}
		if err := s.amend(ctx, p, req.Text); err != nil {
			return nil, nil, err
		}
		s.did = fmt.Sprintf("plan version %d recorded", s.version)
		s.Fault("amended")
	}
	if !req.NoPush { // where nothing differs, what a killed amend did not push
		err = s.pushTo(ctx, s.soundTip())
	}
	r, errReport := s.report()
	return r, diff, errors.Join(err, errReport)
}

// grantNext trusts the version that is about to be made where today's is
// trusted. It comes first, as for the first one: see create.
func (s *session) grantNext(p *plan.Plan) error {
	trusted, err := s.trusted()
	if err != nil || !trusted {
		return err
	}
	return s.grantDigest(p.Digest(s.run, s.version+1, s.base), s.Place.CommonDir)
}

// sameVersion refuses an amend where the remote had a newer version than this
// clone knew: the new text was not made from it and would take it back.
func (s *session) sameVersion(ctx context.Context, known string) error {
	if known == "" || known == s.planTip {
		return nil
	}
	for _, v := range slices.Backward(s.chain.Versions) {
		seen, err := s.Git.IsAncestor(ctx, v.Commit, known)
		switch {
		case err != nil:
			return err
		case seen && v.Number == s.version:
			return nil
		case seen:
			return s.planMoved(v.Number)
		}
	}
	return nil
}

func (s *session) planMoved(from int) error {
	return failf("PLAN_MOVED", ExitPerson, "plan version %d was made meanwhile, yours was made from %d; nothing was changed", s.version, from).
		hint("git agent plan diff %s %d %d   # then amend again", s.run, from, s.version)
}

func (s *session) amend(ctx context.Context, p *plan.Plan, text []byte) error {
	from := s.version
	tmp, err := s.tmp()
	if err != nil {
		return err
	}
	return s.append(ctx, "amend", func() (object.NewCommit, error) {
		if s.version != from {
			return object.NewCommit{}, s.planMoved(from)
		}
		tree, err := s.planTree(ctx, tmp, text)
		if err != nil {
			return object.NewCommit{}, err
		}
		message, err := plan.VersionMessage(s.run, from+1, "", p.Title)
		return object.NewCommit{Tree: tree, Message: message, Sign: s.Git.SignsCommits()}, err
	})
}

// PlanText is the text of a plan version, today's for 0.
func (e *Engine) PlanText(ctx context.Context, run string, version int) ([]byte, int, error) {
	s, err := e.open(ctx, run)
	if err != nil {
		return nil, 0, err
	}
	if version == 0 {
		version = s.version
	}
	for _, v := range s.chain.Versions {
		if v.Number == version {
			name := v.Commit + ":" + planFile
			texts, err := s.Git.Blobs(ctx, []string{name})
			return texts[name], version, err
		}
	}
	return nil, 0, failf("NO_VERSION", ExitUnknown, "run %s has no plan version %d, the newest is %d", run, version, s.version).
		hint("git agent plan show %s", run)
}
