package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// withItem reads the plans of all runs in one go and parses those that can hold
// the item, older versions where there are any.
func (s *session) withItem(ctx context.Context, f *fleet, item, but string) ([]*subject, error) {
	var names []string
	byName := map[string]string{}
	for run, tip := range f.plans {
		if run != but {
			name := tip + "^{commit}:" + planFile // a tree is no plan ref, whatever is in it
			names, byName[name] = append(names, name), run
		}
	}
	for _, name := range slices.Clone(names) {
		names = append(names, f.plans[byName[name]]+secondVersion)
	}
	texts, err := s.Git.Blobs(ctx, names)
	if err != nil {
		return nil, err
	}
	var found, amended []*subject
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		text, there := texts[name]
		o := &subject{run: byName[name], branch: f.branches[byName[name]], pushed: true}
		has, err := false, error(nil)
		switch {
		case !there:
			err = s.damaged(ctx, f, o, errors.New("it holds no "+planFile))
		case texts[f.plans[o.run]+secondVersion] != nil:
			amended = append(amended, o)
		default:
			has, err = s.answers(ctx, f, o, text, item)
		}
		if err != nil {
			return nil, err
		}
		if has {
			found = append(found, o)
		}
	}
	if amended, err = s.readPast(ctx, f, amended, item); err != nil {
		return nil, err
	}
	return s.fillSubjects(ctx, f, slices.Concat(found, amended))
}

// canName reports whether a plan's text can name the item in some spelling of YAML.
func canName(text []byte, item string) bool {
	return bytes.Contains(text, []byte(bareItem(item))) || bytes.ContainsRune(text, '\\')
}

// answers reads a plan's text into its subject, where it can hold the item, and
// reports whether it does.
func (s *session) answers(ctx context.Context, f *fleet, o *subject, text []byte, item string) (bool, error) {
	if !canName(text, item) {
		return false, nil
	}
	var err error
	if o.plan, err = plan.Parse(planFile, text); err != nil {
		return false, s.unreadable(ctx, f, o, err)
	}
	return len(o.stepsFor(item)) > 0, nil
}

// unreadable is why a plan that names the item and cannot be read here, as one
// of a newer version, leaves open whose the item is; nil where nobody works on
// that run any more.
func (s *session) unreadable(ctx context.Context, f *fleet, o *subject, why error) error {
	if o.branch == "" {
		return nil
	}
	if err := s.readCancelled(ctx, f, []*subject{o}); err != nil || o.cancelled {
		return err
	}
	return fmt.Errorf("run %s may answer the item, and its plan cannot be read here (git agent cancel %s, if nobody works on it): %w", o.run, o.run, why)
}

// damaged is why a plan ref that somebody moved to what is no plan leaves open
// whose the item is, and how that is answered; nil for a run that was cancelled.
// Its branch says nothing: what landed may have lost it.
func (s *session) damaged(ctx context.Context, f *fleet, o *subject, why error) error {
	if err := s.readCancelled(ctx, f, []*subject{o}); err != nil || o.cancelled {
		return err
	}
	drop := "git update-ref -d " + PlanRef(o.run)
	if !s.landsHere() {
		drop = fmt.Sprintf("git push %s :%s", quoteArg(s.remote.name), PlanRef(o.run))
	}
	return fmt.Errorf("run %s may answer the item, and its plan ref cannot be read: %w (put it back; else git agent cancel %s, if nobody works on it, or %s, if it is no run's)",
		o.run, why, o.run, drop)
}

// fillSubjects reads plan refs and branches of some runs, with one walk each
// for all of them, and leaves out those that nobody can work on.
func (s *session) fillSubjects(ctx context.Context, f *fleet, runs []*subject) ([]*subject, error) {
	if len(runs) == 0 {
		return nil, nil
	}
	runs, err := s.fillChains(ctx, f, runs)
	if err != nil {
		return nil, err
	}
	var names, branches []string
	for _, o := range runs {
		if o.branch != "" {
			names, branches = append(names, s.BranchRef(o.run)), append(branches, o.branch)
		}
	}
	if err := s.readCancelled(ctx, f, runs); err != nil {
		return nil, err
	}
	return runs, s.fillLedgers(ctx, runs, names, branches)
}

// fillChains reads the plan refs; what is no chain of a run is damaged.
func (s *session) fillChains(ctx context.Context, f *fleet, runs []*subject) ([]*subject, error) {
	var tips []string
	for _, o := range runs {
		if o.base == "" { // else it was read with its older plans
			tips = append(tips, f.plans[o.run])
		}
	}
	if len(tips) == 0 {
		return runs, nil
	}
	plans := map[string]object.Commit{}
	if err := s.Git.Unpublished(ctx, tips, nil, nil, func(c object.Commit) { plans[c.ID] = c }); err != nil {
		return nil, err
	}
	var whole []*subject
	for _, o := range runs {
		if o.base != "" {
			whole = append(whole, o)
			continue
		}
		var err error
		if o.chain, err = plan.ReadChain(chainOf(plans, "", f.plans[o.run])); err == nil && o.chain.Base == "" {
			err = errors.New("it names no base")
		}
		if err == nil {
			o.base, o.began = o.chain.Base, o.chain.Versions[0].Time
			whole = append(whole, o)
		} else if err := s.damaged(ctx, f, o, err); err != nil {
			return nil, err
		}
	}
	return whole, nil
}
