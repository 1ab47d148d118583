package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

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
	refs, next, err := s.withLease(ctx, refs)
	if err != nil {
		return err
	}
	for try := 0; ; try++ {
		verdicts, err := s.Git.Push(ctx, s.remote.name, object.Push{Refs: refs})
		if err == nil {
			return s.taken(ctx, refs, next)
		}
		done, err := s.readBack(ctx, pushed{tip, refs, next, verdicts, err, try})
		if done || err != nil {
			return err
		}
		if err := backOff(ctx, try); err != nil {
			return err
		}
	}
}

// withLease adds the lease to a push that moves the branch: whoever held it
// before is fenced by the same compare-and-swap.
func (s *session) withLease(ctx context.Context, refs []object.PushRef) ([]object.PushRef, lease.Lease, error) {
	moves := slices.ContainsFunc(refs, func(r object.PushRef) bool { return r.Name == s.branch })
	if !s.leasing() || !moves && s.hold.mine.ID == "" {
		return refs, lease.Lease{}, nil
	}
	if err := s.mayWrite(ctx, ""); err != nil {
		return nil, lease.Lease{}, err
	}
	next, err := s.nextLease(ctx)
	return append(refs, object.PushRef{Name: lease.Ref(s.run), ID: next.ID, CAS: true, Old: s.remote.lease}), next, err
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
// attempt could not be rolled back any more. "" where there is no branch: one that
// is gone, maybe because it landed, is shown to nobody as begun anew.
func (s *session) soundTip() string {
	if s.tip == "" {
		return ""
	}
	sound := s.ledger.Boundary()
	at, _ := s.ledger.Place(sound)
	for _, undone := range s.ledger.Undone {
		if undone > at {
			at, sound = undone, s.ledger.Chain[undone].ID
		}
	}
	if there, known := s.ledger.Since(s.remote.branch); s.remote.branch != "" && (!known || there > at) {
		return s.remote.branch
	}
	return sound
}

func (s *session) unpushed(tip string) []object.PushRef {
	var refs []object.PushRef
	if tip != "" && tip != s.remote.branch && s.remote.lacks == "" {
		refs = append(refs, object.PushRef{Name: s.branch, ID: tip})
	}
	if s.planTip != s.remote.plan {
		refs = append(refs, object.PushRef{Name: s.planThere(), ID: s.planTip})
	}
	return refs
}

// taken notes what the remote has now.
func (s *session) taken(ctx context.Context, refs []object.PushRef, next lease.Lease) error {
	var updates []object.RefUpdate
	for _, ref := range refs {
		track := trackBranch(s.remote.name, s.run)
		switch ref.Name {
		case s.branch:
			s.remote.branch = ref.ID
		case lease.Ref(s.run):
			continue
		default:
			s.remote.plan, track = ref.ID, trackPlan(s.remote.name, s.run)
		}
		if old := s.remote.tracked[track]; old != ref.ID {
			updates = append(updates, object.RefUpdate{Name: track, Old: old, New: ref.ID})
			s.remote.tracked[track] = ref.ID
		}
	}
	if next.ID != "" {
		update, err := s.noteLease(next)
		if err != nil {
			return err
		}
		updates = append(updates, update...)
	}
	if len(updates) == 0 {
		return nil
	}
	return s.Git.UpdateRefs(ctx, s.why("push", ""), updates...)
}
