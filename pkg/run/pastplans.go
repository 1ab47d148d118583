package run

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/plan"
)

// secondVersion finds, below a plan ref, a commit of a later plan version than
// the first: it rides on the question for the plan's text.
const secondVersion = "^{/Plan-Version:.([2-9]|[1-9][0-9])}"

// readPast reads the older plans of the runs that have any, with the item or
// without it: a plan goes on without a step, and what the step did remains.
// Runs that cannot be read are dropped, or are the error.
func (s *session) readPast(ctx context.Context, f *fleet, runs []*subject, item string) ([]*subject, error) {
	if len(runs) == 0 {
		return nil, nil
	}
	runs, err := s.fillChains(ctx, f, runs)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, o := range runs {
		for _, v := range o.chain.Versions {
			names = append(names, v.Commit+":"+planFile)
		}
	}
	texts, err := s.Git.Blobs(ctx, names)
	if err != nil {
		return nil, err
	}
	var found []*subject
	for _, o := range runs {
		has, err := s.answered(ctx, f, o, texts, item)
		if err != nil {
			return nil, err
		}
		if has {
			found = append(found, o)
		}
	}
	return found, nil
}

// answered reads the versions of one run and reports whether any has the item.
// Where none can, none is parsed.
func (s *session) answered(ctx context.Context, f *fleet, o *subject, texts map[string][]byte, item string) (bool, error) {
	newest := o.chain.Latest().Number
	if !slices.ContainsFunc(o.chain.Versions, func(v plan.Version) bool { return canName(texts[v.Commit+":"+planFile], item) }) {
		return false, nil
	}
	o.versions = map[int]*plan.Plan{}
	for _, v := range o.chain.Versions {
		text := texts[v.Commit+":"+planFile]
		p, err := plan.Parse(planFile, text)
		if err != nil {
			if v.Number == newest || canName(text, item) {
				return false, s.unreadable(ctx, f, o, fmt.Errorf("version %d: %w", v.Number, err))
			}
			continue
		}
		o.plan, o.versions[v.Number] = p, p
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(o.versions)), func(p *plan.Plan) bool { return len(stepsFor(p, item)) > 0 }), nil
}

// pastSteps are what an older plan asked for an item and no newer one does.
type pastSteps struct {
	*subject
	steps []string
}

// before are the older plans of a run as far as they answer the item by steps
// that no newer version has for it, newest first.
func (o *subject) before(item string) []pastSteps {
	var found []pastSteps
	seen := o.stepsFor(item)
	for _, v := range slices.Backward(o.chain.Versions) {
		p := o.versions[v.Number]
		if p == nil || p == o.plan {
			continue
		}
		gone := slices.DeleteFunc(stepsFor(p, item), func(id string) bool { return slices.Contains(seen, id) })
		if len(gone) == 0 {
			continue
		}
		seen = append(seen, gone...)
		then := *o
		then.plan, then.past = p, true
		found = append(found, pastSteps{&then, gone})
	}
	return found
}

// judgePast looks at what an older plan asked for. It counts where there is a
// certificate or a marker of it; nobody is at work on anything else.
func (s *session) judgePast(ctx context.Context, o, other *subject, then pastSteps, ours string) (*Preflight, landing.Facts, bool, error) {
	seen, facts, err := s.judgeSteps(ctx, o, then.subject, then.steps, ours)
	if err != nil {
		return nil, facts, false, err
	}
	stands := slices.ContainsFunc(then.steps, func(id string) bool { return then.subject.records().Record(id) != nil })
	gone := len(facts.Doubts) == 1 && facts.Doubts[0].How == landing.BranchGone
	if gone && other.landedWhole(seen.Evidence.Target) {
		facts.Doubts = nil // the run ended without them
	}
	return seen, facts, stands, nil
}

// landedWhole: a marker says that every step of the plan landed.
func (o *subject) landedWhole(branch string) bool {
	marks, _ := o.landed(branch)
	return len(marks) > 0 && containsAll(marks[len(marks)-1].steps, o.allSteps())
}
