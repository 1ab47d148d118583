package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// candidate is a tree that may become a certificate.
type candidate struct {
	head     string // HEAD when it was built
	tree     string
	paths    []string // of the working tree that are in it, sorted
	view     *survey
	included []string
	changed  []object.Change // between boundary and tree
}

// certify is rows 4 to 10 of the design, section 6: strays, the tree, its
// checks, the tree again, the commit, the branch, the person's index. A step
// whose checks fail is an answer, not an error. It does not push.
func (s *session) certify(ctx context.Context, w *work) (judged, error) {
	defer s.dropCandidate()
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
	j.tree, j.leftOut = c.tree, c.view.rewritten
	s.Fault("row6")
	if err == nil && j.outcome == reconcile.Failed {
		err = s.headKept(ctx, w.step.ID)
	}
	if err != nil || j.outcome != reconcile.Passed {
		return j, err
	}
	if err := s.changedSomething(w, c); err != nil {
		return j, err
	}
	if err := s.heldSomewhere(ctx, w, c); err != nil {
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
	if err := s.refuseIgnored(ctx, w); err != nil {
		return nil, err
	}
	view, err := s.sort(ctx, w)
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
	c.paths = sortedUnion(view.mine, included)
	if setAside {
		c.paths = sortedUnion(view.mine, view.above) // back at the boundary: that is what T1 holds
	}
	c.paths = without(c.paths, view.hidden) // HEAD's
	err = together(
		func() error { return s.beginSnapshot(ctx, c.head) },
		func() error { return asRefusal(s.roller.Refuse(ctx, w.boundary, c.paths)) })
	if err != nil {
		return nil, err
	}
	if c.tree, err = s.treeNow(ctx, c.paths, view.left); err != nil {
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
// first-parent ancestor. The last look at the working tree counts on where
// nothing ran since (see forget) and HEAD did not move.
func (s *session) onBranch(ctx context.Context, w *work) error {
	head, looked := s.head, s.looked
	if err := s.reload(ctx); err != nil {
		return err
	}
	s.looked = looked && s.head == head
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

// snapshot is base's tree with these paths as they are now, without those that
// git does not track any more.
func (s *session) snapshot(ctx context.Context, base string, paths []string, left ...string) (string, error) {
	defer s.dropCandidate()
	if err := s.beginSnapshot(ctx, base); err != nil {
		return "", err
	}
	return s.treeNow(ctx, paths, left)
}

// treeNow is the tree that beginSnapshot began, HEAD's, with these paths as they
// are now. What is staged decides about line ends.
func (s *session) treeNow(ctx context.Context, paths, left []string) (string, error) {
	status, err := s.status(ctx)
	if err != nil {
		return "", err
	}
	var staged []object.Entry
	for _, f := range status {
		if f.Staged != '.' && !f.Untracked() && !f.Unmerged() {
			staged = append(staged, object.Entry{Path: f.Path, Mode: f.IndexMode, ID: f.IndexID})
		}
	}
	return s.Git.SnapshotTree(ctx, s.candidateIndex(), paths, left, staged)
}

// beginSnapshot readies the index file that snapshots over this base are built in.
func (s *session) beginSnapshot(ctx context.Context, base string) error {
	if _, err := s.tmp(); err != nil { // the folder that it lies in
		return err
	}
	return s.Git.SnapshotBase(ctx, s.candidateIndex(), base)
}

// candidateIndex is the index file that a candidate is built in; who holds the
// run's lock has it for themselves.
func (s *session) candidateIndex() string { return s.State.Path(s.run + "/tmp/candidate") }

func (s *session) dropCandidate() { s.Git.SnapshotDrop(s.candidateIndex()) }

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
	f := failf("NOTHING_CHANGED", ExitNo, "step %s: nothing under its touches changed since %s; nothing was certified", w.step.ID, short(w.boundary))
	f = w.takeIn(f, c.view.rewritten).hint("git agent %s --empty   # if nothing had to change", w.verb)
	return s.orHidden(f, w, c.view)
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
	if !w.step.Isolate {
		here, err := s.sameHere(ctx, w, c)
		if err != nil || here {
			return at, err
		}
	}
	at.dir, err = pad.ofTree(ctx, c.tree, c.head)
	return at, err
}

// sameHere reports whether checks see here what a checkout of the tree to be
// committed gives; where not, it tells why.
func (s *session) sameHere(ctx context.Context, w *work, c *candidate) (bool, error) {
	bits, err := s.otherBits(ctx, c.tree)
	if err != nil {
		return false, err
	}
	bytes, err := s.otherBytes(ctx, c.tree, w.sees, c.changed)
	if err != nil {
		return false, err
	}
	dirs, err := s.dirsLeftOut(ctx, w.step.Check...)
	if err != nil {
		return false, err
	}
	for _, why := range []struct {
		paths []string
		text  string
	}{
		{bits, ": git is told not to look at executable bits here (core.fileMode), and has others for %s"},
		{bytes, ": git would check out other bytes than lie here (line ends, filters) for %s"},
		{dirs, ": a sparse checkout lacks some of %s, where its checks run"},
		{c.view.beside, ", without %s: untracked and older than the attempt, so no part of the step"},
		{c.view.hidden, ", without the changes in %s: git was told not to look at them, so they are no part of the step"},
		{c.view.leftOut, " with %s, which the sparse checkout lacks"},
	} {
		if len(why.paths) > 0 {
			s.Notify("%s: checked in a scratch checkout"+why.text, w.step.ID, listPaths(why.paths))
		}
	}
	return len(bits)+len(bytes)+len(dirs)+len(c.view.beside)+len(c.view.hidden)+len(c.view.leftOut) == 0, nil
}
