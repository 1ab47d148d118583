package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/go-multierror"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// Side is where a push is looked at from.
type Side struct {
	// Known are patterns of the refs whose commits the receiver has already:
	// the remote's tracking refs in a pre-push hook, every ref on the server.
	Known []string
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
	return report, v.judgeAll(ctx, report, question{targets: targets, olds: olds(updates), updates: updates, side: side})
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

// olds are the values that the receiver reports: it has all of them.
func olds(updates []Update) []string {
	var ids []string
	for _, u := range updates {
		if u.Old != "" {
			ids = append(ids, u.Old)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
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
			missing = multierror.Append(missing, fmt.Errorf("%s: %s is no commit in this repository", u.Ref, short(u.New)))
			continue
		}
		run := strings.TrimPrefix(u.Ref, v.Heads)
		targets = append(targets, target{ref: u.Ref, run: run, branch: branchName(u), tip: tip})
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
	olds    []string // the receiver has them, where they are known here
	updates []Update
	side    Side
}

// judgeAll reads plans and commits, in one walk each, and judges every target.
func (v *Verifier) judgeAll(ctx context.Context, report *Report, q question) error {
	plans, err := v.plans(ctx, report, q)
	if err != nil {
		return err
	}
	if base := plans[q.targets[0].run].Base; base != "" && len(q.targets) == 1 {
		q.olds = append(q.olds, base) // of several, each has its own
	}
	commits, err := v.commits(ctx, q)
	if err != nil {
		return err
	}
	head := ""
	if !q.side.Server {
		at, err := v.Git.Head(ctx)
		if err != nil {
			return err
		}
		head = at.ID
	}
	for _, t := range q.targets {
		t.chain, t.side = commits.chain(t.tip, plans[t.run].Base)
		if err := v.whole(ctx, t); err != nil {
			return err
		}
		j := &judge{target: t, policy: v.Policy, plans: plans, later: q.side.Later, head: head}
		j.run()
		report.Branches = append(report.Branches, Branch{t.ref, t.run, t.tip, len(t.chain), j.certificates})
		report.Faults, report.Notes = append(report.Faults, j.faults...), append(report.Notes, j.notes...)
	}
	report.OK = len(report.Faults) == 0
	return nil
}

// commits reads everything that any target brings. Old values that are not
// here (somebody else pushed them) stop nothing: more is judged, not less.
func (v *Verifier) commits(ctx context.Context, q question) (graph, error) {
	here, err := v.Git.Peel(ctx, q.olds)
	if err != nil {
		return nil, err
	}
	var tips, known []string
	for _, t := range q.targets {
		tips = append(tips, t.tip)
	}
	for _, id := range here {
		known = append(known, id)
	}
	slices.Sort(known)
	commits, err := v.Git.Unpublished(ctx, tips, known, q.side.Known)
	if err != nil {
		return nil, err
	}
	return newGraph(commits), nil
}

// whole refuses a chain that ends where the clone's history is cut.
func (v *Verifier) whole(ctx context.Context, t target) error {
	if len(t.chain) == 0 || len(t.chain[0].Parents) > 0 {
		return nil
	}
	shallow, err := v.Git.IsShallow(ctx)
	if err == nil && shallow {
		err = fmt.Errorf("%w: below %s of %s nothing is here", ErrTruncated, short(t.chain[0].ID), nameOf(t))
	}
	return err
}

func nameOf(t target) string {
	if t.ref != "" {
		return t.ref
	}
	return short(t.tip)
}

// graph is a set of commits by id.
type graph map[string]object.Commit

func newGraph(commits []object.Commit) graph {
	g := make(graph, len(commits))
	for _, c := range commits {
		g[c.ID] = c
	}
	return g
}

// chain is the first-parent chain down to base, or to where the set ends,
// oldest first; side is what else the tip reaches.
func (g graph) chain(tip, base string) (chain, side []object.Commit) {
	seen := map[string]bool{base: true}
	var others []string
	for c, ok := g[tip]; ok && c.ID != base; c, ok = g[c.FirstParent()] {
		chain, seen[c.ID] = append(chain, c), true
		if len(c.Parents) > 1 {
			others = append(others, c.Parents[1:]...)
		}
	}
	slices.Reverse(chain)
	for len(others) > 0 {
		c, ok := g[others[0]]
		others = others[1:]
		if ok && !seen[c.ID] {
			side, seen[c.ID] = append(side, c), true
			others = append(others, c.Parents...)
		}
	}
	return chain, side
}
