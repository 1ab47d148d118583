package run

import (
	"context"
	"errors"
	"strings"

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
	s.hold.keep(l)
	s.hold.tree = c.Tree // every lease has the same
	return l, nil, nil
}

// keep remembers what a value of the lease ref says: an object does not change.
func (h *hold) keep(l lease.Lease) {
	if h.read == nil {
		h.read = map[string]lease.Lease{}
	}
	h.read[l.ID] = l
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

// ordered says what a person's order (--takeover) does to a cancelled run.
type ordered int

const (
	leaveCancelled ordered = iota // nothing yet
	openAgain                     // it goes on, at once and for everybody
)

// needNotCancelled stops a command that would work on a cancelled run without
// a person's order.
func (s *session) needNotCancelled(ctx context.Context, how ordered) error {
	l, err := s.cancelStands(ctx)
	switch {
	case err != nil || l == nil:
		return err
	case !s.takeover:
		return s.isCancelled(*l, "nothing was done")
	case how == leaveCancelled && s.remote.err != nil && !s.leaseAlone():
		return s.notOpened(s.remote.err)
	case how == leaveCancelled:
		return nil
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
			return s.needNotCancelled(ctx, openAgain)
		}
	}
	s.Notify("run %s was cancelled by %s; it goes on", s.run, first(l.By, "somebody"))
	return nil
}

func (s *session) reopenThere(ctx context.Context) (opened bool, err error) {
	if s.remote.err != nil {
		return false, s.notOpened(s.remote.err)
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

func (s *session) notOpened(cause error) error {
	return failf("NOT_PUSHED", ExitNotPushed, "run %s is cancelled and cannot be opened again without its remote: %w; nothing was done", s.run, cause).
		hint("git agent resume %s --takeover", s.run)
}

// isCancelled is the refusal, and the end of a holder who was stopped. done
// says what became of what it did.
func (s *session) isCancelled(l lease.Lease, done string) *Failure {
	return failf("CANCELLED", ExitPerson, "run %s was cancelled by %s%s; %s", s.run, first(l.By, "somebody"), cancelledAt(l), done).
		hint("git agent resume %s --takeover   # go on with it", s.run)
}

// cancelledAt is what was under way, and where, unless that is the machine of
// whoever cancelled it.
func cancelledAt(l lease.Lease) string {
	on := ""
	if l.Host != "" && l.By != l.Host && !strings.HasSuffix(l.By, "@"+l.Host) {
		on = " on " + l.Host
	}
	switch {
	case l.Step != "":
		return " while step " + l.Step + " was under way" + on
	case on != "":
		return " while it was held" + on
	}
	return ""
}
