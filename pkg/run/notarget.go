package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/landing"
)

// missingTarget is the doubt where a target is not there: it may have been
// renamed or deleted with the work in it. nil where nothing can have landed: the
// steps were never recorded, nobody has a branch yet, the name is a tag's that the
// run began at, or the run was given up before anything of it landed.
func (s *session) missingTarget(ctx context.Context, t target, o *subject, steps []string) (*landing.Doubt, error) {
	if t.branch == "" || t.tip != "" || o.cancelled && !o.marked() || !o.mayHaveLanded(steps) {
		return nil, nil
	}
	if tag, err := s.beganAtTag(ctx, t, o); tag || err != nil {
		return nil, err
	}
	none, err := s.noBranchYet(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return &landing.Doubt{How: landing.NoRemote, Text: fmt.Sprintf("remote %q did not answer: %v", s.remote.name, err)}, nil
	case none && !o.marked():
		return nil, nil
	}
	return &landing.Doubt{How: landing.NoTarget, Text: fmt.Sprintf("there is no branch %q %s, the target of run %s: "+
		"it has to be pushed, or the plan to name the branch that has the work (git agent plan amend %s)", t.branch, s.where(), o.run, o.run)}, nil
}

// beganAtTag reports whether only the base gave a target its name, and is a tag.
func (s *session) beganAtTag(ctx context.Context, t target, o *subject) (bool, error) {
	if o.plan.Target != "" || o.plan.Base != t.branch || o.marked() {
		return false, nil
	}
	tag, err := s.Git.Ref(ctx, "refs/tags/"+t.branch)
	return tag != "", err
}

// mayHaveLanded: what has neither a record nor a marker was never there to land.
// Without the branch it cannot be told.
func (o *subject) mayHaveLanded(steps []string) bool {
	if o.marked() || o.branch == "" && o.pushed {
		return true
	}
	return !slices.ContainsFunc(steps, func(id string) bool { return len(o.ledger.Of(id)) == 0 })
}

func (o *subject) marked() bool { return landedOn(o.run, o.chain.Markers) != "" }

// noBranchYet: where it lands there is no branch but those of runs, and this
// clone never saw a target there.
func (s *session) noBranchYet(ctx context.Context) (bool, error) {
	there := map[string]string{}
	if s.landsHere() {
		refs, err := s.Git.Refs(ctx, headsPrefix)
		if err != nil {
			return false, err
		}
		for _, r := range refs {
			there[r.Name] = r.ID
		}
	} else {
		var err error
		if there, err = s.Git.RemoteRefs(ctx, s.remote.name, headsPrefix+"*"); err != nil {
			return false, err
		}
		if s.remote.tracked[trackTarget(s.remote.name, s.run)] != "" {
			return false, nil
		}
	}
	for name := range there {
		if !strings.HasPrefix(name, headsPrefix+s.branchPrefix()) && !strings.HasPrefix(name, planBranchPrefix) {
			return false, nil
		}
	}
	return true, nil
}

func (s *session) where() string {
	if s.landsHere() {
		return "here"
	}
	return fmt.Sprintf("on %q", s.remote.name)
}

// noTarget refuses to land where there is no such branch: it is a person's to make.
func (l *lander) noTarget(ctx context.Context) error {
	f := failf("NO_TARGET", ExitUsage, "there is no branch %q %s to land on; nothing was done", l.target.branch, l.where())
	return l.targetHints(ctx, f, l.target.branch, l.req.Onto != "")
}

// targetHints are the ways on without a target.
func (s *session) targetHints(ctx context.Context, f *Failure, branch string, named bool) *Failure {
	if tip, err := s.Git.Ref(ctx, headsPrefix+branch); err == nil && tip != "" && !s.landsHere() {
		f = f.hint("git push %s %s   # it is here, and was never pushed", quoteArg(s.remote.name), quoteArg(branch))
		if named {
			return f
		}
	} else if s.landsHere() || named {
		f = f.hint("git branch --all")
	} else {
		f = f.hint("git ls-remote --heads %s", quoteArg(s.remote.name))
	}
	if named {
		return f.hint("git agent land %s --onto main", s.run)
	}
	return f.hint("git agent plan show %s   # with the branch that has the work as target: git agent plan amend %s <file>", s.run, s.run)
}
