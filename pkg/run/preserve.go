package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/rollback"
	"github.com/git-agent/git-agent/pkg/stash"
)

func lostPrefix(run string) string { return stash.StepPrefix(run, stash.Lost) }

// preserve keeps exactly these paths, as they are in working tree and index,
// at the next free ref of a step (or of strays, or lost). Nothing moves.
func (s *session) preserve(ctx context.Context, step string, paths []string, message string) (ref string, err error) {
	commit, err := s.snapshotStash(ctx, paths, message)
	if err != nil {
		return "", err
	}
	ref, err = s.store.SaveNext(ctx, stash.StepPrefix(s.run, step), commit)
	if err == nil {
		s.stashes = append(s.stashes, object.Ref{Name: ref, ID: commit})
	}
	return ref, err
}

func (s *session) snapshotStash(ctx context.Context, paths []string, message string) (string, error) {
	tmp, err := s.tmp()
	if err != nil {
		return "", notPreserved(err)
	}
	head := first(s.head.ID, s.tip) // a branch without a commit has none to build on
	commit, err := s.store.Snapshot(ctx, stash.Request{Head: head, Paths: paths, Message: message, Scratch: tmp})
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
	hints := HintsOf(err)
	if len(hints) == 0 {
		hints = []string{"df -h .", "git status"}
	}
	return fail("NOT_PRESERVED", ExitUnknown, fmt.Errorf("preserve the work: %w; nothing was moved", err), hints...)
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
	if deniedAt(err) != "" {
		return fmt.Errorf("%w; half way back to %s, and the next command goes on with it; all that lay there is kept in %s", err, short(target), short(preserved))
	}
	return asRefusal(err)
}

// moveKept takes paths that preserve kept at a ref to what a commit holds.
func (s *session) moveKept(ctx context.Context, ref, target string, paths []string) error {
	commit, err := s.Git.Ref(ctx, ref)
	if err != nil {
		return err
	}
	return s.move(ctx, commit, target, paths)
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

// dropStashes tells the ids, so that nothing is out of reach. What is on the
// remote as well goes there first: as long as it could not, it stays here, for a
// later command to find.
func (s *session) dropStashes(ctx context.Context, certified map[string]*ledger.Record) error {
	saved, err := s.store.List(ctx, s.run)
	if err != nil {
		return err
	}
	served := slices.DeleteFunc(saved, func(one stash.Saved) bool {
		return one.N == 0 || one.HoldsCommits || !s.served(one, certified[one.Step])
	})
	there := s.dropThere(ctx, served)
	dropped := false
	for _, one := range served {
		was, shared := there[one.Ref]
		if shared && !was {
			continue
		}
		if err := s.store.Drop(ctx, one.Ref); err != nil {
			return err
		}
		dropped = true
		s.dropped = append(s.dropped, DroppedReport{Step: one.Step, Ref: one.Ref, Commit: one.Commit})
		s.Tell("%s: dropped %s (was %s)%s", one.Step, one.Ref, one.Commit, s.too(was))
	}
	if !dropped {
		return nil
	}
	return s.readRefs(ctx)
}

func (s *session) too(there bool) string {
	if !there {
		return ""
	}
	return fmt.Sprintf(", on %q too", s.remote.name)
}
