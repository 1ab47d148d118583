package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/rollback"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/trailers"
)

func lostPrefix(run string) string { return stash.StepPrefix(run, stash.Lost) }

// preserve keeps exactly these paths, as they are in working tree and index,
// at the next free ref of a step (or of strays, or lost). Nothing moves.
func (s *session) preserve(ctx context.Context, step string, paths []string, message string) (ref string, err error) {
	commit, err := s.snapshotStash(ctx, paths, message)
	if err != nil {
		return "", err
	}
	return s.store.SaveNext(ctx, stash.StepPrefix(s.run, step), commit)
}

func (s *session) snapshotStash(ctx context.Context, paths []string, message string) (string, error) {
	tmp, err := s.tmp()
	if err != nil {
		return "", notPreserved(err)
	}
	commit, err := s.store.Snapshot(ctx, stash.Request{Head: s.head.ID, Paths: paths, Message: message, Scratch: tmp})
	if err != nil {
		return "", notPreserved(err)
	}
	return commit, nil
}

// notPreserved: what could not be preserved is not moved.
func notPreserved(err error) error {
	if refusal := asRefusal(err); CodeOf(refusal) == "REFUSED" {
		return refusal
	}
	return fail("NOT_PRESERVED", ExitUnknown, fmt.Errorf("preserve the work: %w; nothing was moved", err), "df -h .", "git status")
}

// asRefusal gives a refusal of the packages below its place in the contract.
func asRefusal(err error) error {
	var r *rollback.Refusal
	if !errors.As(err, &r) {
		return err
	}
	return fail("REFUSED", ExitPerson, err, r.Hints...)
}

