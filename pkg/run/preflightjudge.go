package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
)

// judge1 gathers what can be told about steps of one run in one target.
func (s *session) judge1(ctx context.Context, g *scan, o *subject, steps []string) (*Preflight, landing.Facts, error) {
	marks, doubts := o.landed(g.branch)
	newest := lastMark(marks)
	for o.past && len(marks) > 0 && !slices.ContainsFunc(steps, func(id string) bool { return slices.Contains(marks[len(marks)-1].steps, id) }) {
		marks = marks[:len(marks)-1] // of what came after them
	}
	facts := landing.Facts{Doubts: slices.Concat(g.doubts, doubts)}
	p := &Preflight{Run: o.run, Evidence: Evidence{Target: g.branch, TargetTip: g.tip}}
	if len(marks) > 0 {
		p.Evidence.Marker, _ = landing.FormatMarker(marks[len(marks)-1].Marker)
	}
	facts.PR, _ = o.opened()
	p.Evidence.PR = facts.PR
	missing, err := s.missingTarget(ctx, g.target, o, steps)
	if err != nil {
		return p, facts, err
	}
	if missing != nil {
		facts.Doubts = append(facts.Doubts, *missing)
	}
	if len(facts.Doubts) > 0 {
		return p, facts, nil
	}
	f, err := s.find(ctx, g, o, marks)
	if err != nil {
		return p, facts, g.asDoubt(ctx, &facts, err)
	}
	if steps, err = f.withoutTakenOut(ctx, newest, steps); err != nil {
		return p, facts, g.asDoubt(ctx, &facts, err)
	}
	if len(steps) == 0 {
		return p, facts, nil
	}
	if err := f.judge(ctx, &facts, marks, steps); err != nil {
		return p, facts, g.asDoubt(ctx, &facts, err)
	}
	f.evidence(p, facts, marks)
	return p, facts, nil
}

func lastMark(marks []mark) *mark {
	if len(marks) == 0 {
		return nil
	}
	return &marks[len(marks)-1]
}

func (g *scan) asDoubt(ctx context.Context, facts *landing.Facts, err error) error {
	if ctx.Err() != nil {
		return err
	}
	facts.Doubts = append(facts.Doubts, landing.Doubt{How: landing.NoAncestry, Text: err.Error()})
	return nil
}

// judge puts marker and finding side by side.
func (f *finder) judge(ctx context.Context, facts *landing.Facts, marks []mark, steps []string) error {
	var covered []string
	if len(marks) > 0 {
		newest := marks[len(marks)-1]
		m, err := f.markerFact(ctx, marks)
		if err != nil {
			return err
		}
		covered = newest.steps
		stale := landing.Decide(landing.Facts{Marker: m}).Token == landing.MarkerStale
		touched := slices.ContainsFunc(steps, func(id string) bool { return slices.Contains(covered, id) })
		if all := containsAll(covered, steps); all || stale && touched {
			facts.Marker = m
			if !m.Ancestor {
				facts.Found = f.together(steps)
			}
			return nil
		}
	}
	rest := slices.DeleteFunc(slices.Clone(steps), func(id string) bool { return slices.Contains(covered, id) })
	if facts.Found = f.together(rest); facts.Found == nil {
		if d := f.doubt(rest); d != nil {
			facts.Doubts = append(facts.Doubts, *d)
		}
	}
	if facts.Found == nil && (f.o.branch == "" || f.o.gone) && f.o.pushed && !f.o.cancelled {
		facts.Doubts = append(facts.Doubts, landing.Doubt{How: landing.BranchGone,
			Text: "run " + f.o.run + " has a plan, but its branch is gone and no marker says that it landed (where nobody goes on with it: git agent cancel " + f.o.run + ")"})
	}
	return nil
}

// markerFact is what became of the newest landing that a marker names.
func (f *finder) markerFact(ctx context.Context, marks []mark) (m *landing.MarkerFact, err error) {
	k := marks[len(marks)-1]
	m = &landing.MarkerFact{Marker: k.Marker, Commit: k.fact.Commit, Step: k.fact.Step, Ancestor: f.has(k.SHA)}
	if !m.Ancestor && f.tip != "" && (f.skipped || k.SHA == f.base || k.SHA == f.tip) {
		if m.Ancestor, err = f.ancestor(ctx, k.SHA); err != nil {
			return nil, err
		}
	}
	if m.RevertedBy, err = f.revertedBy(ctx, marks); err != nil {
		return nil, err
	}
	m.Newer, m.Unexplained = f.o.newer(k), f.o.unexplained(k)
	return m, nil
}

// ancestor asks git where no walk was made; what is not here cannot be in it.
func (f *finder) ancestor(ctx context.Context, id string) (bool, error) {
	have, err := f.s.Git.Peel(ctx, []string{id})
	if err != nil {
		return false, err
	}
	if have[id] != "" {
		if is, err := f.s.Git.IsAncestor(ctx, id, f.tip); err != nil || is {
			return is, err
		}
	}
	shallow, err := f.s.Git.IsShallow(ctx)
	if err == nil && shallow {
		return false, failf("HISTORY_TRUNCATED", ExitUnknown, "history truncated: whether %s is in %s cannot be told here", short(id), f.branch)
	}
	return false, err
}

// together says that all of these steps are in the target, or that some were and
// a person has to decide about them, whatever the others are; else it is nil.
func (f *finder) together(steps []string) *landing.Found {
	disputed := slices.DeleteFunc(slices.Clone(steps), func(id string) bool { return f.found[id].back == "" && f.found[id].newer == "" })
	missing := slices.ContainsFunc(steps, func(id string) bool { return f.found[id].commit == "" })
	switch {
	case missing && len(disputed) > 0:
		steps = disputed
	case missing, len(steps) == 0:
		return nil
	}
	all := &landing.Found{}
	for _, id := range steps {
		at := f.found[id]
		if !slices.Contains(all.Commits, at.commit) {
			all.Commits = append(all.Commits, at.commit)
		}
		if at.newer != "" {
			all.Newer = append(all.Newer, at.newer)
		}
		all.RevertedBy = first(all.RevertedBy, at.back)
		all.How = weaker(all.How, at.how)
	}
	slices.SortFunc(all.Commits, f.order)
	return all
}
