package lease_test

import (
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/lease"
)

// event is a transition: which move, of which worker, and whether the two
// workers changed places afterwards.
type event struct {
	move    uint8
	k       uint8
	swapped bool
}

// node is a state that was reached, and how.
type node struct {
	world world
	from  uint32
	event event
}

// graph is everything that can be reached: breadth first, so that the way to
// every node is a shortest one. Worlds that differ in which worker is which, or
// in pushes that can never be accepted, are one.
type graph struct {
	m     *model
	nodes []node
	seen  map[world]uint32
	edges []uint32 // to, in the order of the nodes they come from
	first []uint32 // of each node, in edges
	found map[breach]trace
}

// trace is a shortest way to a broken invariant.
type trace struct {
	moves int
	text  string
}

// explore goes on until everything was seen, or every invariant of wanted was
// broken. What lies behind a broken invariant is not looked at.
func explore(m *model, left budget, wanted breach) *graph {
	g := &graph{m: m, seen: map[world]uint32{}, found: map[breach]trace{}}
	g.reach(world{left: left}, 0, event{})
	for at := uint32(0); int(at) < len(g.nodes); at++ {
		g.first = append(g.first, uint32(len(g.edges)))
		for n := range workerMoves {
			g.try(at, event{move: uint8(n)}, workerMoves[n].do)
			g.try(at, event{move: uint8(n), k: 1}, workerMoves[n].do)
		}
		for n := range worldMoves {
			g.try(at, event{move: uint8(len(workerMoves) + n)}, worldMoves[n].do)
		}
		if wanted != 0 && g.has(wanted) {
			break
		}
	}
	return g
}

func (g *graph) has(wanted breach) bool {
	var all breach
	for b := range g.found {
		all |= b
	}
	return all&wanted == wanted
}

func (g *graph) try(at uint32, e event, do func(*model, *world, int) bool) {
	w := g.nodes[at].world
	g.m.broken = 0
	if !do(g.m, &w, int(e.k)) {
		return
	}
	e.swapped = g.m.normal(&w)
	if g.m.broken == 0 {
		g.edges = append(g.edges, g.reach(w, at, e))
		return
	}
	for b := I1; b <= I6; b <<= 1 {
		if _, ok := g.found[b]; !ok && g.m.broken&b != 0 {
			g.found[b] = g.trace(at, e)
		}
	}
}

func (g *graph) reach(w world, from uint32, e event) uint32 {
	no, ok := g.seen[w]
	if !ok {
		no = uint32(len(g.nodes))
		g.seen[w] = no
		g.nodes = append(g.nodes, node{w, from, e})
	}
	return no
}

// trace tells the way to a node and one event on.
func (g *graph) trace(at uint32, last event) trace {
	events := []event{last}
	for ; at != 0; at = g.nodes[at].from {
		events = append(events, g.nodes[at].event)
	}
	var text strings.Builder
	names := [2]string{"one", "two"}
	for n := len(events) - 1; n >= 0; n-- {
		e := events[n]
		if int(e.move) < len(workerMoves) {
			fmt.Fprintf(&text, "\n  %2d. worker %s: %s", len(events)-n, names[e.k], workerMoves[e.move].name)
		} else {
			fmt.Fprintf(&text, "\n  %2d. %s", len(events)-n, worldMoves[int(e.move)-len(workerMoves)].name)
		}
		if e.swapped {
			names[0], names[1] = names[1], names[0]
		}
	}
	return trace{len(events), text.String()}
}

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

// ended: every step is recorded, or somebody cancelled.
func (m *model) ended(w *world) bool {
	return m.complete(w) || m.leases[w.lease].State == lease.Cancelled
}

// hopeful: the budget allows an end, since a claim is left, or a worker holds
// the lease and nobody moved the branch since.
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
// would allow one.
func (g *graph) stuck() (count int, shortest trace) {
	into := make([][]uint32, len(g.nodes))
	for at := range g.nodes {
		end := uint32(len(g.edges))
		if at+1 < len(g.first) {
			end = g.first[at+1]
		}
		for _, to := range g.edges[g.first[at]:end] {
			into[to] = append(into[to], uint32(at))
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
