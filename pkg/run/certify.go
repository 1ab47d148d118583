package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// candidate is a tree that may become a certificate.
type candidate struct {
	head     string // HEAD when it was built
	tree     string
	view     *survey
	included []string
	changed  []object.Change // between boundary and tree
}

// certify is rows 4 to 10 of the design, section 6: strays, the tree, its
// checks, the tree again, the commit, the branch, the person's index. A step
// whose checks fail is an answer, not an error. It does not push.
func (s *session) certify(ctx context.Context, w *work) (judged, error) {
	if err := s.refuseIgnored(ctx, w); err != nil {
		return judged{}, err
	}
	c, err := s.candidate(ctx, w)
	if err != nil {
		return judged{}, err
	}
	s.Fault("row5")
	pad := s.scratchpad()
	defer pad.remove()
	at, err := s.checkPlace(ctx, w, c, pad)
	if err != nil {
		return judged{}, err
	}
	fingerprint, why, err := s.fingerprint(ctx, at.dir)
	if err != nil || why != "" {
		return judged{outcome: reconcile.Unsettled, reason: why}, err
	}
	j, err := s.judge(ctx, w.step, at)
	j.tree = c.tree
	s.Fault("row6")
	if err != nil || j.outcome != reconcile.Passed {
		return j, err
	}
	if err := s.changedSomething(w, c); err != nil {
		return j, err
	}
	if err := s.unchanged(ctx, w, c); err != nil {
		return j, err
	}
	if err := s.stillOurs(w.attempt); err != nil {
		return j, err
	}
	s.Fault("row7")
	// From here an interrupt waits: what the checks saw is about to be saved.
	return j, s.commit(context.WithoutCancel(ctx), w, c, j, fingerprint)
}

// candidate settles strays and builds T1.
func (s *session) candidate(ctx context.Context, w *work) (*candidate, error) {
	if err := s.onBranch(ctx, w); err != nil {
		return nil, err
	}
	view, err := s.survey(ctx, w)
	if err != nil {
		return nil, err
	}
	if err := s.claimed(w, view); err != nil {
		return nil, err
	}
	included, err := s.settleStrays(ctx, w, view)
	if err != nil {
		return nil, err
	}
	s.Fault("row4")
	setAside := len(included) == 0 && len(view.all()) > 0
	c := &candidate{head: s.head.ID, view: view, included: included}
	paths := sortedUnion(view.mine, included)
	if setAside {
		paths = sortedUnion(view.mine, view.above) // back at the boundary: that is what T1 holds
	}
	if err := s.roller.Refuse(ctx, paths); err != nil {
		return nil, asRefusal(err)
	}
	if c.tree, err = s.snapshot(ctx, s.head.ID, paths); err != nil {
		return nil, err
	}
	if c.changed, err = s.Git.DiffTrees(ctx, w.boundary, c.tree); err != nil {
		return nil, err
	}
	if w.unattended {
		return c, nil // an attempt that did nothing is one that failed, where its checks say so
	}
	return c, s.changedSomething(w, c)
}

// onBranch: HEAD is on the run's branch and the attempt's tip is its
// first-parent ancestor.
func (s *session) onBranch(ctx context.Context, w *work) error {
	if err := s.reload(ctx); err != nil {
		return err
	}
	if s.head.Branch != s.branch {
		return s.wrongBranch()
	}
	if _, on := s.ledger.Place(w.boundary); !on {
		return failf("WRONG_BRANCH", ExitPerson, "branch %s at %s does not contain %s, where the attempt started; nothing was certified",
			ShortBranch(s.branch), short(s.tip), short(w.boundary)).hint("git agent resume %s", s.run)
	}
	return nil
}

func (s *session) wrongBranch() error {
	where := ShortBranch(s.head.Branch)
	if where == "" {
		where = "no branch (detached at " + short(s.head.ID) + ")"
	}
	return failf("WRONG_BRANCH", ExitPerson, "HEAD is on %s, the run's branch is %s; nothing was touched", where, ShortBranch(s.branch)).
		hint("git agent resume %s", s.run)
}

func (s *session) snapshot(ctx context.Context, base string, paths []string) (string, error) {
	tmp, err := s.tmp()
	if err != nil {
		return "", err
	}
	return s.Git.SnapshotTree(ctx, tmp, base, paths)
}

// changedSomething refuses an attempt that did nothing, which would certify
// whatever was there before.
func (s *session) changedSomething(w *work, c *candidate) error {
	if w.empty || len(w.step.Touches) == 0 {
		return nil
	}
	for _, ch := range c.changed {
		if w.touches.Match(ch.Path) {
			return nil
		}
	}
	return failf("NOTHING_CHANGED", ExitNo, "step %s: nothing under its touches changed since %s; nothing was certified", w.step.ID, short(w.boundary)).
		hint("git agent %s --empty   # if nothing had to change", w.verb)
}

// checkPlace is where the checks run: here, or in a scratch checkout of exactly
// the tree to be committed, where the step asks for it, or where its checks
// would see a file here that is not in that tree.
func (s *session) checkPlace(ctx context.Context, w *work, c *candidate, pad *scratchpad) (place, error) {
	logs, err := s.folderOf(s.run, w.attempt)
	if err != nil {
		return place{}, err
	}
	at := place{dir: s.Place.Top, step: w.step.ID, attempt: w.attempt, logs: logs}
	if !w.step.Isolate && len(c.view.beside) == 0 {
		return at, nil
	}
	if !w.step.Isolate {
		s.Notify("%s: checked in a scratch checkout, without %s: untracked and older than the attempt, so no part of the step", w.step.ID, listPaths(c.view.beside))
	}
	dir, err := pad.ofTree(ctx, c.tree, c.head)
	at.dir = dir
	return at, err
}

// unchanged builds the tree once more (T2): what the checks saw is what is
// certified, or nothing is.
func (s *session) unchanged(ctx context.Context, w *work, c *candidate) error {
	head, err := s.Git.Head(ctx)
	if err != nil {
		return err
	}
	view, err := s.survey(ctx, w)
	if err != nil {
		return err
	}
	paths := sortedUnion(view.mine, c.included, c.view.mine)
	if len(c.included) == 0 {
		paths = sortedUnion(paths, c.view.above)
	}
	tree, err := s.snapshot(ctx, c.head, paths)
	if err != nil {
		return err
	}
	var changes []object.Change
	if tree != c.tree {
		if changes, err = s.Git.DiffTrees(ctx, c.tree, tree); err != nil {
			return err
		}
	}
	var moved []string
	for _, ch := range changes {
		moved = append(moved, ch.Path)
	}
	for path := range newTracked(view, c) {
		moved = append(moved, path)
	}
	if len(moved) == 0 && head.Branch == s.branch && head.ID == c.head {
		return nil
	}
	return checkChanged(w, moved)
}

// newTracked yields tracked changes elsewhere that were not there before the checks.
func newTracked(now *survey, c *candidate) map[string]bool {
	found := map[string]bool{}
	for _, path := range now.strays {
		settled := slices.Contains(c.included, path) || slices.Contains(c.view.above, path) // T2 has these
		if !now.status[path].Untracked() && !settled {
			found[path] = true
		}
	}
	return found
}

func checkChanged(w *work, moved []string) error {
	what := listPaths(sortedUnion(moved))
	if what == "" {
		what = "HEAD"
	}
	return failf("CHECK_CHANGED", ExitNo, "step %s: the check changed %s, so what it saw is not what would be certified; nothing was", w.step.ID, what).
		hint("git status").hint("git agent %s   # again, if the change is wanted", w.verb)
}
