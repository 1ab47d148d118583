package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// integrated is the commit that the target is to move to.
type integrated struct {
	commit, tree string
	mode         string
}

// integrate makes the commit of the target that holds the run, from objects
// alone: no index and no working tree of anybody's is looked at or changed.
func (l *lander) integrate(ctx context.Context) (*integrated, error) {
	ff, err := l.Git.IsAncestor(ctx, l.target.tip, l.upTo.Commit.ID)
	if err != nil {
		return nil, err
	}
	mode := l.mode
	switch {
	case mode == "" && ff:
		mode = LandFF
	case mode == "":
		mode = LandMerge
	}
	l.report.Mode = mode
	if mode == LandFF {
		if !ff {
			return nil, failf("NOT_FAST_FORWARD", ExitNo, "%s at %s is not below %s, so it cannot be fast-forwarded; nothing was landed",
				l.target.branch, short(l.target.tip), short(l.upTo.Commit.ID)).
				hint("%s --mode merge", l.landCommand()).hint("%s --mode squash", l.landCommand())
		}
		l.report.Commit = l.upTo.Commit.ID
		return &integrated{commit: l.upTo.Commit.ID, tree: l.upTo.Commit.Tree, mode: mode}, nil
	}
	return l.combine(ctx, mode, ff)
}

// combine makes a merge commit or a squash.
func (l *lander) combine(ctx context.Context, mode string, ff bool) (*integrated, error) {
	made := &integrated{mode: mode, tree: l.upTo.Commit.Tree}
	if !ff {
		var err error
		if made.tree, err = l.mergedTree(ctx); err != nil {
			return nil, err
		}
	}
	c := newCommit(made.tree, l.target.tip, "")
	c.Sign = l.Git.SignsCommits()
	var err error
	if mode == LandMerge {
		c.Parents = append(c.Parents, l.upTo.Commit.ID)
		c.Message, err = l.mergeMessage()
	} else {
		c.Message, err = landing.SquashMessage(l.plan.Title, l.landingRecords(l.squashedBefore()))
	}
	if err != nil {
		return nil, err
	}
	if made.commit, err = l.writeCommit(ctx, c); err != nil {
		return nil, err
	}
	l.report.Commit = made.commit
	return made, nil
}

// mergedTree is the three-way merge of the target and what lands.
func (l *lander) mergedTree(ctx context.Context) (string, error) {
	ours, theirs, err := l.sides(ctx)
	if err != nil {
		return "", err
	}
	tmp, err := l.tmp()
	if err != nil {
		return "", err
	}
	tree, conflicts, err := l.Git.MergeTrees(ctx, tmp, ours, theirs)
	if err != nil {
		return "", fail("UNKNOWN", ExitUnknown, fmt.Errorf("merge %s into %s: %w", short(l.upTo.Commit.ID), l.target.branch, err), "git version   # merging needs 2.38")
	}
	if len(conflicts) > 0 {
		return "", l.conflict(ctx, conflicts)
	}
	return tree, nil
}

// sides are what is merged. Two things that history does not tell git, commits
// that nobody will ever see do: an earlier part of the run that was squashed is
// there already, and one that was reverted is not, whatever is merged.
func (l *lander) sides(ctx context.Context) (ours, theirs string, err error) {
	ours, theirs = l.target.tip, l.upTo.Commit.ID
	reverted, err := l.revertedThere(ctx)
	before := l.squashedBefore()
	switch {
	case err != nil:
	case reverted:
		theirs, err = l.unseen(ctx, theirs, l.base)
	case before >= 0:
		ours, err = l.unseen(ctx, ours, ours, l.ledger.Chain[before].ID)
	}
	return ours, theirs, err
}

// unseen is a commit of another one's tree on other parents.
func (l *lander) unseen(ctx context.Context, commit string, parents ...string) (string, error) {
	tree, err := l.Git.TreeOf(ctx, commit)
	if err != nil {
		return "", err
	}
	return l.Git.WriteCommit(ctx, object.NewCommit{Tree: tree, Message: "git-agent: side of a merge\n", Parents: parents})
}

// revertedThere reports whether the target took back something of the run.
func (l *lander) revertedThere(ctx context.Context) (bool, error) {
	o := l.itself()
	g, err := l.scanTarget(ctx, l.target, o.base)
	if err != nil {
		return false, err
	}
	marks, _ := o.landed(l.target.branch)
	if len(marks) == 0 && !slices.ContainsFunc(l.ledger.Records, func(r *ledger.Record) bool { return g.has(r.Commit.ID) }) {
		return false, nil // nothing of the run is there: most landings
	}
	f, err := l.find(ctx, g, o, marks)
	if err != nil {
		return false, err
	}
	back := slices.ContainsFunc(marks, func(k mark) bool { return f.reverts.Of(k.SHA) != "" })
	for _, r := range l.ledger.Records {
		back = back || g.has(r.Commit.ID) && f.reverts.Of(r.Commit.ID) != ""
	}
	return back, nil
}

// squashedBefore is the place on the run's chain up to which an earlier landing
// holds it already, -1 where none does.
func (l *lander) squashedBefore() int {
	marks, _ := l.itself().landed(l.target.branch)
	if l.req.Again || len(marks) == 0 || marks[len(marks)-1].index >= l.upTo.Index {
		return -1
	}
	return marks[len(marks)-1].index
}

func (l *lander) mergeMessage() (string, error) {
	subject := fmt.Sprintf("Land run %s: %s", l.run, strings.Join(strings.Fields(trailers.Escape(l.plan.Title)), " "))
	var lines []string
	for _, r := range l.landingRecords(l.squashedBefore()) {
		lines = append(lines, "* "+trailers.Parse(r.Commit.Message).Subject)
	}
	return trailers.Format(trailers.Message{Subject: subject, Body: trailers.Escape(strings.Join(lines, "\n"))})
}
