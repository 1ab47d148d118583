package run

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/plan"
)

// trial is tryChecks under way.
type trial struct {
	*lintee
	req    LintRequest
	facts  *plan.LintFacts
	report *LintReport
	dirs   map[string]string // checkouts, by commit
}

func (t *trial) step(ctx context.Context, step *plan.Step) error {
	before, with := t.tree, t.tree
	if t.ledger != nil {
		if r := t.ledger.Newest(step.ID); r != nil && r.Valid() {
			before, with = r.Boundary, r.Commit.ID
		}
	}
	if len(step.Touches) > 0 { // one that changes nothing may well pass before
		if err := t.before(ctx, step, before); err != nil {
			return err
		}
	}
	if !t.req.Trace {
		return nil
	}
	return t.with(ctx, step, with)
}

// before finds checks that pass without the step's work, each by itself.
func (t *trial) before(ctx context.Context, step *plan.Step, commit string) error {
	dir, ok, err := t.checkout(ctx, step, commit)
	if err != nil || !ok {
		return err
	}
	for k, c := range step.Check {
		result, err := t.runCheck(ctx, c, place{dir: dir, step: step.ID})
		switch {
		case err != nil:
			return err
		case result.Outcome.Kind == check.Cancelled:
			return interrupted(ctx)
		case result.Environment:
			t.unsettled("step %s: check %d: %s", step.ID, k+1, result.Reason)
		case result.Outcome.Passed():
			t.facts.Passing[step.ID] = append(t.facts.Passing[step.ID], k)
		}
		t.Notify("%s: before its work: check %d/%d %s in %ss: %s", step.ID, k+1, len(step.Check), verdictWord(result), seconds(result.Duration), c.Run)
	}
	return nil
}

// with records what the checks read where the step is done, or as far as they
// come.
func (t *trial) with(ctx context.Context, step *plan.Step, commit string) error {
	dir, ok, err := t.checkout(ctx, step, commit)
	if err != nil || !ok {
		return err
	}
	seen := &recorded{}
	for _, c := range step.Check {
		result, err := t.record1(ctx, c, place{dir: dir, step: step.ID}, t.req.Scratch, seen)
		if err != nil {
			return err
		}
		if result.Outcome.Kind == check.Cancelled {
			return interrupted(ctx)
		}
	}
	s := *t.session
	s.head.ID = commit
	depends, err := s.dependence(ctx, step, seen, dir)
	if err == nil {
		t.facts.Seen[step.ID] = depends.Propose
	}
	return err
}

func (t *trial) unsettled(format string, args ...any) {
	t.report.Unsettled = append(t.report.Unsettled, fmt.Sprintf(format, args...))
}

// checkout is a checkout of a commit in which setup ran, one for all steps.
func (t *trial) checkout(ctx context.Context, step *plan.Step, commit string) (dir string, ok bool, err error) {
	if dir, made := t.dirs[commit]; made {
		return dir, dir != "", nil
	}
	dir = filepath.Join(t.req.Scratch, fmt.Sprintf("tree-%d", len(t.dirs)))
	if err := t.Git.Scratch(ctx, dir, commit); err != nil {
		return "", false, err
	}
	why, err := t.setUpIn(ctx, dir)
	if why != "" {
		t.unsettled("step %s: %s", step.ID, why)
		dir = ""
	}
	t.dirs[commit] = dir
	return dir, dir != "", err
}
