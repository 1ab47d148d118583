package run

import (
	"context"
	"fmt"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// pending is a rollback under way: everything about it is in the stash commit,
// so that whoever finds the ref can finish it.
type pending struct {
	ref, commit string
	step        string
	boundary    string
	head        string // where the branch was
	failure     *failure
}

// partialMessage is the message of a stash commit: for people, its subject;
// for whoever finishes the rollback, trailers.
func (s *session) partialMessage(w *work, f *failure, boundary string) string {
	number := s.nextAttempt(w.step.ID)
	if w.attempt != nil {
		number = w.attempt.Number
	}
	m := trailers.Message{Subject: fmt.Sprintf("%s partial, attempt %d, %s", w.step.ID, number, s.stamp())}
	if f != nil {
		e := trailers.Evidence{Run: s.run, Step: f.step, Checks: f.checks, PlanVersion: s.version, Tree: f.tree, Attempt: f.attempt}
		if f.id != "" {
			e.Other = []trailers.Trailer{{Key: plan.KeyAttemptID, Value: f.id}}
		}
		m.Trailers, _ = e.Trailers()
	} else {
		m.Trailers = []trailers.Trailer{{Key: trailers.KeyRun, Value: s.run}, {Key: trailers.KeyStep, Value: w.step.ID}}
	}
	if boundary != "" {
		m.Trailers = append(m.Trailers, trailers.Trailer{Key: stash.TrailerBoundary, Value: boundary})
	}
	text, err := trailers.Format(m)
	if err != nil {
		return m.Subject + "\n"
	}
	return text
}

// beginRollback preserves the step's work at the pending ref and moves branch,
// index and files to the boundary. f is nil where a person asked for it.
func (s *session) beginRollback(ctx context.Context, w *work, view *survey, f *failure) (*pending, error) {
	if err := s.headKept(ctx, w.step.ID); err != nil {
		return nil, err
	}
	paths := view.paths()
	if w.policy == plan.StraySetAside {
		paths = sortedUnion(paths, view.above) // preserved already; they go back with the branch
	} else if len(view.above) > 0 {
		return nil, failf("COMMITS_IN_THE_WAY", ExitPerson, "step %s: uncertified commits above %s change paths outside its touches: %s; nothing was moved",
			w.step.ID, short(w.boundary), listPaths(view.above)).
			hint("git log %s..%s", short(w.boundary), short(s.tip)).hint("git agent resume %s --stray set-aside", s.run)
	}
	if standing := view.standing(paths); len(standing) > 0 {
		s.Notify("%s: %s is preserved and taken back too: it lies where the step has a folder", w.step.ID, listPaths(standing))
		paths = sortedUnion(paths, standing)
	}
	if err := s.spareHidden(view, paths, w.verb); err != nil {
		return nil, err
	}
	if err := s.roller.Refuse(ctx, w.boundary, paths); err != nil {
		return nil, asRefusal(err)
	}
	if err := s.roller.Room(ctx, w.boundary, paths); err != nil {
		return nil, asRefusal(err)
	}
	commit, err := s.snapshotStash(ctx, paths, s.partialMessage(w, f, w.boundary))
	if err != nil {
		return nil, err
	}
	p := &pending{ref: stash.PendingRef(s.run, w.step.ID), commit: commit, step: w.step.ID, boundary: w.boundary, head: s.head.ID, failure: f}
	if err := s.store.Save(ctx, p.ref, commit); err != nil {
		return nil, notPreserved(err)
	}
	s.Fault("rollback-pending")
	if err := s.carryOut(ctx, p); err != nil {
		return p, err
	}
	s.tellModules(w.step.ID, view)
	return p, nil
}

// carryOut moves the branch, then index and files. It may be done again after
// a kill anywhere.
func (s *session) carryOut(ctx context.Context, p *pending) error {
	paths, err := s.roller.Paths(ctx, p.commit, p.boundary)
	if err != nil {
		return err
	}
	target, err := s.branchBack(ctx, p, paths)
	if err != nil {
		return err
	}
	s.Fault("rollback-branch")
	if err := s.move(ctx, p.commit, target, paths); err != nil {
		return err
	}
	s.Fault("rollback-moved")
	return s.reload(ctx)
}

// branchBack takes uncertified commits above the boundary off the branch, by
// compare-and-swap, or, where the remote has them, by an undo commit. It
// answers the commit whose content the files get.
func (s *session) branchBack(ctx context.Context, p *pending, paths []string) (string, error) {
	if s.tip != p.head {
		return s.tip, nil // already done, or past it: the run went on elsewhere and was followed
	}
	if p.head == p.boundary {
		return p.boundary, nil
	}
	there, known := s.ledger.Within(s.remote.branch)
	if at, _ := s.ledger.Place(p.boundary); !known || there <= at {
		return p.boundary, s.Git.UpdateRefs(ctx, s.why("rollback", p.step), object.RefUpdate{Name: s.branch, Old: p.head, New: p.boundary})
	}
	undo, err := s.undoCommit(ctx, p.step, p.head, p.boundary, paths)
	if err != nil {
		return "", err
	}
	return undo, s.Git.UpdateRefs(ctx, s.why("rollback", p.step), object.RefUpdate{Name: s.branch, Old: p.head, New: undo})
}

// undoCommit is a commit on top of head that takes exactly these paths back to
// what a source commit has.
func (s *session) undoCommit(ctx context.Context, step, head, source string, paths []string) (string, error) {
	entries, err := s.Git.EntriesAt(ctx, source, paths)
	if err != nil {
		return "", err
	}
	return s.undoTo(ctx, step, head, entries)
}

func (s *session) undoTo(ctx context.Context, step, head string, entries []object.Entry) (string, error) {
	tmp, err := s.tmp()
	if err != nil {
		return "", err
	}
	tree, err := s.Git.TreeWith(ctx, tmp, head, entries)
	if err != nil {
		return "", err
	}
	message, err := trailers.Format(trailers.Message{Subject: "Undo " + step, Trailers: []trailers.Trailer{
		{Key: trailers.KeyRun, Value: s.run}, {Key: trailers.KeyUndo, Value: step}}})
	if err != nil {
		return "", err
	}
	c := newCommit(tree, head, message)
	c.Sign = s.Git.SignsCommits()
	return s.writeCommit(ctx, c)
}
