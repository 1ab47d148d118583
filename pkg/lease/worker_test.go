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
	{"pushes the certificate and ends", pushAndEnd},
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
	if m.rules.neverTaken {
		look = lease.Look{TTL: look.TTL}
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
	p.cert, p.phase = m.certify(commit{p.tip, p.step, p.by, true}), ready
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

func push(m *model, w *world, k int) bool { return m.push(w, k, w.workers[k].step == m.steps) }

// pushAndEnd is a command that does one step only.
func pushAndEnd(m *model, w *world, k int) bool {
	p := &w.workers[k]
	return p.step < m.steps && !p.pass && !m.rules.branchOnly && m.push(w, k, true)
}

func (m *model) push(w *world, k int, last bool) bool {
	p := &w.workers[k]
	switch {
	case p.phase == ready:
	case p.phase == working && m.rules.believed:
		p.cert = m.certify(commit{p.tip, p.step, p.by, false})
	default:
		return false
	}
	p.doing = certifying
	return m.send(w, k, m.fence(p, last), p.cert)
}

// fence is the lease that goes with a certificate.
func (m *model) fence(p *worker, last bool) leaseNo {
	mine := m.leases[p.before]
	switch {
	case m.rules.branchOnly:
		return 0
	case m.rules.unchangedLease:
		return p.before
	case p.pass:
		h, nonce := m.holder(p)
		return m.object(lease.Pass(mine, runID, h, nonce))
	case last:
		return m.object(lease.Release(mine))
	case m.rules.plainBeat:
		return m.object(lease.Beat(mine))
	}
	return m.object(lease.Next(mine, stepID(p.step+1), name(p.cert)))
}
