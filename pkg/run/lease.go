package run

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/settings"
)

const defaultTTL = 120 * time.Second

// hold is what this command knows and does about the run's lease.
type hold struct {
	now    lease.Lease            // on the remote, at the last look
	mine   lease.Lease            // claimed by this command; the zero Lease: none
	looked bool                   // now was read
	clear  bool                   // nobody else works on the run: this command may write
	judged string                 // the value of which that was found
	tree   string                 // the empty tree
	read   map[string]lease.Lease // values of the ref that were read
}

func trackLease(remote, run string) string { return trackPrefix + remote + "/lease/" + run }

// leaseTTL is how long a lease that does not change is respected.
func (s *session) leaseTTL() time.Duration {
	return settings.Duration(s.Config, "agent.leasettl", defaultTTL)
}

// signEvery is how often a holder shows a sign of life. A longer time to live of
// one's own makes it no rarer: others watch for theirs.
func (s *session) signEvery() time.Duration { return min(s.leaseTTL(), defaultTTL) / 2 }

// leasing reports whether the lease plays a part: there is a remote that
// answers, the run is pushed, and the server takes such a ref.
func (s *session) leasing() bool {
	return s.remote.name != "" && s.remote.err == nil && !s.local.NoPush && !s.local.BranchOnly
}

// readLease reads what the remote's lease says. One that cannot be read is an
// error: "cannot tell" is never "nobody".
func (s *session) readLease(ctx context.Context) (lease.Lease, error) {
	if s.hold.looked && s.hold.now.ID == s.remote.lease {
		return s.hold.now, nil
	}
	s.hold.now, s.hold.looked = lease.Lease{}, true
	l, damage, err := s.leaseAt(ctx, s.remote.lease)
	if err != nil {
		return lease.Lease{}, err
	}
	if damage != nil {
		return lease.Lease{}, fail("LEASE_UNREADABLE", ExitUnknown, fmt.Errorf("who holds run %s cannot be told: %w", s.run, damage),
			fmt.Sprintf("git ls-remote %s %s", quoteArg(s.remote.name), lease.Ref(s.run)),
			fmt.Sprintf("git push %s --delete %s   # once nobody works on it", quoteArg(s.remote.name), lease.Ref(s.run)))
	}
	s.hold.now = l
	return l, nil
}

// claim takes the lease for a job. Won only if the server says that the ref
// moved and it reads back as ours. under is the nonce that a job works under
// which runs already: by it, it is found at work; "" is a fresh one.
func (s *session) claim(ctx context.Context, step, tip, under string) error {
	if !s.leasing() {
		return s.offlineJob(ctx)
	}
	for {
		if err := s.mayWrite(ctx, step); err != nil {
			return err
		}
		h, nonce, err := s.holder(step, tip)
		if err != nil {
			return err
		}
		mine, err := s.writeLease(ctx, lease.Claim(s.hold.now, s.run, h, first(under, nonce)))
		if err != nil {
			return err
		}
		won, err := s.pushLease(ctx, mine)
		if err != nil || won {
			return err
		}
		s.hold.clear = false
		if err := s.ask(ctx); err != nil {
			return err
		}
		// Whoever was faster may be done, and the lease free again: a job on the
		// old tip could never be pushed.
		if err := s.notBehind(ctx); err != nil {
			return err
		}
	}
}

// offlineJob: without the remote a job runs only under a lease that this clone
// was the last to move; nobody else can have begun since as far as is known.
func (s *session) offlineJob(ctx context.Context) error {
	if s.remote.err == nil || s.local.NoPush || s.local.BranchOnly || s.ownLast(ctx) {
		return nil
	}
	return s.noJob(s.remote.err)
}

func (s *session) noJob(cause error) error {
	return failf("NOT_PUSHED", ExitNotPushed, "no job was started: %w; the lease was not this clone's last, so somebody else may be at work", cause).
		hint("git agent resume %s", s.run)
}

// ownLast reports whether the last lease that this clone saw was its own.
func (s *session) ownLast(ctx context.Context) bool {
	seen := s.remote.tracked[trackLease(s.remote.name, s.run)]
	return seen == "" || s.ownClaim(ctx, seen)
}

// ownClaim reports whether a value of the remote's lease is the last that this
// clone gave it, or a sign of life after that.
func (s *session) ownClaim(ctx context.Context, id string) bool {
	if id == s.local.Lease {
		return true
	}
	now, damage, err := s.leaseAt(ctx, id)
	if err != nil || damage != nil {
		return false
	}
	last, damage, err := s.leaseAt(ctx, s.local.Lease)
	return err == nil && damage == nil && lease.SameClaim(now, last)
}

func (s *session) holder(step, tip string) (lease.Holder, string, error) {
	owner, err := check.Self()
	if err != nil {
		return lease.Holder{}, "", fmt.Errorf("identify this process: %w", err)
	}
	text, err := json.Marshal(owner)
	if err != nil {
		return lease.Holder{}, "", err
	}
	nonce := make([]byte, 16)
	if _, err := rand.Read(nonce); err != nil {
		return lease.Holder{}, "", err
	}
	return lease.Holder{Owner: string(text), Host: s.Host, Step: step, Tip: tip}, hex.EncodeToString(nonce), nil
}

// writeLease writes the commit object of a lease; no ref moves.
func (s *session) writeLease(ctx context.Context, l lease.Lease) (lease.Lease, error) {
	message, err := l.Message()
	if err != nil {
		return l, err
	}
	if s.hold.tree == "" {
		if s.hold.tree, err = s.Git.EmptyTree(ctx); err != nil {
			return l, err
		}
	}
	l.ID, err = s.Git.WriteCommit(ctx, newCommit(s.hold.tree, "", message))
	return l, err
}

// nextLease is what a push that moves the branch moves the lease to, too: the
// last word of the holder, or of one who came by without a job.
func (s *session) nextLease(ctx context.Context) (lease.Lease, error) {
	if s.hold.mine.ID != "" {
		return s.writeLease(ctx, lease.Release(s.hold.mine))
	}
	h, nonce, err := s.holder("", "")
	if err != nil {
		return lease.Lease{}, err
	}
	return s.writeLease(ctx, lease.Pass(s.hold.now, s.run, h, nonce))
}

// ownerDead: death is provable on the holder's own machine only.
func ownerDead(l lease.Lease) bool {
	var o check.Owner
	if l.Owner == "" || json.Unmarshal([]byte(l.Owner), &o) != nil {
		return false
	}
	return o.Gone()
}

// jobElsewhere reports whether a job under that claim lives on this machine and
// is not this clone's: its runner is dead, and it is at work all the same.
func (s *session) jobElsewhere(l lease.Lease) bool {
	open, err := s.attempts(s.run)
	if err != nil {
		return false // what is here is looked after before anything else
	}
	if s.anyJobAlive(open) {
		return false
	}
	at, err := check.AtWork(l.Nonce)
	return err != nil || len(at) > 0
}

func (s *session) anyJobAlive(open []*attempt) bool {
	return slices.ContainsFunc(open, func(a *attempt) bool { return s.jobAlive(s.run, a) })
}

func describe(l lease.Lease) string {
	who := first(l.Host, "an unnamed host")
	if l.Step != "" {
		who += ", step " + l.Step
	}
	return fmt.Sprintf("%s (epoch %d)", who, l.Epoch)
}
