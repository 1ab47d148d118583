package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/stash"
)

// reload reads the refs again, and plan and history where they moved.
func (s *session) reload(ctx context.Context) error {
	if err := s.readRefs(ctx); err != nil {
		return err
	}
	return s.read(ctx)
}

// movedTo reads what is new where this command moved the branch, and HEAD with
// it, to a commit, and no other ref.
func (s *session) movedTo(ctx context.Context, tip string) error {
	s.forget()
	s.tip, s.head.ID = tip, tip
	return s.read(ctx)
}

// read reads plan and history at the refs that are known, where they were not
// read before.
func (s *session) read(ctx context.Context) error {
	if s.planTip == "" {
		return s.notHere()
	}
	if s.planRead != s.planTip {
		if err := s.readPlan(ctx); err != nil {
			return err
		}
	}
	if s.ledger != nil && s.tipRead == s.tip {
		return nil
	}
	return s.readLedger(ctx)
}

func (s *session) notHere() error {
	return failf("NO_RUN", ExitFatal, "run %q: there is no %s here", s.run, PlanRef(s.run)).
		hint("git agent resume %s   # where a remote has it", s.run)
}

func (s *session) readRefs(ctx context.Context) error {
	s.forget()
	names := []string{PlanRef(s.run), s.branch, lease.Ref(s.run), strings.TrimSuffix(stash.Root, "/") + "/" + s.run}
	if s.remote.name != "" {
		names = append(names, trackPlan(s.remote.name, s.run), trackBranch(s.remote.name, s.run), trackLease(s.remote.name, s.run), trackTarget(s.remote.name, s.run),
			theirBranch(s.remote.name, s.branch))
	}
	found, err := s.Git.Refs(ctx, names...)
	if err != nil {
		return err
	}
	s.head = object.Head{}
	s.planTip, s.tip, s.leaseHere, s.stashes, s.remote.tracked = "", "", "", nil, map[string]string{}
	for _, r := range found {
		if r.Head {
			s.head = object.Head{Branch: r.Name, ID: r.ID}
		}
		switch {
		case r.Name == PlanRef(s.run):
			s.planTip = r.ID
		case r.Name == s.branch:
			s.tip = r.ID
		case r.Name == lease.Ref(s.run):
			s.leaseHere = r.ID
		case strings.HasPrefix(r.Name, stash.Root):
			s.stashes = append(s.stashes, r)
		default:
			s.remote.tracked[r.Name] = r.ID
		}
	}
	if s.head.ID == "" { // on none of the run's
		s.head, err = s.Git.Head(ctx)
	}
	return err
}

// readPlan reads the chain of plan versions and the text of each version.
func (s *session) readPlan(ctx context.Context) error {
	if err := s.readPlanRef(ctx); err != nil {
		return err
	}
	if err := s.readVersions(ctx); err != nil {
		return err
	}
	s.planRead = s.planTip
	return s.mayRun(ctx)
}

// readPlanRef reads the chain of plan versions, and with it the run's base.
func (s *session) readPlanRef(ctx context.Context) error {
	commits, err := s.Git.Chain(ctx, "", s.planTip)
	if err != nil {
		return err
	}
	if s.chain, err = plan.ReadChain(commits); err != nil {
		return s.badPlanRef("plan ref %s: %w", PlanRef(s.run), err)
	}
	if len(s.chain.Versions) == 0 || s.chain.Base == "" {
		return s.badPlanRef("%s holds no plan version with a base", PlanRef(s.run))
	}
	if s.chain.Run != s.run {
		return s.badPlanRef("%s holds the plan of run %q", PlanRef(s.run), s.chain.Run)
	}
	s.base = s.chain.Base
	return nil
}

func (s *session) readVersions(ctx context.Context) error {
	var names []string
	for _, v := range s.chain.Versions {
		names = append(names, v.Commit+":"+planFile)
	}
	texts, err := s.Git.Blobs(ctx, names)
	if err != nil {
		return err
	}
	s.plans = map[int]*plan.Plan{}
	for i, v := range s.chain.Versions {
		text, ok := texts[names[i]]
		if !ok {
			return s.badPlanRef("plan version %d (%s) holds no %s", v.Number, short(v.Commit), planFile)
		}
		p, err := plan.Parse(fmt.Sprintf("%s@v%d", planFile, v.Number), text)
		if err != nil {
			return fail("PLAN_INVALID", ExitUsage, err, "git log -p "+PlanRef(s.run)+" -- "+planFile, "git agent version")
		}
		s.plans[v.Number], s.plan, s.version = p, p, v.Number
	}
	s.asKept()
	return nil
}

