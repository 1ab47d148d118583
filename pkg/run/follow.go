package run

import (
	"context"
	"fmt"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// followBranch makes the run's branch here hold what the remote has, and puts
// HEAD on it. lost is set, once, where certificates of this clone lost a race.
func (s *session) followBranch(ctx context.Context, req ResumeRequest) (lost error, err error) {
	if err := s.samePlace(); err != nil {
		return nil, err
	}
	if s.tip == "" {
		if err := s.createBranch(ctx); err != nil {
			return nil, err
		}
	} else if err := s.needBranchThere(ctx); err != nil {
		return nil, err
	}
	if err := s.switchTo(ctx); err != nil {
		return nil, err
	}
	if top := job.Text(s.Place.Top); s.local.Top != top {
		s.local.Top = top
		if err := s.saveLocal(); err != nil {
			return nil, err
		}
	}
	if s.remote.branch == "" || s.remote.branch == s.tip || s.remote.err != nil {
		return nil, s.mendIndex(ctx)
	}
	if err := s.mendIndex(ctx); err != nil {
		return nil, err
	}
	ahead, err := s.holds(ctx, s.remote.branch)
	if err != nil || ahead {
		return nil, err
	}
	return s.followRemote(ctx, req)
}

// switchTo puts HEAD on the run's branch. Whether it can be is asked before
// anybody puts changes away for nothing.
func (s *session) switchTo(ctx context.Context) error {
	if s.head.Branch == s.branch {
		return nil
	}
	if err := s.branchFree(ctx); err != nil {
		return err
	}
	if err := s.needCleanSwitch(ctx); err != nil {
		return err
	}
	if err := s.ontoBranch(ctx); err != nil {
		return err
	}
	return s.leaveOthers()
}

// createBranch brings the branch from the remote, or finishes a start that was
// killed before it made one. A branch that was there and is gone is no doubt to
// settle by beginning again.
func (s *session) createBranch(ctx context.Context) error {
	tip := s.remote.branch
	if s.remote.err != nil {
		tip = s.remote.tracked[trackBranch(s.remote.name, s.run)]
	}
	switch {
	case tip != "":
	case s.remote.plan != "":
		return s.branchGoneThere()
	case s.remote.tracked[trackPlan(s.remote.name, s.run)] != "" || len(s.local.Certified) > 0:
		return s.branchGone(ctx)
	default:
		tip = s.base
	}
	if err := s.Git.UpdateRefs(ctx, s.why("resume", ""), object.RefUpdate{Name: s.branch, New: tip}); err != nil {
		return err
	}
	if err := s.reload(ctx); err != nil {
		return err
	}
	return s.fetchPartial(ctx)
}

// branchGone names the newest certificate that this clone made, where git still
// has it.
func (s *session) branchGone(ctx context.Context) error {
	f := failf("BRANCH_GONE", ExitUnknown, "branch %s is gone here and no remote answers for it; nothing was begun again", ShortBranch(s.branch))
	newest := ""
	for id := range s.local.Certified {
		if above, err := s.Git.IsAncestor(ctx, first(newest, id), id); err == nil && above {
			newest = id
		}
	}
	if newest != "" {
		return f.hint("git branch %s %s && git agent resume %s", ShortBranch(s.branch), short(newest), s.run)
	}
	return f.hint("git agent resume %s   # when the remote answers", s.run)
}

// needCleanSwitch: what is changed on another branch belongs there.
func (s *session) needCleanSwitch(ctx context.Context) error {
	if err := s.mayLeaveRun(ctx); err != nil {
		return err
	}
	from, err := s.headTree(ctx)
	if err != nil {
		return err
	}
	half, err := s.halfMoved(ctx, from, s.tip)
	if err != nil {
		return err
	}
	done := half.paths()
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	if err := unmerged(status); err != nil {
		return err
	}
	var dirty []string
	for _, f := range status {
		if f.Tracked() && !laggingModule(f) && !done[f.Path] {
			dirty = append(dirty, f.Path)
		}
	}
	if len(dirty) == 0 {
		return s.catchUp(ctx, half)
	}
	return failf("DIRTY_TREE", ExitPerson, "HEAD is not on %s and %s changed here; nothing was moved", ShortBranch(s.branch), listPaths(dirty)).
		hint("git status").hint("%s   # then: git agent resume %s", s.putAside(stashingAll(status, "git stash push"), ""), s.run)
}

// followRemote takes the branch to where the remote is: a fast-forward, or
// past commits that only this clone has, which are kept at a ref.
func (s *session) followRemote(ctx context.Context, req ResumeRequest) (lost error, err error) {
	from, to := s.tip, s.remote.branch
	changes, err := s.Git.DiffTrees(ctx, from, to)
	if err != nil {
		return nil, err
	}
	if err := s.roomFor(ctx, changes, from, to, "git agent resume "+s.run); err != nil {
		return nil, err
	}
	mine, certificates, err := s.localOnly(ctx)
	if err != nil {
		return nil, err
	}
	if len(mine) > 0 {
		ref, err := s.store.SaveNext(ctx, lostPrefix(s.run), from)
		if err != nil {
			return nil, err
		}
		s.Notify("%s: %s of this clone kept at %s", s.parted(), counted(len(mine), "commit"), ref)
		if certificates > 0 {
			lost = failf("LOST", ExitLost, "%s: %s of this clone lost, and kept at %s", s.parted(), counted(certificates, "certificate"), ref).
				hint("git log %s", ref).hint("git agent resume %s", s.run)
		}
	}
	if err := s.makeWay(ctx, from, to, changes); err != nil {
		return nil, err
	}
	s.Fault("follow-way")
	if err := s.follow(ctx, from, to); err != nil {
		return nil, s.gitRefused(ctx, "IN_THE_WAY", fmt.Errorf("the run's new commits would overwrite changes here: %w", err), to, "then: git agent resume "+s.run)
	}
	s.Fault("follow-tree")
	if err := s.syncFiles(changes); err != nil {
		return nil, err
	}
	err = s.Git.UpdateRefs(ctx, s.why("resume", ""), object.RefUpdate{Name: s.branch, Old: from, New: to})
	if err != nil {
		return nil, err
	}
	if err := s.reload(ctx); err != nil {
		return nil, err
	}
	return lost, s.moved(ctx, from)
}

// parted says who went another way: where the remote's newest commit is of this
// clone, or the run's first, nobody moved it, and the branch was rewritten here.
func (s *session) parted() string {
	if there := s.remote.branch; there == s.base || s.madeHere(there) {
		return fmt.Sprintf("branch %s was rewritten here, and is as on %q again", ShortBranch(s.branch), s.remote.name)
	}
	return "the run moved on elsewhere"
}

// localOnly lists the commits that the remote's branch does not have, and how
// many of them are certificates.
func (s *session) localOnly(ctx context.Context) (commits []object.Commit, certificates int, err error) {
	commits, err = s.Git.History(ctx, s.remote.branch, s.tip)
	for _, c := range commits {
		if isCertificate(c.Message, s.run, "") {
			certificates++
		}
	}
	return commits, certificates, err
}

// makeWay preserves what the new commits would overwrite of the step in
// flight, and takes exactly that back to HEAD.
func (s *session) makeWay(ctx context.Context, from, to string, changes []object.Change) error {
	half, err := s.halfMoved(ctx, from, to)
	if err != nil {
		return err
	}
	coming := map[string]bool{}
	for _, c := range changes {
		coming[c.Path] = true
	}
	w, byHand, err := s.workInFlight(ctx, "")
	if err == nil && w == nil {
		w, err = s.changedUnrecorded(ctx, "", byHand, true)
	}
	if err != nil {
		return err
	}
	hit, err := s.inTheWay(ctx, w, coming, half)
	if err != nil {
		return err
	}
	if len(hit) > 0 {
		if err := s.roller.Refuse(ctx, from, hit); err != nil {
			return asRefusal(err)
		}
	}
	if err := s.catchUp(ctx, half.without(hit)); err != nil || len(hit) == 0 {
		return err
	}
	ref, err := s.preserve(ctx, w.step.ID, hit, s.partialMessage(w, nil, ""))
	if err != nil {
		return err
	}
	s.Notify("%s: the remote's commits change %s too; your version is kept at %s", w.step.ID, listPaths(hit), ref)
	return s.moveKept(ctx, ref, from, hit)
}

// inTheWay lists what the commits would overwrite of the step in flight; all of
// it, also where it came out alike, unless it is only a half of this very move.
func (s *session) inTheWay(ctx context.Context, w *work, coming map[string]bool, half halfMove) ([]string, error) {
	if w == nil {
		return nil, nil
	}
	view, err := s.survey(ctx, w)
	if err != nil {
		return nil, err
	}
	var hit []string
	theirs, all := half.paths(), true
	for _, path := range view.mine {
		if coming[path] {
			hit, all = append(hit, path), all && theirs[path]
		}
	}
	if all {
		return nil, nil
	}
	return hit, nil
}

// isCertificate reports whether a message is a certificate of the run, and of
// the step where one is named.
func isCertificate(message, run, step string) bool {
	r := trailers.Read(message)
	return r.Kind == trailers.Certificate && r.Evidence.Run == run && (step == "" || r.Evidence.Step == step)
}
