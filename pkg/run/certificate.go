package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// commit is rows 8 to 10.
func (s *session) commit(ctx context.Context, w *work, c *candidate, j judged, fingerprint string) error {
	if err := s.syncFiles(c.changed); err != nil {
		return err
	}
	number := s.nextAttempt(w.step.ID)
	if w.attempt != nil {
		number = w.attempt.Number
	}
	e := s.evidence(w.step, j, c.tree, fingerprint)
	e.Attempt, e.Notes, e.Strays, e.Dirty = number, s.withNotes(w.step.ID, w.notes), s.strayNames(w, c), c.view.dirty
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
	updates := s.unlessCancelled(object.RefUpdate{Name: s.branch, Old: c.head, New: id})
	if err := s.Git.UpdateRefs(ctx, s.why("step", w.step.ID), updates...); err != nil {
		return s.branchLocked(w, s.cancelledHere(ctx, err))
	}
	s.Fault("row9")
	if err := s.movedTo(ctx, id); err != nil {
		return err
	}
	if err := s.verifyRecord(id, e); err != nil {
		return err
	}
	s.dropNotes(w.step.ID, e.Notes)
	if err := s.bringIndexOrTell(ctx, w, c, id); err != nil {
		return err
	}
	s.Fault("row10")
	s.Notify("%s: certified as %s", w.step.ID, short(id))
	s.nowClean(c.paths)
	return nil
}

// nowClean is the last look at the working tree without what was certified
// since: nothing else touched it.
func (s *session) nowClean(certified []string) {
	s.seen = slices.DeleteFunc(s.seen, func(f object.FileStatus) bool {
		_, in := slices.BinarySearch(certified, f.Path)
		return in
	})
	s.looked = true
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
	return s.writeCommit(ctx, c)
}

// verifyRecord holds a certificate, as it was read back from the object store
// with the branch, against what was meant; every later reader reads it so.
func (s *session) verifyRecord(id string, want trailers.Evidence) error {
	var c object.Commit
	if at, on := s.ledger.Within(id); on {
		c = s.ledger.Chain[at]
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
func (s *session) bringIndex(ctx context.Context, w *work, c *candidate) error {
	changes, view, tree := c.changed, c.view, c.tree
	if w.boundary != c.head {
		var err error
		if changes, err = s.Git.DiffTrees(ctx, c.head, tree); err != nil {
			return err
		}
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
