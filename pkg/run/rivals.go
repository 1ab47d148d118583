package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/landing"
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

// others looks at every other run that has the item: one that landed it, one
// that is older and alive, or one of which it cannot be told.
func (s *session) others(ctx context.Context, o *subject, item string, p *Preflight, facts *landing.Facts) (rival *landing.Rival, closed string, err error) {
	f, err := s.lookFleet(ctx)
	if err != nil {
		facts.Doubts = append(facts.Doubts, landing.Doubt{How: landing.NoRemote, Text: err.Error()})
		return nil, "", ctx.Err()
	}
	but := ""
	if o != nil {
		but = o.run
	}
	runs, err := s.withItem(ctx, f, item, but)
	if err != nil {
		facts.Doubts = append(facts.Doubts, landing.Doubt{How: landing.NoAncestry, Text: err.Error()})
		return nil, "", ctx.Err()
	}
	slices.SortFunc(runs, func(a, b *subject) int {
		if older(a, b) {
			return -1
		}
		return 1
	})
	for _, other := range runs {
		if rival, err = s.another(ctx, o, other, rival, item, p, facts); err != nil {
			return nil, "", err
		}
	}
	return s.forgeFacts(ctx, o, item, rival, facts)
}

// another judges one other run with the item: what it landed, or cannot be told
// about it, stands for ours.
func (s *session) another(ctx context.Context, o, other *subject, rival *landing.Rival, item string, p *Preflight, facts *landing.Facts) (*landing.Rival, error) {
	seen, theirs, err := s.judgeOther(ctx, o, other, item, p.Evidence.Target)
	if err != nil {
		return rival, err
	}
	switch token := landing.Decide(theirs).Token; {
	case token == landing.Unknown:
		facts.Doubts = append(facts.Doubts, theirs.Doubts...)
	case token == landing.MarkerStale, token == landing.AlreadyLanded && facts.Marker == nil && facts.Found == nil:
		p.Evidence, p.Run, facts.Marker, facts.Found = seen.Evidence, other.run, theirs.Marker, theirs.Found
	case token == landing.AlreadyLanded, rival != nil, other.branch == "", other.cancelled:
	case o == nil || older(other, o):
		rival = &landing.Rival{Run: other.run, Ref: s.BranchRef(other.run), PR: theirs.PR}
	}
	return rival, nil
}

// judgeOther looks at another run's steps for an item in that run's own target,
// ours where its plan names none.
func (s *session) judgeOther(ctx context.Context, o, other *subject, item, ours string) (*Preflight, landing.Facts, error) {
	branch := (&session{run: other.run, plan: other.plan, chain: other.chain}).targetName("")
	if o != nil && branch == "" {
		branch = ours
	}
	t, err := s.targetNamed(ctx, branch)
	if err != nil {
		return nil, landing.Facts{}, err
	}
	g, err := s.scanTarget(ctx, t, other.base)
	if err != nil {
		return nil, landing.Facts{}, err
	}
	return s.judge1(ctx, g, other, other.stepsFor(item))
}

// targetNamed is another run's target.
func (s *session) targetNamed(ctx context.Context, branch string) (target, error) {
	if branch == s.remote.aimed || s.landsHere() && branch != "" || branch == "" {
		t := target{branch: branch, tip: s.remote.target}
		if s.landsHere() && branch != "" {
			var err error
			t.tip, err = s.Git.Ref(ctx, t.ref())
			return t, err
		}
		return t, nil
	}
	there, err := s.Git.RemoteRefs(ctx, s.remote.name, headsPrefix+branch)
	if err != nil {
		return target{branch: branch, doubt: &landing.Doubt{How: landing.NoRemote, Text: err.Error()}}, ctx.Err()
	}
	s.remote.target, s.remote.aimed = there[headsPrefix+branch], branch
	return target{branch: branch, tip: s.remote.target}, nil
}

// noRun stands for a run where a question is about all of them; no run has
// that id.
const noRun = "_items"

// preflightItem asks about an item, whatever run has it.
func (e *Engine) preflightItem(ctx context.Context, item string, own *subject) (*Preflight, error) {
	s, err := e.newSession(noRun)
	if err != nil {
		return nil, err
	}
	if err := s.readRefs(ctx); err != nil {
		return nil, err
	}
	p, facts := &Preflight{Item: item}, landing.Facts{}
	if facts.Rival, facts.Closed, err = s.others(ctx, own, item, p, &facts); err != nil {
		return nil, err
	}
	p.Item = item
	return p.decided(facts), nil
}