// move takes exactly these preserved paths to what a commit holds.
func (s *session) move(ctx context.Context, preserved, target string, paths []string) error {
	tmp, err := s.tmp()
	if err != nil {
		return err
	}
	s.forget()
	_, err = s.roller.Move(ctx, rollback.Request{Run: s.run, Step: stash.Lost, Stash: preserved, Target: target, Paths: paths, Scratch: tmp})
	return asRefusal(err)
}

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
	paths := view.paths()
	if w.policy == plan.StraySetAside {
		paths = sortedUnion(paths, view.above) // preserved already; they go back with the branch
	} else if len(view.above) > 0 {
		return nil, failf("COMMITS_IN_THE_WAY", ExitPerson, "step %s: uncertified commits above %s change paths outside its touches: %s; nothing was moved",
			w.step.ID, short(w.boundary), listPaths(view.above)).
			hint("git log %s..%s", short(w.boundary), short(s.tip)).hint("git agent resume %s --stray set-aside", s.run)
	}
	if err := s.roller.Refuse(ctx, paths); err != nil {
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
	return p, s.carryOut(ctx, p)
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
	if s.tip != p.head || p.head == p.boundary {
		return p.boundary, nil // already done, or nothing to do
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
	return s.Git.WriteCommit(ctx, c)
}

// conclude decides what the rollback was: the newest certificate's check on the
// restored tree tells a step that failed from a machine that fails everything.
func (s *session) conclude(ctx context.Context, p *pending) error {
	if p.failure == nil {
		return s.settle(ctx, p)
	}
	sound, j, step, err := s.boundarySound(ctx)
	if err != nil {
		return err
	}
	if !sound {
		if err := s.putBack(ctx, p); err != nil {
			return err
		}
		return failf("ENVIRONMENT", ExitPerson, "step %s failed, but so does the newest certificate (%s) on its restored tree: this machine, not the work, is at fault; everything was put back%s",
			p.step, step, reasonOf(j)).hint("git agent resume %s   # once that is mended", s.run)
	}
	if err := s.record(ctx, *p.failure); err != nil {
		return err
	}
	s.Fault("rollback-recorded")
	return s.settle(ctx, p)
}

func reasonOf(j judged) string {
	if j.failed == nil {
		return ": " + j.reason
	}
	return fmt.Sprintf("\n--- `%s` ended with %s:\n%s", j.command, j.failed.Outcome, lastBytes(j.failed.Merged.Bytes, 2<<10))
}

// boundarySound runs the newest certificate's check, unless this clone made
// that certificate under the same fingerprint or there is none.
func (s *session) boundarySound(ctx context.Context) (sound bool, j judged, step string, err error) {
	r := s.ledger.Certificate()
	if r == nil {
		return true, j, "", nil
	}
	found, _ := s.plan.Step(r.Evidence.Step)
	if found == nil {
		return true, j, "", nil
	}
	fingerprint, why, err := s.fingerprint(ctx, s.Place.Top)
	if err != nil || why != "" {
		return false, judged{reason: why}, found.ID, err
	}
	if under, here := s.local.Certified[r.Commit.ID]; here && under == fingerprint {
		return true, j, "", nil
	}
	j, err = s.judge(ctx, found, place{dir: s.Place.Top, step: found.ID})
	return j.outcome == reconcile.Passed, j, found.ID, err
}

// settle ends a rollback: pending becomes a number, the attempt is retired.
func (s *session) settle(ctx context.Context, p *pending) error {
	ref, err := s.roller.Settle(ctx, s.run, p.step)
	if err != nil {
		return err
	}
	s.Notify("%s: rolled back to %s; partial work kept at %s", p.step, short(p.boundary), ref)
	if err := s.sharePartial(ctx, p.step, ref); err != nil {
		return err
	}
	a, err := s.attemptOf(p.step)
	if err != nil {
		return err
	}
	if err := s.retire(a); err != nil {
		return err
	}
	return s.reload(ctx)
}

// putBack is the way back: files and index as they were preserved, the branch
// where it was, pending deleted last.
func (s *session) putBack(ctx context.Context, p *pending) error {
	tmp, err := s.tmp()
	if err != nil {
		return err
	}
	if s.tip == p.boundary && p.head != p.boundary {
		if err := s.Git.UpdateRefs(ctx, s.why("rollback", p.step), object.RefUpdate{Name: s.branch, Old: p.boundary, New: p.head}); err != nil {
			return err
		}
	}
	s.forget()
	s.Fault("put-back")
	paths, err := s.roller.Paths(ctx, p.commit, p.boundary)
	if err != nil {
		return err
	}
	req := rollback.Request{Run: s.run, Step: stash.Lost, Stash: p.commit, Target: p.boundary, Paths: paths, Scratch: tmp}
	if _, err := s.roller.PutBack(ctx, req); err != nil {
		return asRefusal(err)
	}
	s.Fault("put-back-done")
	if err := s.Git.UpdateRefs(ctx, s.why("rollback", p.step), object.RefUpdate{Name: p.ref, Old: p.commit}); err != nil {
		return err
	}
	return s.reload(ctx)
}

// finishRollbacks completes every rollback that a kill left under way, before
// any check: a mixture of half-done and restored files can pass a check that
// the half-done ones failed.
func (s *session) finishRollbacks(ctx context.Context) error {
	for _, ref := range slices.Clone(s.stashes) {
		step, isPending := strings.CutSuffix(strings.TrimPrefix(ref.Name, stash.Root+s.run+"/"), "/pending")
		if !isPending {
			continue
		}
		p, err := s.readPending(ctx, ref, step)
		if err != nil {
			return err
		}
		s.Notify("%s: finishing the rollback that was under way", step)
		if err := s.carryOut(ctx, p); err != nil {
			return err
		}
		if err := s.conclude(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) readPending(ctx context.Context, ref object.Ref, step string) (*pending, error) {
	c, err := s.Git.ReadCommit(ctx, ref.ID)
	if err != nil {
		return nil, err
	}
	m := trailers.Parse(c.Message)
	p := &pending{ref: ref.Name, commit: ref.ID, step: step, head: c.FirstParent(), boundary: first(append(m.Values(stash.TrailerBoundary), c.FirstParent())...)}
	if r := trailers.Read(c.Message); r.Kind == trailers.FailureRecord {
		p.failure = &failure{step: step, attempt: r.Evidence.Attempt, tree: r.Evidence.Tree, checks: r.Evidence.Checks}
	}
	return p, nil
}

// tidy is row 12: partial work has served once this clone certified its step
// above it and the remote has that. Whatever else is kept stays: strays, what
// holds commits, what a certificate from elsewhere came to stand in the way
// of, what began on top of the certificate. It is found in the refs, so that
// any later command does it after a kill.
func (s *session) tidy(ctx context.Context) error {
	if s.remote.name == "" || s.local.NoPush {
		return nil
	}
	certified := map[string]*ledger.Record{}
	for i := range s.plan.Steps {
		step := s.plan.Steps[i].ID
		r := s.ledger.Newest(step)
		if r != nil && r.Valid() && s.madeHere(r.Commit.ID) && len(s.stashRefs(step)) > 0 {
			certified[step] = r
		}
	}
	if len(certified) == 0 {
		return nil
	}
	return s.dropStashes(ctx, certified)
}

// dropStashes tells the ids, so that nothing is out of reach.
func (s *session) dropStashes(ctx context.Context, certified map[string]*ledger.Record) error {
	saved, err := s.store.List(ctx, s.run)
	if err != nil {
		return err
	}
	dropped := false
	for _, one := range saved {
		r := certified[one.Step]
		began, on := s.ledger.Place(one.Base)
		if r == nil || one.N == 0 || one.HoldsCommits || !on || began >= r.Index {
			continue
		}
		if err := s.store.Drop(ctx, one.Ref); err != nil {
			return err
		}
		dropped = true
		s.Notify("%s: dropped %s (was %s)", one.Step, one.Ref, one.Commit)
		if s.remote.partial[one.Ref] != "" {
			s.Notify("%s: its copy on %q stays until: git push %s --delete %s", one.Step, s.remote.name, quoteArg(s.remote.name), one.Ref)
		}
	}
	if !dropped {
		return nil
	}
	return s.readRefs(ctx)
}
