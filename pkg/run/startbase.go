package run

import (
	"context"
	"errors"
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

func (s *session) resolveBase(ctx context.Context, req StartRequest, inPlan string) (string, error) {
	rev := "HEAD"
	if inPlan != "" {
		rev = inPlan
	}
	if req.Base != "" {
		rev = req.Base
	}
	id, err := s.Git.Resolve(ctx, rev)
	if err != nil && s.remote.name != "" {
		if id, again := s.Git.Resolve(ctx, "refs/remotes/"+s.remote.name+"/"+rev); again == nil {
			return id, nil
		}
	}
	if err != nil {
		return "", s.noBase(rev, req, err)
	}
	return id, nil
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
