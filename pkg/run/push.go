package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// isPushed reports whether the remote is known to hold everything of the run.
func (s *session) isPushed() bool {
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
// attempt could not be rolled back any more.
func (s *session) soundTip() string {
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
	if tip != "" && tip != s.remote.branch {
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

// pushed is a push that did not end cleanly.
type pushed struct {
	tip      string
	refs     []object.PushRef
	lease    lease.Lease
	verdicts []object.PushVerdict
	cause    error
	try      int
}

// readBack decides it from what the remote holds: a client can exit non-zero
// for a push that was applied. done: it was, after all. Neither: try again.
func (s *session) readBack(ctx context.Context, p pushed) (done bool, err error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	sent, names := map[string]string{}, []string{s.branch}
	for _, ref := range p.refs {
		sent[ref.Name], names = ref.ID, append(names, ref.Name)
	}
	before := map[string]string{s.branch: s.remote.branch, s.planThere(): s.remote.plan, lease.Ref(s.run): s.remote.lease}
	there, err := s.Git.RemoteRefs(ctx, s.remote.name, names...)
	if err != nil {
		s.remote.err = err
		return false, s.notPushed(errors.Join(p.cause, err))
	}
	switch lease.Settle(sent, before, there) {
	case lease.Won:
		return true, s.taken(ctx, p.refs, p.lease)
	case lease.Fenced:
		return true, s.outrun(ctx, p.tip, there)
	}
	if p.try < pushTries-1 && ctx.Err() == nil {
		return false, nil
	}
	if taken, err := s.branchAlone(ctx, p); taken || err != nil {
		return taken, err
	}
	if refused(p.verdicts) {
		return false, failf("PUSH_REFUSED", ExitPerson, "certified here, not pushed: %q refuses it: %s", s.remote.name, whyRefused(p.verdicts, p.cause)).
			hint("git agent resume %s   # once the remote takes it", s.run)
	}
	return false, s.notPushed(p.cause)
}

// outrun looks closer at refs that are neither as sent nor as before: our own
// sign of life arrived late, or our push arrived and somebody took over after
// it; else the run went on there, or somebody began to work meanwhile.
func (s *session) outrun(ctx context.Context, tip string, there map[string]string) error {
	if there[s.branch] == s.remote.branch {
		if moved, err := s.planMovedThere(ctx, there); err != nil || moved {
			return errors.Join(err, s.pushAgain(ctx, tip, err))
		}
		if ours, err := s.heldByUs(ctx, there[lease.Ref(s.run)]); err != nil || ours {
			return errors.Join(err, s.pushAgain(ctx, tip, err))
		}
		if s.hold.mine.ID == "" && there[lease.Ref(s.run)] != s.remote.lease {
			return s.busyElsewhere(ctx, lease.Lease{Holder: lease.Holder{Host: "somebody who began meanwhile"}}, "")
		}
		return s.lost(there)
	}
	if err := s.ask(ctx); err != nil {
		return err
	}
	if s.remote.err != nil {
		return s.notPushed(s.remote.err)
	}
	arrived, err := s.Git.IsAncestor(ctx, tip, s.remote.branch)
	if err != nil || arrived {
		return err
	}
	return s.lost(there)
}

// planMovedThere follows a plan ref that gained a record or a version on the
// remote while this command was at work: ours goes on top.
func (s *session) planMovedThere(ctx context.Context, there map[string]string) (bool, error) {
	if now, asked := there[s.planThere()]; !asked || now == s.remote.plan {
		return false, nil
	}
	if err := s.ask(ctx); err != nil || s.remote.err != nil {
		return false, errors.Join(err, s.remote.err)
	}
	if err := s.followPlan(ctx); err != nil {
		return false, err
	}
	return true, s.read(ctx)
}

func (s *session) pushAgain(ctx context.Context, tip string, err error) error {
	if err != nil {
		return nil
	}
	return s.pushTo(ctx, tip)
}

func refused(verdicts []object.PushVerdict) bool {
	for _, v := range verdicts {
		if v.Flag == '!' {
			return true
		}
	}
	return false
}

// whyRefused is the verdict on the first refused ref and what the remote says
// about it: a hook's words, a lock of its own that is in its way.
func whyRefused(verdicts []object.PushVerdict, cause error) string {
	said := ""
	var remote interface{ RemoteSaid() string }
	if errors.As(cause, &remote) && remote.RemoteSaid() != "" {
		said = ": " + remote.RemoteSaid()
	}
	for _, v := range verdicts {
		if v.Flag == '!' {
			return fmt.Sprintf("%s %s%s", v.Ref, v.Text, said)
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
