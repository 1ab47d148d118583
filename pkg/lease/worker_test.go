package lease_test

import (
	"fmt"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
)

// move is an event of one worker, or of the world (k is 0 then). It changes w
// and reports whether it is possible at all.
type move struct {
	name string
	do   func(m *model, w *world, k int) bool
}

var workerMoves = []move{
	{"claims", claim},
	{"claims over the cancel, ordered by a person", override},
	{"begins a step without a job", begin},
	{"begins by pushing what was certified here", resend},
	{"runs job and checks to the end", run},
	{"pushes a sign of life", beat},
	{"pushes the certificate", push},
	{"its push is delivered", deliver},
	{"its push is delivered, the answer is lost", deliverUnseen},
	{"its push is lost", drop},
	{"gives up, its push stays under way", giveUp},
	{"is killed, its push stays under way", crash},
	{"reads back", readBack},
}

var worldMoves = []move{
	{"the 1st late push is delivered", func(m *model, w *world, _ int) bool { return late(m, w, 0) }},
	{"the 2nd late push is delivered", func(m *model, w *world, _ int) bool { return late(m, w, 1) }},
	{"the 3rd late push is delivered", func(m *model, w *world, _ int) bool { return late(m, w, 2) }},
	{"somebody cancels", cancel},
	{"a person pushes to the branch", person},
}

// silent is a lease that stood still for long enough: at any time at all.
var silent = lease.Look{Unchanged: 2 * time.Minute, TTL: 2 * time.Minute}

const runID = "r"

func name(no commitNo) string { return fmt.Sprintf("c%d", no) }

func spend(left *uint8) bool {
	if *left == 0 {
		return false
	}
	*left--
	return true
}

// start is row 1: read both refs, judge the lease.
func (m *model) start(w *world, k int, left *uint8, look lease.Look) bool {
	if w.workers[k].phase != idle || m.complete(w) {
		return false
	}
	switch stance := lease.Judge(m.leases[w.lease], lease.Lease{}, look); {
	case stance == lease.Free, stance == lease.TakeOver:
	case stance == lease.Stopped && m.rules.silenceRevives:
	default:
		return false
	}
	if !spend(left) {
		return false
	}
	w.begun++
	count, _ := m.recorded(w.branch)
	w.workers[k] = worker{phase: working, step: count + 1, by: w.begun, under: w.owner,
		tip: w.branch, before: w.lease, cert: w.workers[k].cert}
	return true
}

func (m *model) holder(p *worker) (lease.Holder, string) {
	nonce := fmt.Sprintf("n%d", p.by)
	if m.rules.sameClaims {
		nonce = "n"
	}
	return lease.Holder{Owner: "process " + nonce, Host: "h", Step: stepID(p.step), Tip: name(p.tip)}, nonce
}

func stepID(step uint8) string { return fmt.Sprintf("s%d", step) }

func claim(m *model, w *world, k int) bool { return m.claim(w, k, &w.left.claims, silent) }

func override(m *model, w *world, k int) bool {
	if !w.stopped || !m.claim(w, k, &w.left.overrides, lease.Look{Override: true}) {
		return false
	}
	p := &w.workers[k]
	p.by |= overridden
	p.flight.by = p.by
	return true
}

func (m *model) claim(w *world, k int, left *uint8, look lease.Look) bool {
	if w.workers[k].cert != 0 || !m.start(w, k, left, look) {
		return false
	}
	p := &w.workers[k]
	h, nonce := m.holder(p)
	p.doing = claiming
	return m.send(w, k, m.object(lease.Claim(m.leases[w.lease], runID, h, nonce)), 0)
}

// begin is a step without a job: it remembers the lease and claims nothing.
func begin(m *model, w *world, k int) bool {
	if w.workers[k].cert != 0 || !m.start(w, k, &w.left.passes, silent) {
		return false
	}
	w.workers[k].pass = true
	return true
}

// resend is what every command does first about a certificate that an earlier
// one left here: it is pushed where it still fits, and let go where not.
func resend(m *model, w *world, k int) bool {
	cert := w.workers[k].cert
	if cert == 0 || w.workers[k].phase != idle {
		return false
	}
	if cert == w.branch || !m.below(w.branch, cert) {
		w.workers[k].cert = 0
		return true
	}
	if !m.start(w, k, &w.left.passes, silent) {
		return false
	}
	w.workers[k].pass, w.workers[k].phase = true, ready
	return true
}

func run(m *model, w *world, k int) bool {
	p := &w.workers[k]
	if p.phase != working {
		return false
	}
	p.cert, p.phase = m.certify(commit{p.tip, p.step, p.by}), ready
	return true
}

func beat(m *model, w *world, k int) bool {
	p := &w.workers[k]
	if p.phase != working || p.pass || !spend(&w.left.beats) {
		return false
	}
	p.doing = beating
	return m.send(w, k, m.object(lease.Beat(m.leases[p.before])), 0)
}

func push(m *model, w *world, k int) bool {
	p := &w.workers[k]
	if p.phase != ready {
		return false
	}
	p.doing = certifying
	return m.send(w, k, m.fence(p), p.cert)
}

