package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/stash"
)

// RollbackRequest takes a step's work back.
type RollbackRequest struct {
	Run, Step string
	// Yes allows certified work to be undone, by an undo commit.
	Yes    bool
	NoPush bool
	Push   bool // the preserved work too, as the plan's keep_partial does
}

// Rollback preserves a step's partial work and takes exactly the paths under
// its touches back to the boundary; what changed elsewhere stays and is told.
// Certified work is undone only with Yes, by a commit, never by moving the
// branch back.
func (e *Engine) Rollback(ctx context.Context, req RollbackRequest) (*Report, error) {
	s, unlock, err := e.begin(ctx, req.Run, "rollback", req.NoPush)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s.sharing = req.Push
	err = s.rollback(ctx, req)
	if err == nil {
		err = s.push(ctx)
	}
	r, errReport := s.report()
	return r, errors.Join(err, errReport)
}

func (s *session) rollback(ctx context.Context, req RollbackRequest) error {
	step, err := s.step(req.Step)
	if err != nil {
		return err
	}
	if err := s.samePlace(); err != nil {
		return err
	}
	if err := s.settleAttempts(ctx, leaveAlive); err != nil {
		return err
	}
	if s.head.Branch != s.branch {
		return s.wrongBranch()
	}
	if err := s.notBehind(ctx); err != nil {
		return err
	}
	if err := s.finishRollbacks(ctx); err != nil {
		return err
	}
	a, err := s.attemptOf(step.ID)
	if err != nil {
		return err
	}
	w, err := s.work(ctx, step, a, plan.StrayRefuse, "rollback "+step.ID)
	if err != nil {
		return err
	}
	w.back = true
	if a != nil {
		w.claimed = a.Untracked // where it had no job; else they are older than that
	}
	view, err := s.survey(ctx, w)
	if err != nil {
		return err
	}
	underWay, err := s.undoUnderWay(ctx, step, req.Yes, view)
	if err != nil {
		return err
	}
	if len(view.paths()) > 0 && !underWay {
		return s.rollbackPartial(ctx, w, view)
	}
	return s.undoCertified(ctx, step, req.Yes, a)
}

func (s *session) rollbackPartial(ctx context.Context, w *work, view *survey) error {
	p, err := s.beginRollback(ctx, w, view, nil)
	if err != nil {
		return err
	}
	if len(view.strays) > 0 {
		s.Notify("left alone, outside %s's touches: %s", w.step.ID, listPaths(view.strays))
	}
	if len(view.beside) > 0 {
		s.Notify("left alone, untracked and made by no attempt at %s: %s", w.step.ID, listPaths(view.beside))
	}
	return s.conclude(ctx, p)
}

func (s *session) undoCertified(ctx context.Context, step *plan.Step, yes bool, a *attempt) error {
	records := s.ledger.Of(step.ID)
	if len(records) == 0 {
		s.Notify("%s: there is nothing to roll back", step.ID)
		return s.retire(a)
	}
	newest := records[len(records)-1]
	if by := s.records().TakenBackBy(newest); by != "" {
		s.Notify("%s: there is nothing to roll back, it was taken back in %s", step.ID, short(by))
		return nil
	}
	if !yes {
		return failf("CERTIFIED", ExitPerson, "step %s is certified by %s; nothing was touched", step.ID, short(newest.Commit.ID)).
			hint("git agent rollback %s --yes   # undo it by a commit", step.ID)
	}
	if err := s.needNotCancelled(ctx, leaveCancelled); err != nil {
		return err // the commit could not be pushed
	}
	s.tellReopened(step.ID)
	before, others := s.before(step)
	if err := s.needUntouchedSince(step, newest.Index, before); err != nil {
		return err
	}
	if err := s.undo(ctx, step, before); err != nil {
		return err
	}
	if len(others) > 0 {
		s.Notify("%s: left alone, committed before its certificate outside its touches: %s", step.ID, listPaths(others))
	}
	return nil
}

// before is what the step's certificates changed, as it was, and what lies in
// them that others may have made: that is left alone.
func (s *session) before(step *plan.Step) (before map[string]object.Entry, others []string) {
	own, others := s.ledger.Own(step.ID, s.touchedBy(step.ID), s.madeByJob)
	before = map[string]object.Entry{}
	for _, c := range own {
		before[c.Path] = object.Entry{Path: c.Path, Mode: c.OldMode, ID: c.OldID}
	}
	return before, others
}

