package lease_test

import "github.com/git-agent/git-agent/pkg/lease"

// ended: every step is recorded, or somebody cancelled.
func (m *model) ended(w *world) bool {
	return m.complete(w) || m.leases[w.lease].State == lease.Cancelled
}

// hopeful: the budget allows an end, since a claim is left and nothing that was
// certified here must be pushed before it, or since a worker holds the lease
// and nobody moved the branch.
func (m *model) hopeful(w *world) bool {
	if w.left.claims > 0 && w.workers[0].cert == 0 && w.workers[1].cert == 0 {
		return true
	}
	for _, p := range w.workers {
		if p.phase == working && !p.pass && w.owner == p.by && w.lease == p.before && w.branch == p.tip {
			return true
		}
	}
	return false
}

// stuck is I6: the nodes from which no way leads to an end although the budget
// would allow one. A cancel that somebody could still give is no way out.
func (g *graph) stuck() (count int, shortest trace) {
	into := make([][]uint32, len(g.nodes))
	for at := range g.nodes {
		end := uint32(len(g.edges))
		if at+1 < len(g.first) {
			end = g.first[at+1]
		}
		for _, to := range g.edges[g.first[at]:end] {
			if g.nodes[at].world.stopped || !g.nodes[to].world.stopped {
				into[to] = append(into[to], uint32(at))
			}
		}
	}
	fine := make([]bool, len(g.nodes))
	var queue []uint32
	for at := range g.nodes {
		if g.m.ended(&g.nodes[at].world) {
			fine[at], queue = true, append(queue, uint32(at))
		}
	}
	for n := 0; n < len(queue); n++ {
		for _, from := range into[queue[n]] {
			if !fine[from] {
				fine[from], queue = true, append(queue, from)
			}
		}
	}
	for at := range g.nodes {
		if !fine[at] && g.m.hopeful(&g.nodes[at].world) {
			if count++; count == 1 {
				shortest = g.trace(g.nodes[at].from, g.nodes[at].event)
			}
		}
	}
	return count, shortest
}
