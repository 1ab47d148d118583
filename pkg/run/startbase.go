package run

import (
	"context"
	"errors"
	"fmt"
)

// sameBase refuses another base than the one that the run is pinned to.
func (s *session) sameBase(ctx context.Context, req StartRequest) error {
	if s.planTip == "" || req.Base == "" {
		return nil
	}
	base, err := s.resolveBase(ctx, req, "")
	var f *Failure
	if errors.As(err, &f) && f.Code == "NO_BASE" {
		f.Hints = []string{"git branch --all", req.from("").Again(s.run) + "   # without it"}
	}
	if err != nil || base == s.base {
		return err
	}
	return failf("RUN_EXISTS", ExitPerson, "run %q exists and starts from %s; %q is %s now; nothing was changed", s.run, short(s.base), req.Base, short(base)).
		hint("%s   # goes on with it", req.from("").Again(s.run)).
		hint("%s   # another run", req.another(s.run))
}

// resolveBase is the commit that the base names in the repository that the command
// was given in: a clone that was made for the run has another HEAD and other
// branches of the remote.
func (s *session) resolveBase(ctx context.Context, req StartRequest, inPlan string) (string, error) {
	rev := first(req.Base, inPlan, "HEAD")
	resolve := s.Git.Resolve
	if req.From != nil {
		resolve = req.From.Resolve
	}
	id, err := resolve(ctx, rev)
	if err != nil && s.remote.name != "" {
		if there, again := resolve(ctx, "refs/remotes/"+s.remote.name+"/"+rev); again == nil {
			id, err = there, nil
		}
	}
	if err != nil {
		return "", s.noBase(rev, req, err)
	}
	return id, s.bringBase(ctx, req, id)
}

// bringBase: a clone does not take along what no branch here has, and was maybe
// made before the commit.
func (s *session) bringBase(ctx context.Context, req StartRequest, id string) error {
	if req.From == nil {
		return nil
	}
	have, err := s.Git.Peel(ctx, []string{id})
	if err != nil || have[id] != "" {
		return err
	}
	if err := req.From.Give(ctx, s.Place.CommonDir, id); err != nil {
		return fail("CLONE", ExitUnknown, fmt.Errorf("bring base %s to the clone: %w; nothing was begun", short(id), err), req.Again(s.run))
	}
	return nil
}

// noBase tells a repository without any commit from a base that is misspelt.
func (s *session) noBase(rev string, req StartRequest, cause error) error {
	if s.head.ID == "" {
		return failf("NO_BASE", ExitFatal, "base %q: %w: %s has no commit to start from yet", rev, cause, ShortBranch(s.head.Branch)).
			hint(`git commit --allow-empty -m "first commit"   # then start again`)
	}
	return failf("NO_BASE", ExitFatal, "base %q: %w; nothing was touched", rev, cause).
		hint("git branch --all").hint("%s", req.from("HEAD").Again(s.run))
}
