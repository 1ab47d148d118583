package run

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

const defaultTTL = 120 * time.Second

// hold is what this command knows and does about the run's lease.
type hold struct {
	now    lease.Lease // on the remote, at the last look
	mine   lease.Lease // claimed by this command; the zero Lease: none
	looked bool        // now was read
	clear  bool        // nobody else works on the run: this command may write
	tree   string      // the empty tree
}

func trackLease(remote, run string) string { return trackPrefix + remote + "/lease/" + run }

// leaseTTL is how long a lease that does not change is respected.
func (s *session) leaseTTL() time.Duration {
	value, _ := s.Config.Config("agent.leasettl")
	if d, err := time.ParseDuration(value); err == nil && d > 0 {
		return d
	}
	return defaultTTL
}

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
	if s.remote.lease == "" {
		return s.hold.now, nil
	}
	c, err := s.Git.ReadCommit(ctx, s.remote.lease)
	if err != nil {
		return lease.Lease{}, err
	}
	l, err := lease.Parse(c.ID, c.Message)
	if err != nil {
		return lease.Lease{}, fail("LEASE_UNREADABLE", ExitUnknown, fmt.Errorf("who holds run %s cannot be told: %w", s.run, err),
			fmt.Sprintf("git ls-remote %s %s", quoteArg(s.remote.name), lease.Ref(s.run)),
			fmt.Sprintf("git push %s --delete %s   # once nobody works on it", quoteArg(s.remote.name), lease.Ref(s.run)))
	}
	s.hold.now = l
	return l, nil
}

// mayWrite makes sure, once per command, that nobody else works on the run: a
// lease that somebody else holds is watched for one time to live.
func (s *session) mayWrite(ctx context.Context, step string) error {
	if s.hold.clear || !s.leasing() {
		return nil
	}
	now, err := s.readLease(ctx)
	if err != nil {
		return err
	}
	look := lease.Look{OwnerDead: ownerDead(now), TTL: s.leaseTTL(), Override: s.takeover}
	switch lease.Judge(now, s.hold.mine, look) {
	case lease.Stopped:
		err = failf("CANCELLED", ExitPerson, "run %s was cancelled while %s held it; nothing was done", s.run, describe(now)).
			hint("git agent resume %s --takeover   # go on with it", s.run)
	case lease.Wait:
		err = s.watch(ctx, now, step)
	case lease.TakeOver:
		s.Notify("taking the run over from %s", describe(now))
	}
	s.hold.clear = err == nil
	return err
}

// watch looks whether the lease moves within its time to live, on our own
// monotonic clock: no clock of another machine is ever compared.
func (s *session) watch(ctx context.Context, now lease.Lease, step string) error {
	ttl := s.leaseTTL()
	s.Notify("the run is held by %s; watching for %s whether it lives", describe(now), ttl)
	timer := time.NewTimer(ttl)
	defer timer.Stop()
	every := time.NewTicker(max(ttl/20, 10*time.Millisecond))
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			s.Notify("it did not move: taking the run over from %s", describe(now))
			return nil
		case <-every.C:
		}
		there, err := s.Git.RemoteRefs(ctx, s.remote.name, lease.Ref(s.run))
		if err != nil {
			return s.notPushed(err)
		}
		if there[lease.Ref(s.run)] != now.ID {
			return s.busyElsewhere(ctx, now, step)
		}
	}
}

// busyElsewhere answers for a holder that lives, or has just ended: 4 where the
// step is certified by now, else 6.
func (s *session) busyElsewhere(ctx context.Context, by lease.Lease, step string) error {
	if err := s.ask(ctx); err != nil {
		return err
	}
	if step != "" && s.remote.err == nil && s.remote.branch != "" {
		certified, err := s.certifiedThere(ctx, step)
		if err != nil {
			return err
		}
		if certified {
			return s.lost(map[string]string{s.branch: s.remote.branch})
		}
	}
	return failf("RUN_BUSY", ExitBusy, "the run is held by %s; nothing was done", describe(by)).
		hint("git agent runs --remote").hint("git agent resume %s --takeover   # fences the other one", s.run)
}

