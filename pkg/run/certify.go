package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/trailers"
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
	s.Fault("row6")
	if err != nil || j.outcome != reconcile.Passed {
		return j, err
	}
	if err := s.unchanged(ctx, w, c); err != nil {
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

func (s *session) checkPlace(ctx context.Context, w *work, c *candidate, pad *scratchpad) (place, error) {
	at := place{dir: s.Place.Top, step: w.step.ID, attempt: w.attempt}
	if !w.step.Isolate {
		return at, nil
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
	changes, err := s.Git.DiffTrees(ctx, c.tree, tree)
	if err != nil {
		return err
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

// commit is rows 8 to 10.
func (s *session) commit(ctx context.Context, w *work, c *candidate, j judged, fingerprint string) error {
	number := s.nextAttempt(w.step.ID)
	if w.attempt != nil {
		number = w.attempt.Number
	}
	e := s.evidence(w.step, j, c.tree, fingerprint)
	e.Attempt, e.Notes, e.Strays, e.Dirty = number, w.notes, s.strayNames(w, c), c.view.dirty
	id, err := s.writeCertificate(ctx, w.step, e, c.head)
	if err != nil {
		return err
	}
	s.Fault("row8")
	if err := s.preserveStaged(ctx, w, c); err != nil {
		return err
	}
	// Before the branch moves: nobody would know after a kill in between.
	s.local.Certified[id] = fingerprint
	delete(s.local.Failures, w.step.ID)
	if err := s.saveLocal(); err != nil {
		return err
	}
	update := object.RefUpdate{Name: s.branch, Old: c.head, New: id}
	if err := s.Git.UpdateRefs(ctx, s.why("step", w.step.ID), update); err != nil {
		return err
	}
	s.Fault("row9")
	if err := s.verifyRecord(ctx, id, e); err != nil {
		return err
	}
	if err := s.bringIndex(ctx, c.head, c.tree, c.view); err != nil {
		return err
	}
	s.Fault("row10")
	s.Notify("%s: certified as %s", w.step.ID, short(id))
	return s.reload(ctx)
}

// strayNames lists the paths outside touches that the policy let in.
func (s *session) strayNames(w *work, c *candidate) []string {
	var names []string
	for _, ch := range c.changed {
		if !w.touches.Match(ch.Path) {
			names = append(names, ch.Path)
		}
	}
	return names
}

func (s *session) evidence(step *plan.Step, j judged, tree, fingerprint string) trailers.Evidence {
	return trailers.Evidence{Run: s.run, Step: step.ID, Checks: j.checks, PlanVersion: s.version, Tree: tree, Fingerprint: fingerprint}
}

// writeCertificate writes the commit object; no ref moves.
func (s *session) writeCertificate(ctx context.Context, step *plan.Step, e trailers.Evidence, parent string) (string, error) {
	block, err := e.Trailers()
	if err != nil {
		return "", fmt.Errorf("certificate of step %s: %w", step.ID, err)
	}
	message, err := trailers.Format(trailers.Message{Subject: step.ID + ": " + step.Title, Trailers: block})
	if err != nil {
		return "", fmt.Errorf("certificate of step %s: %w", step.ID, err)
	}
	c := newCommit(e.Tree, parent, message)
	c.Sign = s.Git.SignsCommits()
	return s.Git.WriteCommit(ctx, c)
}

// verifyRecord reads a certificate back from the object store and parses it as
// every later reader will.
func (s *session) verifyRecord(ctx context.Context, id string, want trailers.Evidence) error {
	c, err := s.Git.ReadCommit(ctx, id)
	if err != nil {
		return err
	}
	got := trailers.Read(c.Message)
	if got.Kind == trailers.Certificate && got.Evidence.Step == want.Step && got.Evidence.Run == want.Run &&
		got.Evidence.Tree == c.Tree && c.Tree == want.Tree && slices.Equal(got.Evidence.Checks, want.Checks) {
		return nil
	}
	return failf("RECORD_UNREADABLE", ExitUnknown, "certificate %s of step %s does not read back as it was written: %s",
		short(id), want.Step, strings.Join(got.Faults, "; ")).hint("git show --no-patch %s", short(id))
}

// preserveStaged keeps versions that only the person's index holds, before the
// index is brought along.
func (s *session) preserveStaged(ctx context.Context, w *work, c *candidate) error {
	staged := slices.DeleteFunc(slices.Clone(c.view.mine), func(path string) bool {
		f, known := c.view.status[path]
		return !known || f.Untracked() || f.Staged == '.' || f.IndexMode == object.ModeNone || f.IndexID == f.HeadID
	})
	after, err := s.Git.EntriesAt(ctx, c.tree, staged)
	if err != nil {
		return err
	}
	var only []string
	for _, e := range after {
		if c.view.status[e.Path].IndexID != e.ID {
			only = append(only, e.Path)
		}
	}
	if len(only) == 0 {
		return nil
	}
	ref, err := s.preserve(ctx, "strays", only, fmt.Sprintf("%s staged versions beside step %s, %s\n", s.run, w.step.ID, s.stamp()))
	if err == nil {
		s.Notify("%s: staged versions of %s are kept at %s", w.step.ID, listPaths(only), ref)
	}
	return err
}

// bringIndex takes the person's index along for exactly the paths that the
// certificate changed; everything else that is staged stays staged.
func (s *session) bringIndex(ctx context.Context, from, tree string, view *survey) error {
	changes, err := s.Git.DiffTrees(ctx, from, tree)
	if err != nil {
		return err
	}
	var entries []object.Entry
	changed := map[string]bool{}
	for _, ch := range changes {
		changed[ch.Path] = true
		entries = append(entries, object.Entry{Path: ch.Path, Mode: ch.NewMode, ID: ch.NewID})
	}
	rest := slices.DeleteFunc(slices.Clone(view.mine), func(path string) bool { return changed[path] })
	unchanged, err := s.Git.EntriesAt(ctx, tree, rest)
	if err != nil {
		return err
	}
	return s.Git.SetIndex(ctx, append(entries, unchanged...))
}
