package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/go-multierror"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// Side is where a push is looked at from.
type Side struct {
	// Known are patterns of the refs whose commits the receiver has already:
	// the remote's tracking refs in a pre-push hook, every ref on the server.
	Known []string
	// Elsewhere are patterns of the other branches, where Known is not given;
	// "^" before one leaves refs out of those behind it.
	Elsewhere []string
	// Later: a newer plan may still come with the same push and is not seen
	// (an update hook is asked for one ref after the other).
	Later bool
	// Server: nobody's HEAD is here.
	Server bool
}

// Push judges the run branches among updates; everything else passes
// untouched, and so do deleted refs. The number of git children is the same
// for one ref and for thousands.
func (v *Verifier) Push(ctx context.Context, updates []Update, side Side) (*Report, error) {
	report := v.newReport()
	ours := v.ours(updates, report)
	if len(ours) == 0 {
		report.OK = true
		return report, nil
	}
	targets, err := v.targets(ctx, ours)
	if err != nil {
		return nil, err
	}
	return report, v.judgeAll(ctx, report, question{targets: targets, updates: updates, side: side})
}

// ours picks the updates of run branches that bring something.
func (v *Verifier) ours(updates []Update, report *Report) []Update {
	var found []Update
	for _, u := range updates {
		run, under := strings.CutPrefix(u.Ref, v.Heads)
		switch {
		case !under || u.New == "":
		case trailers.ValidID(run) != nil:
			report.note("%s is not the branch of a run and was not looked at", u.Ref)
		default:
			found = append(found, u)
		}
	}
	return found
}

// targets resolves the new values. One that is no commit here is a doubt, told
// for each ref.
func (v *Verifier) targets(ctx context.Context, ours []Update) ([]target, error) {
	var ids []string
	for _, u := range ours {
		ids = append(ids, u.New)
	}
	commits, err := v.Git.Peel(ctx, ids)
	if err != nil {
		return nil, err
	}
	var targets []target
	var missing *multierror.Error
	for _, u := range ours {
		tip, ok := commits[u.New]
		if !ok {
			missing = multierror.Append(missing, fmt.Errorf("%s: %s is no commit in this repository", u.Ref, object.Short(u.New)))
			continue
		}
		run := strings.TrimPrefix(u.Ref, v.Heads)
		targets = append(targets, target{ref: u.Ref, run: run, branch: branchName(u), old: u.Old, tip: tip})
	}
	return targets, oneLineEach(missing)
}

// branchName is the branch here, where the person named one.
func branchName(u Update) string {
	const heads = "refs/heads/"
	if name, ok := strings.CutPrefix(u.Label, heads); ok {
		return name
	}
	return strings.TrimPrefix(u.Ref, heads)
}

func oneLineEach(errs *multierror.Error) error {
	if errs != nil {
		errs.ErrorFormat = func(all []error) string {
			lines := make([]string, len(all))
			for i, err := range all {
				lines[i] = err.Error()
			}
			return strings.Join(lines, "\n")
		}
	}
	return errs.ErrorOrNil()
}

// question is everything that one judgement is about.
type question struct {
	targets []target
	updates []Update
	side    Side
}

// judgeAll reads plans and commits, in one walk each, and judges every target.
func (v *Verifier) judgeAll(ctx context.Context, report *Report, q question) error {
	plans, err := v.plans(ctx, report, q)
	if err != nil {
		return err
	}
	for i, t := range q.targets {
		if t.base == "" {
			q.targets[i].base = plans[t.run].Base
		}
	}
	if err := v.read(ctx, report, q); err != nil {
		return err
	}
	head := sync.OnceValue(func() string { // a doubt about HEAD is one checkout more
		at, _ := v.Git.Head(ctx)
		return at.ID
	})
	for _, t := range q.targets {
		if err := v.whole(ctx, t); err != nil {
			return err
		}
		j := &judge{target: t, policy: v.Policy, plans: plans, later: q.side.Later, compare: v.Git.ReadsTrailersOtherwise()}
		if !q.side.Server {
			j.head = head
		}
		j.run()
		if err := v.forgive(ctx, j, slices.Concat(q.side.Elsewhere, q.side.Known)); err != nil {
			return err
		}
		report.Branches = append(report.Branches, Branch{t.ref, t.run, t.tip, len(t.chain), j.certificates})
		report.Faults, report.Notes = append(report.Faults, j.faults...), append(report.Notes, j.notes...)
	}
	report.OK = len(report.Faults) == 0
	return nil
}

// forgive drops faults of what proves nothing here anyway, other runs' evidence
// and what a landing made, in commits that other branches have already: a
// branch that the target was merged into, or that was rebased onto it, brings
// along what landed there.
func (v *Verifier) forgive(ctx context.Context, j *judge, known []string) error {
	foreign := func(f Fault) bool { return slices.Contains(f.Codes, OtherRun) || slices.Contains(f.Codes, Misplaced) }
	if len(known) == 0 || !slices.ContainsFunc(j.faults, foreign) {
		return nil
	}
	var fresh graph
	if err := v.Git.Unpublished(ctx, []string{j.tip}, nil, known, fresh.add); err != nil {
		return err
	}
	j.faults = slices.DeleteFunc(j.faults, func(f Fault) bool {
		isNew := fresh.at(f.Commit) != nil
		if foreign(f) && !isNew {
			j.notes = append(j.notes, fmt.Sprintf("commit %s: %s, which other branches have already", object.Short(f.Commit), kindOf(f)))
		}
		return foreign(f) && !isNew
	})
	return nil
}

func kindOf(f Fault) string {
	if slices.Contains(f.Codes, OtherRun) {
		return "evidence of another run"
	}
	return "the evidence of what landed"
}

// whole refuses a chain that ends where the clone's history is cut.
func (v *Verifier) whole(ctx context.Context, t target) error {
	if len(t.chain) == 0 || len(t.chain[0].Parents) > 0 {
		return nil
	}
	shallow, err := v.Git.IsShallow(ctx)
	if err == nil && shallow {
		err = fmt.Errorf("%w: below %s of %s nothing is here", ErrTruncated, object.Short(t.chain[0].ID), nameOf(t))
	}
	return err
}

func nameOf(t target) string {
	if t.ref != "" {
		return t.ref
	}
	return object.Short(t.tip)
}
