package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
)

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
	seen, theirs, atWork, err := s.judgeOther(ctx, o, other, item, p.Evidence.Target)
	if err != nil {
		return rival, err
	}
	switch token := landing.Decide(theirs).Token; {
	case token == landing.Unknown:
		facts.Doubts = append(facts.Doubts, theirs.Doubts...)
	case token == landing.MarkerStale, token == landing.AlreadyLanded && facts.Marker == nil && facts.Found == nil:
		p.Evidence, p.Run, facts.Marker, facts.Found = seen.Evidence, other.run, theirs.Marker, theirs.Found
	case token == landing.AlreadyLanded, rival != nil, !atWork, other.branch == "", other.cancelled:
	case o == nil || older(other, o):
		rival = &landing.Rival{Run: other.run, Ref: s.BranchRef(other.run), PR: theirs.PR}
	}
	return rival, nil
}

// judgeOther looks at another run's steps for an item, then at those that its
// older plans had for it. atWork: what it has is for the item.
func (s *session) judgeOther(ctx context.Context, o, other *subject, item, ours string) (seen *Preflight, facts landing.Facts, atWork bool, err error) {
	if steps := other.stepsFor(item); len(steps) > 0 {
		atWork = true
		if seen, facts, err = s.judgeSteps(ctx, o, other, steps, ours); err != nil {
			return nil, facts, false, err
		}
	}
	for _, then := range other.before(item) {
		if seen != nil && landing.Decide(facts).Token != landing.Dispatch && facts.PR == 0 {
			break
		}
		was, theirs, standing, err := s.judgePast(ctx, o, other, then, ours)
		if err != nil {
			return nil, facts, false, err
		}
		if token := landing.Decide(theirs).Token; seen == nil || token != landing.Dispatch && token != landing.AlreadyOpen {
			seen, facts = was, theirs
		}
		atWork = atWork || standing
	}
	return seen, facts, atWork, nil
}

// judgeSteps looks at steps of another run in that run's own target, ours where
// its plan names none.
func (s *session) judgeSteps(ctx context.Context, o, other *subject, steps []string, ours string) (*Preflight, landing.Facts, error) {
	branch := (&session{Engine: s.Engine, run: other.run, plan: other.plan, chain: other.chain}).targetName("")
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
	return s.judge1(ctx, g, other, steps)
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