// fence is the lease that goes with a certificate.
func (m *model) fence(p *worker) leaseNo {
	mine := m.leases[p.before]
	switch {
	case m.rules.branchOnly:
		return 0
	case m.rules.unchangedLease:
		return p.before
	case p.pass:
		h, nonce := m.holder(p)
		return m.object(lease.Pass(mine, runID, h, nonce))
	case p.step == m.steps:
		return m.object(lease.Release(mine))
	case m.rules.plainBeat:
		return m.object(lease.Beat(mine))
	}
	return m.object(lease.Next(mine, stepID(p.step+1), name(p.cert)))
}

// deliver is a push to its clean end. A claim is read back all the same.
func deliver(m *model, w *world, k int) bool {
	p := &w.workers[k]
	if p.phase != waiting {
		return false
	}
	f := p.flight
	p.phase, p.flight = unsure, flight{}
	if m.accept(w, f) && p.doing != claiming {
		m.won(p)
	}
	return true
}

func deliverUnseen(m *model, w *world, k int) bool {
	p := &w.workers[k]
	if p.phase != waiting || !spend(&w.left.errors) {
		return false
	}
	m.accept(w, p.flight)
	return m.failed(w, p)
}

func drop(m *model, w *world, k int) bool {
	p := &w.workers[k]
	return p.phase == waiting && spend(&w.left.errors) && m.failed(w, p)
}

func giveUp(m *model, w *world, k int) bool {
	p := &w.workers[k]
	if p.phase != waiting || !spend(&w.left.errors) {
		return false
	}
	m.postpone(w, p.flight)
	return m.failed(w, p)
}

func crash(m *model, w *world, k int) bool {
	p := &w.workers[k]
	if p.phase == idle || !spend(&w.left.crashes) {
		return false
	}
	if p.phase == waiting {
		m.postpone(w, p.flight)
	}
	*p = worker{cert: p.cert}
	if w.left.passes == 0 {
		p.cert = 0 // another clone goes on
	}
	return true
}

func (m *model) postpone(w *world, f flight) {
	for n := range w.late {
		if w.late[n] == (flight{}) {
			w.late[n] = f
			return
		}
	}
	m.t.Fatal("more late pushes than the model has room for")
}

// failed is the end of a push without a clean answer.
func (m *model) failed(w *world, p *worker) bool {
	p.phase, p.flight = unsure, flight{}
	if !m.rules.errorIsNo {
		return true
	}
	// The mutant believes that nothing happened and does its step again, on
	// whatever the branch is now.
	if now := m.leases[w.lease]; p.doing == claiming || !lease.SameClaim(now, m.leases[p.before]) && !m.rules.branchOnly {
		*p = worker{}
		return true
	} else if !m.rules.branchOnly {
		p.before = w.lease
	}
	p.tip, p.cert, p.phase = w.branch, 0, working
	return true
}

// readBack decides a push from what the remote holds.
func readBack(m *model, w *world, k int) bool {
	p := &w.workers[k]
	if p.phase != unsure {
		return false
	}
	sent, before := map[string]string{}, map[string]string{"branch": name(p.tip), "lease": m.leases[p.before].ID}
	after := map[string]string{"branch": name(w.branch), "lease": m.leases[w.lease].ID}
	if p.sent != 0 {
		sent["lease"] = m.leases[p.sent].ID
	}
	branchNew := commitNo(0)
	if p.doing == certifying {
		branchNew = p.cert
		sent["branch"] = name(p.cert)
	}
	switch lease.Settle(sent, before, after) {
	case lease.Won:
		m.won(p)
	case lease.Fenced:
		*p = worker{}
	case lease.Again:
		if p.doing == beating {
			p.phase, p.doing, p.sent = working, 0, 0 // the next one will do
			return true
		}
		return m.send(w, k, p.sent, branchNew)
	}
	return true
}

// won is what follows a push that arrived.
func (m *model) won(p *worker) {
	certified := p.doing == certifying
	if p.sent != 0 && !p.pass {
		p.before = p.sent
	}
	p.doing, p.sent, p.phase, p.under = 0, 0, working, p.by
	if certified {
		p.tip, p.cert, p.step = p.cert, 0, p.step+1
	}
	if certified && (p.pass || p.step > m.steps) {
		*p = worker{}
	}
}

func late(m *model, w *world, n int) bool {
	f := w.late[n]
	if f == (flight{}) {
		return false
	}
	w.late[n] = flight{}
	m.accept(w, f)
	return true
}

// cancel is a person's command: the remote takes it in one go, since a cancel
// that arrives late is one that was given later, or is refused.
func cancel(m *model, w *world, _ int) bool {
	now := m.leases[w.lease]
	if w.lease == 0 || now.State == lease.Cancelled || m.complete(w) || !spend(&w.left.cancels) {
		return false
	}
	w.lease, w.stopped = m.object(lease.Cancel(now, "cancel")), true
	return true
}

func person(m *model, w *world, _ int) bool {
	if m.complete(w) || !spend(&w.left.persons) {
		return false
	}
	w.branch = m.certify(commit{parent: w.branch})
	return true
}
