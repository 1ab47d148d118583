package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// leaseAlone reports whether this clone keeps the run to itself, so that the
// lease ref in this repository is the one that counts.
func (s *session) leaseAlone() bool {
	return s.remote.name == "" || s.local.NoPush || s.local.BranchOnly
}

// knownLeases are the values that may say that the run is cancelled: the one in
// this repository, and the remote's, or what was last seen of it where the
// remote does not answer.
func (s *session) knownLeases() []string {
	ids := []string{s.leaseHere}
	switch {
	case s.leaseAlone():
	case s.remote.asked && s.remote.err == nil:
		ids = append(ids, s.remote.lease)
	default:
		ids = append(ids, s.remote.tracked[trackLease(s.remote.name, s.run)])
	}
	return ids
}

// cancelStands is the accepted cancel that nobody ordered over yet, nil for
// none. A lease that cannot be read is for whoever has to write to complain of.
func (s *session) cancelStands(ctx context.Context) (*lease.Lease, error) {
	for _, id := range s.knownLeases() {
		if id == "" {
			continue
		}
		l, damage, err := s.leaseAt(ctx, id)
		if err != nil {
			return nil, err
		}
		if damage == nil && l.State == lease.Cancelled {
			return &l, nil
		}
	}
	return nil, nil
}

// leaseAt is what one value of a lease ref says; it is read once, since a value
// never changes. damage: it is there and is no lease.
func (s *session) leaseAt(ctx context.Context, id string) (l lease.Lease, damage, err error) {
	if l, known := s.hold.read[id]; known || id == "" {
		return l, nil, nil
	}
	c, err := s.Git.ReadCommit(ctx, id)
	if err != nil {
		return lease.Lease{}, nil, err
	}
	if l, damage = lease.Parse(c.ID, c.Message); damage != nil {
		return lease.Lease{}, damage, nil
	}
	if s.hold.read == nil {
		s.hold.read = map[string]lease.Lease{}
	}
	s.hold.read[id] = l
	return l, nil, nil
}

// CancelledReport says who cancelled a run, and whom.
type CancelledReport struct {
	By   string `json:"by"`
	Host string `json:"host"` // where it was being worked on, "" for nowhere
	Step string `json:"step"` // the step that was, "" for none
}

func (s *session) cancelReport(ctx context.Context) (*CancelledReport, error) {
	l, err := s.cancelStands(ctx)
	if err != nil || l == nil {
		return nil, err
	}
	return &CancelledReport{By: first(l.By, "somebody"), Host: l.Host, Step: l.Step}, nil
}

// needNotCancelled stops a command that would work on a cancelled run. A
// person's order (--takeover) opens it again, at once and for everybody.
func (s *session) needNotCancelled(ctx context.Context) error {
	l, err := s.cancelStands(ctx)
	switch {
	case err != nil || l == nil:
		return err
	case !s.takeover:
		return s.isCancelled(*l, "nothing was done")
	}
	return s.reopen(ctx, *l)
}

func (s *session) reopen(ctx context.Context, l lease.Lease) error {
	if s.leaseHere != "" {
		if err := s.Git.UpdateRefs(ctx, s.why("reopen", ""), object.RefUpdate{Name: lease.Ref(s.run), Old: s.leaseHere}); err != nil {
			return err
		}
		s.leaseHere = ""
	}
	if !s.leaseAlone() {
		opened, err := s.reopenThere(ctx)
		if err != nil {
			return err
		}
		if !opened { // somebody else moved it meanwhile
			return s.needNotCancelled(ctx)
		}
	}
	s.Notify("run %s was cancelled by %s; it goes on", s.run, first(l.By, "somebody"))
	return nil
}

func (s *session) reopenThere(ctx context.Context) (opened bool, err error) {
	if s.remote.err != nil {
		return false, failf("NOT_PUSHED", ExitNotPushed, "run %s is cancelled and cannot be opened again without its remote: %w; nothing was done", s.run, s.remote.err).
			hint("git agent resume %s --takeover", s.run)
	}
	now, err := s.readLease(ctx)
	if err != nil || now.State != lease.Cancelled {
		return err == nil, err
	}
	h, nonce, err := s.holder("", "")
	if err != nil {
		return false, err
	}
	next, err := s.writeLease(ctx, lease.Pass(now, s.run, h, nonce))
	if err != nil {
		return false, err
	}
	if opened, err = s.pushLease(ctx, next); err == nil && !opened {
		err = errors.Join(s.ask(ctx), s.remote.err)
	}
	return opened, err
}

