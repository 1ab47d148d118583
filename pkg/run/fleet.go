package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// fleet is every run that there is, as its refs show it: on the remote, or here
// where nothing is pushed.
type fleet struct {
	plans, branches, leases map[string]string // by run
}

// lookFleet is one round trip, and a fetch of the plans that are new.
func (s *session) lookFleet(ctx context.Context) (*fleet, error) {
	there := map[string]string{}
	if s.landsHere() {
		refs, err := s.Git.Refs(ctx, planPrefix, headsPrefix+s.branchPrefix(), lease.Prefix)
		if err != nil {
			return nil, err
		}
		for _, r := range refs {
			there[r.Name] = r.ID
		}
		return s.fleetOf(there), nil
	}
	if s.remote.err != nil {
		return nil, s.remote.err
	}
	there, err := s.Git.RemoteRefs(ctx, s.remote.name, planPrefix+"*", planBranchPrefix+"*", headsPrefix+s.branchPrefix()+"*", lease.Prefix+"*")
	if err != nil {
		return nil, fmt.Errorf("remote %q did not answer: %w", s.remote.name, err)
	}
	f := s.fleetOf(there)
	return f, s.mirrorPlans(ctx, f, there)
}

func (s *session) fleetOf(there map[string]string) *fleet {
	f := &fleet{plans: map[string]string{}, branches: map[string]string{}, leases: map[string]string{}}
	for _, from := range []struct {
		prefix string
		to     map[string]string
	}{{planBranchPrefix, f.plans}, {planPrefix, f.plans}, {headsPrefix + s.branchPrefix(), f.branches}, {lease.Prefix, f.leases}} {
		for name, id := range there {
			if run, ok := strings.CutPrefix(name, from.prefix); ok && trailers.ValidID(run) == nil {
				from.to[run] = id
			}
		}
	}
	return f
}

// mirrorPlans fetches the plans that this clone has not seen yet.
func (s *session) mirrorPlans(ctx context.Context, f *fleet, there map[string]string) error {
	refs, err := s.Git.Refs(ctx, trackPrefix+s.remote.name+"/plan/")
	if err != nil {
		return err
	}
	have := map[string]string{}
	for _, r := range refs {
		have[r.Name] = r.ID
	}
	var names []string
	var updates []object.RefUpdate
	for run, id := range f.plans {
		track := trackPlan(s.remote.name, run)
		if have[track] == id {
			continue
		}
		name := PlanRef(run)
		if there[name] == "" {
			name = planBranchPrefix + run
		}
		names = append(names, name)
		updates = append(updates, object.RefUpdate{Name: track, Old: have[track], New: id})
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	if err := s.Git.FetchMany(ctx, s.remote.name, names); err != nil {
		return fmt.Errorf("fetch the plans from %q: %w", s.remote.name, err)
	}
	if err := s.Git.UpdateRefs(ctx, s.why("fetch", ""), updates...); err != nil {
		return err
	}
	for _, u := range updates {
		if s.remote.tracked != nil && u.Name == trackPlan(s.remote.name, s.run) {
			s.remote.tracked[u.Name] = u.New
		}
	}
	return nil
}

func (s *session) fillLedgers(ctx context.Context, runs []*subject, names, branches []string) error {
	if len(names) > 0 && !s.landsHere() {
		have, err := s.Git.Peel(ctx, branches)
		if err != nil {
			return err
		}
		missing := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return have[branches[slices.Index(names, n)]] != "" })
		if len(missing) > 0 {
			if err := s.Git.FetchMany(ctx, s.remote.name, missing); err != nil {
				return err
			}
		}
	}
	chains := map[string]object.Commit{}
	if len(branches) > 0 {
		base, err := s.below(ctx, runs)
		if err != nil {
			return err
		}
		if chains, err = s.Git.Chains(ctx, base, branches); err != nil {
			return err
		}
	}
	for _, o := range runs {
		o.ledger = ledger.Read(o.run, o.base, chainOf(chains, o.base, o.branch))
	}
	return nil
}

// below is a commit that all these runs began above, "" where there is none.
func (s *session) below(ctx context.Context, runs []*subject) (string, error) {
	var bases []string
	for _, o := range runs {
		if !slices.Contains(bases, o.base) {
			bases = append(bases, o.base)
		}
	}
	if len(bases) == 1 {
		return bases[0], nil
	}
	return s.Git.CommonAncestor(ctx, bases)
}

// readCancelled reads the leases of some runs: a cancelled one is not alive.
func (s *session) readCancelled(ctx context.Context, f *fleet, runs []*subject) error {
	var names []string
	for _, o := range runs {
		if f.leases[o.run] != "" {
			names = append(names, lease.Ref(o.run))
		}
	}
	if len(names) == 0 {
		return nil
	}
	if !s.landsHere() {
		if err := s.Git.FetchMany(ctx, s.remote.name, names); err != nil {
			return err
		}
	}
	held := map[string]object.Commit{}
	var ids []string
	for _, name := range names {
		ids = append(ids, f.leases[strings.TrimPrefix(name, lease.Prefix)])
	}
	if err := s.Git.Unpublished(ctx, ids, nil, nil, func(c object.Commit) { held[c.ID] = c }); err != nil {
		return err
	}
	for _, o := range runs {
		c, ok := held[f.leases[o.run]]
		if l, err := lease.Parse(c.ID, c.Message); ok && err == nil {
			o.cancelled = l.State == lease.Cancelled
		}
	}
	return nil
}

// older reports whether run a began before b: by the plan's commit time, then
// by the run's id.
func older(a, b *subject) bool {
	if c := a.began.Compare(b.began); c != 0 {
		return c < 0
	}
	return a.run < b.run
}
