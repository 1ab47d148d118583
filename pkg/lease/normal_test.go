package lease_test

// normal makes one world of those that only differ in names.
func (m *model) normal(w *world) (swapped bool) {
	for n, f := range w.late {
		if m.dead(w, f) {
			w.late[n] = flight{}
		}
	}
	for n := range 2 { // three elements, bubbled up
		for i := range 2 - n {
			if w.late[i].key() < w.late[i+1].key() {
				w.late[i], w.late[i+1] = w.late[i+1], w.late[i]
			}
		}
	}
	if w.workers[1].less(w.workers[0]) {
		w.workers[0], w.workers[1] = w.workers[1], w.workers[0]
		return true
	}
	return false
}

func (f flight) key() uint64 {
	return uint64(f.leaseOld)<<48 | uint64(f.leaseNew)<<32 |
		uint64(f.branchOld)<<24 | uint64(f.branchNew)<<16 | uint64(f.by)<<8 | uint64(f.under)
}

func (p worker) less(q worker) bool {
	if a, b := p.key(), q.key(); a != b {
		return a < b
	}
	if a, b := uint32(p.before)<<16|uint32(p.sent), uint32(q.before)<<16|uint32(q.sent); a != b {
		return a < b
	}
	return p.flight.key() < q.flight.key()
}

func (p worker) key() uint64 {
	key := uint64(p.phase)<<48 | uint64(p.doing)<<44 | uint64(p.step)<<36 |
		uint64(p.by)<<24 | uint64(p.under)<<16 | uint64(p.tip)<<8 | uint64(p.cert)
	if p.pass {
		key |= 1 << 52
	}
	return key
}