// badPlanRef: somebody moved the plan ref to what is no plan; its reflog knows
// where it was.
func (s *session) badPlanRef(format string, args ...any) error {
	return failf("PLAN_REF", ExitUnknown, format+"; nothing was changed", args...).
		hint("git log --oneline %s", PlanRef(s.run)).hint("git reflog show %s   # where it was before", PlanRef(s.run))
}

// readLedger reads the run branch, where it is here.
func (s *session) readLedger(ctx context.Context) error {
	var chain []object.Commit
	if s.tip != "" {
		err := s.history(ctx, func(ctx context.Context, base, tip string) (oldest object.Commit, err error) {
			if chain, err = s.grown(ctx, base, tip); len(chain) > 0 {
				oldest = chain[0]
			}
			return oldest, err
		})
		if err != nil {
			return err
		}
	}
	l := ledger.Read(s.run, s.base, chain)
	if l.Merges() {
		all, err := s.Git.History(ctx, s.base, s.tip)
		if err != nil {
			return err
		}
		l.OffChain(all)
		if s.brought, err = s.mergesOfTarget(ctx, l); err != nil {
			return err
		}
	}
	s.ledger, s.tipRead = l, s.tip
	return nil
}

// grown is the chain base..tip where the branch only gained commits since it
// was last read: those are all that is asked for.
func (s *session) grown(ctx context.Context, base, tip string) ([]object.Commit, error) {
	if s.ledger == nil || s.tipRead == "" || s.ledger.Base != base {
		return s.Git.Chain(ctx, base, tip)
	}
	more, err := s.Git.Chain(ctx, s.tipRead, tip)
	if err != nil || len(more) == 0 || more[0].FirstParent() != s.tipRead {
		return s.Git.Chain(ctx, base, tip) // it went back, or elsewhere
	}
	return slices.Concat(s.ledger.Chain, more), nil
}

// walk goes down the first-parent chain base..tip and answers its oldest
// commit, the zero one where there is none.
type walk func(ctx context.Context, base, tip string) (oldest object.Commit, err error)

// history has the first-parent chain base..tip walked, with proof that it is whole:
// the oldest commit's parent is the base. A cut history is deepened, and walked
// again, or refused.
func (s *session) history(ctx context.Context, walk walk) error {
	for try := 0; ; try++ {
		oldest, err := walk(ctx, s.base, s.tip)
		if err == nil && s.reachesBase(oldest) {
			return nil
		}
		whole, errWhole := s.wholeHistory(ctx)
		switch {
		case errWhole != nil:
			return errors.Join(err, errWhole)
		case whole && err != nil:
			return err
		case whole:
			return s.baseIsBelow(ctx)
		}
		if err := s.deepen(ctx, try); err != nil {
			return err
		}
	}
}

func (s *session) reachesBase(oldest object.Commit) bool {
	if oldest.ID == "" {
		return s.tip == s.base
	}
	return oldest.FirstParent() == s.base
}

func (s *session) wholeHistory(ctx context.Context) (bool, error) {
	shallow, err := s.Git.IsShallow(ctx)
	return !shallow, err
}

// baseIsBelow tells a chain that reaches the base through a merge's other
// side from one that was moved onto something else.
func (s *session) baseIsBelow(ctx context.Context) error {
	below, err := s.Git.IsAncestor(ctx, s.base, s.tip)
	switch {
	case err != nil:
		return err
	case !below:
		return failf("WRONG_BASE", ExitPerson, "branch %s at %s does not contain the run's base %s; nothing was touched",
			ShortBranch(s.branch), short(s.tip), short(s.base)).
			hint("git log --oneline %s..%s", short(s.base), short(s.tip)).hint("git reflog show %s", ShortBranch(s.branch))
	}
	return nil
}
