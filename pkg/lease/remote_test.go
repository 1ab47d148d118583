package lease_test

import "fmt"

// breach is a set of broken invariants.
type breach uint8

const (
	i1 breach = 1 << iota // a step is recorded once, in plan order
	i2                    // what is recorded was checked, on the parent it has
	i3                    // it was recorded under the claim that held, and leases only grow
	i4                    // nothing is recorded after an accepted cancel
	i5                    // nothing accepted is lost
	i6                    // the end can always be reached
)

// send is git push at the moment at which it has seen the remote's refs: a ref
// that already has its new value is left out, a lease that is not the expected
// one or a branch that does not fast-forward ends the (atomic) push here, and
// the rest goes out as commands from the values seen.
func (m *model) send(w *world, k int, leaseNew leaseNo, branchNew commitNo) bool {
	p := &w.workers[k]
	p.sent, p.flight, p.phase = leaseNew, flight{}, unsure
	f := flight{by: p.by, under: p.under}
	if leaseNew != 0 && leaseNew != w.lease {
		if w.lease != p.before && !m.rules.force {
			return true
		}
		f.leaseOld, f.leaseNew = w.lease, leaseNew
	}
	if branchNew != 0 && branchNew != w.branch {
		if !m.below(w.branch, branchNew) && !m.rules.force {
			return true
		}
		f.branchOld, f.branchNew = w.branch, branchNew
	}
	if f.leaseNew != 0 || f.branchNew != 0 {
		p.flight, p.phase = f, waiting
	}
	return true
}

// dead reports whether a push can never be accepted any more: no ref returns
// to a value it had.
func (m *model) dead(w *world, f flight) bool {
	return !m.rules.force && (f.leaseNew != 0 && f.leaseOld != w.lease || f.branchNew != 0 && f.branchOld != w.branch)
}

// accept is the remote's compare-and-swap of all refs of a push.
func (m *model) accept(w *world, f flight) bool {
	if m.dead(w, f) {
		return false
	}
	if f.branchNew != 0 {
		m.judgeRecord(w, f)
		w.branch = f.branchNew
	}
	if f.leaseNew != 0 {
		m.judgeLease(w, f)
		w.lease, w.owner = f.leaseNew, f.by
		w.stopped = w.stopped && f.by&overridden == 0
	}
	return true
}

func (m *model) judgeRecord(w *world, f flight) {
	if _, sound := m.recorded(f.branchNew); !sound {
		m.broken |= i1
	}
	if c := m.commits[f.branchNew]; c.step == 0 || !c.checked {
		m.broken |= i2
	}
	if w.owner != f.under {
		m.broken |= i3
	}
	if w.stopped && f.by&overridden == 0 {
		m.broken |= i4
	}
	if !m.below(w.branch, f.branchNew) {
		m.broken |= i5
	}
}

// judgeLease: the fence is worth something only while no value comes back.
func (m *model) judgeLease(w *world, f flight) {
	was, is := m.leases[w.lease], m.leases[f.leaseNew]
	if is.Epoch < was.Epoch || is.Epoch == was.Epoch && is.Counter <= was.Counter {
		m.broken |= i3
	}
}

// String is the invariant's name.
func (b breach) String() string {
	for n, one := range []breach{i1, i2, i3, i4, i5, i6} {
		if b == one {
			return fmt.Sprintf("I%d", n+1)
		}
	}
	return fmt.Sprintf("%#x", uint8(b))
}
