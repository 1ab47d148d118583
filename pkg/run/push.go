package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/object"
)

// pushed reports whether the remote is known to hold everything of the run.
func (s *session) pushed() bool {
	r := s.remote
	return r.name != "" && r.err == nil && r.asked && r.branch == s.tip && r.plan == s.planTip
}

// push sends branch and plan ref where the remote's are older, in one atomic
// push, fast-forward only. A failed push is not a failed step: exit 5, or 3
// where the remote refused it twice, or 4 where it moved on meanwhile.
func (s *session) push(ctx context.Context) error { return s.pushTo(ctx, s.tip) }

func (s *session) pushTo(ctx context.Context, tip string) error {
	refs := s.unpushed(tip)
	if s.remote.name == "" || s.local.NoPush || len(refs) == 0 {
		return nil
	}
	if s.remote.err != nil {
		return s.notPushed(s.remote.err)
	}
	for try := 0; ; try++ {
		verdicts, err := s.Git.Push(ctx, s.remote.name, object.Push{Refs: refs})
		if err == nil {
			return s.taken(ctx, refs)
		}
		done, err := s.readBack(ctx, refs, verdicts, err, try)
		if done || err != nil {
			return err
		}
	}
}

// pushAndTidy is rows 11 and 12.
func (s *session) pushAndTidy(ctx context.Context) error {
	if err := s.push(ctx); err != nil {
		return err
	}
	s.Fault("row11")
	return s.tidy(ctx)
}

// soundTip is the newest certificate or undo of ours (else the base), or what
// the remote has where that is newer. Commits above it passed no check: once
// they are on the remote they are part of every later boundary, and a failed
// attempt could not be rolled back any more.
func (s *session) soundTip() string {
	sound := s.ledger.Boundary()
	at, _ := s.ledger.Place(sound)
	for _, undone := range s.ledger.Undone {
		if undone > at {
			at, sound = undone, s.ledger.Chain[undone].ID
		}
	}
	if there, on := s.ledger.Place(s.remote.branch); s.remote.branch != "" && (!on || there > at) {
		return s.remote.branch
	}
	return sound
}

func (s *session) unpushed(tip string) []object.PushRef {
	var refs []object.PushRef
	if tip != "" && tip != s.remote.branch {
		refs = append(refs, object.PushRef{Name: s.branch, ID: tip})
	}
	if s.planTip != s.remote.plan {
		refs = append(refs, object.PushRef{Name: PlanRef(s.run), ID: s.planTip})
	}
	return refs
}

// taken notes what the remote has now.
func (s *session) taken(ctx context.Context, refs []object.PushRef) error {
	var updates []object.RefUpdate
	for _, ref := range refs {
		track := trackBranch(s.remote.name, s.run)
		if ref.Name == s.branch {
			s.remote.branch = ref.ID
		} else {
			s.remote.plan, track = ref.ID, trackPlan(s.remote.name, s.run)
		}
		if old := s.remote.tracked[track]; old != ref.ID {
			updates = append(updates, object.RefUpdate{Name: track, Old: old, New: ref.ID})
			s.remote.tracked[track] = ref.ID
		}
	}
	if len(updates) == 0 {
		return nil
	}
	return s.Git.UpdateRefs(ctx, s.why("push", ""), updates...)
}

// readBack decides a push that did not end cleanly: a client can exit non-zero
// for one that was applied. done: it was, after all. Neither: try again.
func (s *session) readBack(ctx context.Context, refs []object.PushRef, verdicts []object.PushVerdict, cause error, try int) (done bool, err error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	before := map[string]string{s.branch: s.remote.branch, PlanRef(s.run): s.remote.plan}
	there, err := s.Git.RemoteRefs(ctx, s.remote.name, s.branch, PlanRef(s.run))
	if err != nil {
		s.remote.err = err
		return false, s.notPushed(errors.Join(cause, err))
	}
	ours, moved := true, false
	for _, ref := range refs {
		ours = ours && there[ref.Name] == ref.ID
		moved = moved || there[ref.Name] != before[ref.Name] && there[ref.Name] != ref.ID
	}
	switch {
	case ours:
		return true, s.taken(ctx, refs)
	case moved:
		return false, s.lost(there)
	case refused(verdicts) && try > 0:
		return false, failf("PUSH_REFUSED", ExitPerson, "certified here, not pushed: %q refuses it: %s", s.remote.name, whyRefused(verdicts, cause)).
			hint("git agent resume %s   # once the remote takes it", s.run)
	case try > 0:
		return false, s.notPushed(cause)
	}
	return false, nil
}

func refused(verdicts []object.PushVerdict) bool {
	for _, v := range verdicts {
		if v.Flag == '!' {
			return true
		}
	}
	return false
}

func whyRefused(verdicts []object.PushVerdict, cause error) string {
	for _, v := range verdicts {
		if v.Flag == '!' {
			return fmt.Sprintf("%s %s", v.Ref, v.Text)
		}
	}
	return cause.Error()
}

func (s *session) notPushed(cause error) error {
	return failf("NOT_PUSHED", ExitNotPushed, "certified here, not pushed to %q: %w", s.remote.name, cause).
		hint("git agent resume %s", s.run)
}

func (s *session) lost(there map[string]string) error {
	return failf("LOST", ExitLost, "the run moved on elsewhere: %q has %s at %s, here it is at %s; nothing was pushed or undone",
		s.remote.name, ShortBranch(s.branch), short(there[s.branch]), short(s.tip)).
		hint("git agent resume %s", s.run)
}