func (s *session) certifiedThere(ctx context.Context, step string) (bool, error) {
	commits, err := s.Git.History(ctx, s.tip, s.remote.branch)
	if err != nil {
		return false, err
	}
	for _, c := range commits {
		if isCertificate(c.Message, s.run, step) {
			return true, nil
		}
	}
	return false, nil
}

// claim takes the lease for a job. Won only if the server says that the ref
// moved and it reads back as ours.
func (s *session) claim(ctx context.Context, step, tip string) error {
	if !s.leasing() {
		return s.offlineJob()
	}
	for {
		if err := s.mayWrite(ctx, step); err != nil {
			return err
		}
		h, nonce, err := s.holder(step, tip)
		if err != nil {
			return err
		}
		mine, err := s.writeLease(ctx, lease.Claim(s.hold.now, s.run, h, nonce))
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
	}
}

// offlineJob: without the remote a job runs only under a lease that this clone
// was the last to move; nobody else can have begun since as far as is known.
func (s *session) offlineJob() error {
	if s.remote.err == nil || s.local.NoPush || s.local.BranchOnly || s.ownLast() {
		return nil
	}
	return failf("NOT_PUSHED", ExitNotPushed, "no job was started: %w; the lease was not this clone's last, so somebody else may be at work", s.remote.err).
		hint("git agent resume %s", s.run)
}

