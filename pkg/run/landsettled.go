package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/ledger"
)

// aboveSettled: a person's merges of the target directly above what lands come
// along. Where both had changed the same lines they settle it, or the landing would
// end in that conflict for ever. A pull request is of what is certified.
func (l *lander) aboveSettled() {
	if at := l.aboveMerges(l.upTo.Index); at > l.upTo.Index && l.mode != LandPR {
		l.upTo = &ledger.Record{Commit: l.ledger.Chain[at], Index: at}
	}
}

// conflict is the refusal where only a person can merge, with the way to do it: on
// the run's branch, where the checks judge how it was settled.
func (l *lander) conflict(ctx context.Context, paths []string) error {
	settled, err := l.Git.IsAncestor(ctx, l.target.tip, l.tip)
	if err != nil {
		return err
	}
	f := failf("CONFLICT", ExitPerson, "%s and the run changed the same lines of %s; nothing was landed and nothing was moved", l.target.branch, listPaths(paths)).
		hint("git diff %s...%s -- %s", short(l.upTo.Commit.ID), short(l.target.tip), pathspecs(paths[:1]))
	if settled {
		return l.settledAbove(f)
	}
	return f.hint("git merge %s   # on the run's branch, settle it, then: git agent resume %s && %s", short(l.target.tip), l.run, l.again())
}

// settledAbove: the branch holds the target already, above other steps or commits
// than were to land. It lands with those steps, or once it is certified.
func (l *lander) settledAbove(f *Failure) error {
	for _, r := range slices.Backward(l.ledger.Records) {
		step, _ := l.plan.Step(r.Evidence.Step)
		if step != nil && !slices.Contains(l.wanted, step.ID) && r.Valid() && r.Index > l.upTo.Index && len(r.Span) > 0 {
			further := *l
			further.req.Through = step.ID
			return f.hint("%s   # it is settled above that step", further.again())
		}
	}
	return f.hint("git agent step %s --empty   # certifies what it was settled with, then: %s", last(l.steps), l.again())
}