// isCancelled is the refusal, and the end of a holder who was stopped. done
// says what became of what it did.
func (s *session) isCancelled(l lease.Lease, done string) *Failure {
	who := first(l.By, "somebody")
	if l.Step != "" || l.Host != "" {
		who += " while " + describe(l) + " held it"
	}
	return failf("CANCELLED", ExitPerson, "run %s was cancelled by %s; %s", s.run, who, done).
		hint("git agent resume %s --takeover   # go on with it", s.run)
}

// orCancelled is the error of a command that was stopped by a cancel, whatever
// else its end looked like; any other error stands.
func (s *session) orCancelled(ctx context.Context, err error) error {
	if err == nil || !wasCancelled(ctx) && !errors.Is(err, errCancelled) || CodeOf(err) == "CANCELLED" {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	return s.isCancelled(s.whoCancelled(ctx), "what is certified is saved")
}

// whoCancelled looks at the remote once more: the request that this process
// heeded names nobody's authority.
func (s *session) whoCancelled(ctx context.Context) lease.Lease {
	_ = s.readRefs(ctx)
	_ = s.ask(ctx)
	s.hold.looked = false
	if l, err := s.cancelStands(ctx); err == nil && l != nil {
		return *l
	}
	return lease.Lease{}
}

// stopped ends an attempt that was cancelled: no check runs any more, a job's
// work is preserved and taken back as after a failure, but nothing is recorded.
// What a person made by hand stays as it is.
func (s *session) stopped(ctx context.Context, w *work) error {
	ctx = context.WithoutCancel(ctx)
	s.hold.mine = lease.Lease{}
	by := s.whoCancelled(ctx)
	s.Fault("cancel-heeded")
	if !w.job() {
		return s.isCancelled(by, fmt.Sprintf("step %s was not certified and what lies there was not touched", w.step.ID))
	}
	ref, err := s.takeCancelled(ctx, w)
	f := s.isCancelled(by, fmt.Sprintf("attempt %d of step %s was ended and nothing recorded", w.attempt.Number, w.step.ID))
	if ref != "" {
		f = f.hint("git agent stash show %s", ref)
	}
	return errors.Join(f, err)
}

// takeCancelled preserves what the job left and goes back to the boundary; a
// fixpoint step's work stays for whoever goes on.
func (s *session) takeCancelled(ctx context.Context, w *work) (ref string, err error) {
	view, err := s.survey(ctx, w)
	if err != nil || w.step.Fixpoint {
		return "", err
	}
	if len(view.paths()) == 0 {
		return "", s.retire(w.attempt)
	}
	before := s.stashRefs(w.step.ID)
	p, err := s.beginRollback(ctx, w, view, nil)
	if err == nil {
		err = s.conclude(ctx, p)
	}
	for _, now := range s.stashRefs(w.step.ID) {
		if !slices.Contains(before, now) {
			ref = now
		}
	}
	return ref, err
}

// cancelledThere is a push that a cancel came before: what was certified is here
// and nowhere else, and goes out when a person goes on with the run.
func (s *session) cancelledThere(ctx context.Context, id string) error {
	if id == "" || id == s.remote.lease {
		return nil
	}
	if err := s.Git.Fetch(ctx, s.remote.name, []string{lease.Ref(s.run)}); err != nil {
		return err
	}
	now, damage, err := s.leaseAt(ctx, id)
	if err != nil || damage != nil || now.State != lease.Cancelled {
		return err
	}
	if err := s.ask(ctx); err != nil {
		return err
	}
	s.hold.mine = lease.Lease{}
	return s.isCancelled(now, "what was certified meanwhile is certified here, and not pushed")
}

// unlessCancelled makes a certificate conditional on no cancel having been
// accepted in this repository, where that is the one that counts.
func (s *session) unlessCancelled(u object.RefUpdate) []object.RefUpdate {
	if !s.leaseAlone() {
		return []object.RefUpdate{u}
	}
	return []object.RefUpdate{u, {Name: lease.Ref(s.run), Old: s.leaseHere, New: s.leaseHere}}
}

// cancelledHere is a certificate that a cancel in this repository came before;
// any other cause stands.
func (s *session) cancelledHere(ctx context.Context, cause error) error {
	id, err := s.Git.Ref(ctx, lease.Ref(s.run))
	if err != nil || id == s.leaseHere || !s.leaseAlone() {
		return cause
	}
	l, damage, err := s.leaseAt(ctx, id)
	if err != nil || damage != nil || l.State != lease.Cancelled {
		return cause
	}
	s.leaseHere = id
	return errCancelled
}