// ownLast reports whether the last lease that this clone saw was its own.
func (s *session) ownLast() bool {
	seen := s.remote.tracked[trackLease(s.remote.name, s.run)]
	return seen == "" || seen == s.local.Lease
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

// leaseMover moves a lease ref, and nothing else: a sign of life goes out while
// the command is busy with everything that a session knows.
type leaseMover struct {
	git         Git
	remote, ref string
	seen        string // what the ref held at the last look
}

// move pushes one value over another and reads it back; only the refs decide.
func (m *leaseMover) move(ctx context.Context, old string, next lease.Lease) (v lease.Verdict, rejected bool, err error) {
	push := object.Push{NoVerify: true, Refs: []object.PushRef{{Name: m.ref, ID: next.ID, CAS: true, Old: old}}}
	verdicts, errPush := m.git.Push(ctx, m.remote, push)
	if ctx.Err() != nil {
		return lease.Again, false, ctx.Err()
	}
	after, err := m.git.RemoteRefs(ctx, m.remote, m.ref)
	if err != nil {
		return lease.Again, false, errors.Join(errPush, err)
	}
	m.seen = after[m.ref]
	v = lease.Settle(map[string]string{m.ref: next.ID}, map[string]string{m.ref: old}, after)
	return v, refused(verdicts), nil
}

func (s *session) mover() *leaseMover {
	return &leaseMover{git: s.Git, remote: s.remote.name, ref: lease.Ref(s.run)}
}

// pushLease moves the lease alone, from the value last seen.
func (s *session) pushLease(ctx context.Context, next lease.Lease) (won bool, err error) {
	rejected := false
	for try := range pushTries {
		var v lease.Verdict
		var err error
		v, rejected, err = s.mover().move(ctx, s.remote.lease, next)
		switch {
		case err != nil:
			s.remote.err = err
			return false, s.notPushed(err)
		case v == lease.Won:
			return true, s.leased(ctx, next)
		case v == lease.Fenced:
			return false, nil
		}
		if err := backOff(ctx, try); err != nil {
			return false, err
		}
	}
	switch {
	case rejected && s.noFence():
		return true, s.withoutLease()
	case rejected && s.ownLast():
		// As without an answer: nobody else began since, as far as can be seen,
		// and the push at the end is refused or fenced all the same.
		s.Notify("%q refuses the lease; going on under this clone's own last one", s.remote.name)
		return true, nil
	}
	return false, failf("PUSH_REFUSED", ExitPerson, "%q refuses the lease, so a job may not start; nothing was done", s.remote.name).
		hint("git agent resume %s   # once the remote takes it", s.run)
}

// pushTries is how often a push that nobody else outran is sent again: a ref
// lock on the server looks like a refusal for a moment.
const pushTries = 4

func backOff(ctx context.Context, try int) error {
	timer := time.NewTimer(50 * time.Millisecond << try)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// heldByUs reads the lease that the remote has now and adopts it where it is
// of our own claim: a sign of life that arrived although its answer did not.
func (s *session) heldByUs(ctx context.Context, id string) (bool, error) {
	mine, ours, err := s.mover().own(ctx, id, s.hold.mine)
	if err != nil || !ours {
		return false, err
	}
	s.remote.lease, s.hold.mine, s.hold.now = id, mine, mine
	return true, nil
}

// own reads a value of the lease and says whether it is of the given claim.
func (m *leaseMover) own(ctx context.Context, id string, mine lease.Lease) (lease.Lease, bool, error) {
	if id == "" || mine.ID == "" {
		return mine, false, nil
	}
	if err := m.git.Fetch(ctx, m.remote, []string{m.ref}); err != nil {
		return mine, false, err
	}
	c, err := m.git.ReadCommit(ctx, id)
	if err != nil {
		return mine, false, err
	}
	now, err := lease.Parse(id, c.Message)
	if err != nil || lease.Judge(now, mine, lease.Look{}) != lease.Mine {
		return mine, false, err
	}
	return now, true, nil
}

// leased notes, here and in our mirror, that the remote's lease is this one.
func (s *session) leased(ctx context.Context, l lease.Lease) error {
	updates, err := s.noteLease(l)
	if err != nil || len(updates) == 0 {
		return err
	}
	return s.Git.UpdateRefs(ctx, s.why("lease", l.Step), updates...)
}

func (s *session) noteLease(l lease.Lease) ([]object.RefUpdate, error) {
	track := trackLease(s.remote.name, s.run)
	old := s.remote.tracked[track]
	s.remote.lease, s.hold.now, s.hold.looked, s.local.Lease = l.ID, l, true, l.ID
	s.hold.mine = lease.Lease{}
	if l.State == lease.Held {
		s.hold.mine = l
	}
	if err := s.saveLocal(); err != nil || old == l.ID {
		return nil, err
	}
	s.remote.tracked[track] = l.ID
	return []object.RefUpdate{{Name: track, Old: old, New: l.ID}}, nil
}

// release frees the run where this command still holds it: a kill alone leaves
// a lease held. It works after an interrupt too, for a moment.
func (s *session) release(ctx context.Context) {
	if s.hold.mine.ID == "" || !s.leasing() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	err := s.releaseMine(ctx)
	if err != nil {
		s.Notify("the lease could not be released, it expires by itself: %v", err)
	}
}

// releaseMine leaves alone what somebody else has taken over meanwhile: a later
// look at the remote may have brought their lease, and a release pushed over
// that one would free a run that is being worked on.
func (s *session) releaseMine(ctx context.Context) error {
	if s.remote.lease != s.hold.mine.ID {
		if ours, err := s.heldByUs(ctx, s.remote.lease); err != nil || !ours {
			return err
		}
	}
	next, err := s.writeLease(ctx, lease.Release(s.hold.mine))
	if err == nil {
		_, err = s.pushLease(ctx, next)
	}
	return err
}

// ownerDead: death is provable on the holder's own machine only.
func ownerDead(l lease.Lease) bool {
	var o check.Owner
	if l.Owner == "" || json.Unmarshal([]byte(l.Owner), &o) != nil {
		return false
	}
	dead, provable := o.Dead()
	return dead && provable
}

func describe(l lease.Lease) string {
	who := first(l.Host, "an unnamed host")
	if l.Step != "" {
		who += ", step " + l.Step
	}
	return fmt.Sprintf("%s (epoch %d)", who, l.Epoch)
}