// madeByJob: a job was seen here to make the commit. Of what was committed where
// nobody watched it cannot be told.
func (s *session) madeByJob(commit string) bool { return slices.Contains(s.local.JobMade, commit) }

// touchedBy is what a step may touch, by the plan of now or those under which it
// was certified.
func (s *session) touchedBy(step string) func(path string) bool {
	all := []plan.Paths{s.touchesOf(step)}
	for _, r := range s.ledger.Of(step) {
		p := s.plans[r.Evidence.PlanVersion]
		if p == nil {
			continue
		}
		if then, _ := p.Step(step); then != nil {
			if touches, err := plan.CompilePaths(then.Touches); err == nil {
				all = append(all, touches)
			}
		}
	}
	return func(path string) bool {
		return slices.ContainsFunc(all, func(p plan.Paths) bool { return p.Match(path) })
	}
}

// undoUnderWay: what is changed here is an undo of the step that a kill cut
// off, not work of anybody.
func (s *session) undoUnderWay(ctx context.Context, step *plan.Step, yes bool, view *survey) (bool, error) {
	if !yes || len(view.mine) == 0 || len(view.committed) > 0 || s.ledger.Newest(step.ID) == nil {
		return false, nil
	}
	before, _ := s.before(step)
	undo, err := s.undoTo(ctx, step.ID, s.head.ID, slices.Collect(maps.Values(before)))
	if err != nil {
		return false, err
	}
	half, err := s.halfMoved(ctx, s.head.ID, undo)
	done := half.paths()
	return !slices.ContainsFunc(view.mine, func(path string) bool { return !done[path] }), err
}

// needUntouchedSince refuses to undo under later work: what it built on these
// paths would be lost in silence.
func (s *session) needUntouchedSince(step *plan.Step, index int, before map[string]object.Entry) error {
	var also []string
	for _, c := range s.ledger.Chain[index+1:] {
		for _, ch := range c.Changes {
			if _, ours := before[ch.Path]; ours {
				also = append(also, ch.Path)
			}
		}
	}
	if len(also) == 0 {
		return nil
	}
	return failf("BUILT_UPON", ExitPerson, "step %s: later commits changed %s too; nothing was touched", step.ID, listPaths(sortedUnion(also))).
		hint("git log --oneline %s.. -- %s", short(s.ledger.Chain[index].ID), pathspecs(sortedUnion(also)))
}

func (s *session) undo(ctx context.Context, step *plan.Step, before map[string]object.Entry) error {
	undo, err := s.undoTo(ctx, step.ID, s.head.ID, slices.Collect(maps.Values(before)))
	if err != nil {
		return err
	}
	half, err := s.halfMoved(ctx, s.head.ID, undo)
	if err != nil {
		return err
	}
	if err := s.needRoom(ctx, s.head.ID, undo, "git agent rollback "+step.ID+" --yes"); err != nil {
		return err
	}
	if err := s.catchUp(ctx, half); err != nil {
		return err
	}
	if len(half.paths()) == 0 { // else it was kept before the kill
		ref, err := s.preserve(ctx, stash.Lost, slices.Collect(maps.Keys(before)), fmt.Sprintf("%s before its undo, %s\n", step.ID, s.stamp()))
		if err != nil {
			return err
		}
		s.Notify("%s: what it was is kept at %s", step.ID, ref)
	}
	if err := s.follow(ctx, s.head.ID, undo); err != nil {
		return s.gitRefused(ctx, "IN_THE_WAY", fmt.Errorf("undo step %s: %w; nothing was moved", step.ID, err), undo, "then: git agent rollback "+step.ID+" --yes")
	}
	s.Fault("undo-tree")
	if err := s.syncBetween(ctx, s.head.ID, undo); err != nil {
		return err
	}
	if err := s.Git.UpdateRefs(ctx, s.why("rollback", step.ID), object.RefUpdate{Name: s.branch, Old: s.head.ID, New: undo}); err != nil {
		return err
	}
	s.did = step.ID + " undone"
	s.Fault("undo-branch")
	s.Notify("%s: undone by %s", step.ID, short(undo))
	from := s.head.ID
	if err := s.reload(ctx); err != nil {
		return err
	}
	return s.moved(ctx, from)
}
