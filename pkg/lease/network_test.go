package lease_test

import "github.com/git-agent/git-agent/pkg/lease"

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
	if now := m.leases[w.lease]; p.doing == claiming || p.doing == releasing || !lease.SameClaim(now, m.leases[p.before]) && !m.rules.branchOnly {
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
		return m.fenced(w, k)
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
	ends := p.pass || m.leases[p.sent].State == lease.Released
	if p.doing == certifying {
		p.tip, p.cert, p.step = p.cert, 0, p.step+1
		ends = ends || p.step > m.steps
	}
	if ends {
		*p = worker{}
		return
	}
	if p.sent != 0 {
		p.before = p.sent
	}
	p.doing, p.sent, p.phase, p.under = 0, 0, working, p.by
}

// fenced is a push that cannot arrive any more. Where the lease is still of the
// same claim, it was our own sign of life that came late, and the holder goes
// on over it; or a person moved the branch, and the run is let go.
func (m *model) fenced(w *world, k int) bool {
	p := &w.workers[k]
	now := m.leases[w.lease]
	mine := lease.Judge(now, m.leases[p.before], lease.Look{TTL: silent.TTL}) == lease.Mine
	switch {
	case !mine || p.pass || p.doing == claiming || p.doing == releasing:
		*p = worker{}
	case p.doing == beating:
		p.before, p.phase, p.doing, p.sent = w.lease, working, 0, 0
	case w.branch == p.tip:
		p.before, p.phase, p.doing, p.sent = w.lease, ready, 0, 0
	default:
		p.before, p.doing, p.cert = w.lease, releasing, 0
		return m.send(w, k, m.object(lease.Release(now)), 0)
	}
	return true
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
	next := lease.Cancel(now, "cancel")
	if now.State != lease.Held {
		next = lease.CancelFree(now, now.Run, "cancel")
	}
	w.lease, w.stopped = m.object(next), true
	return true
}

func person(m *model, w *world, _ int) bool {
	if m.complete(w) || !spend(&w.left.persons) {
		return false
	}
	w.branch = m.certify(commit{parent: w.branch})
	return true
}
