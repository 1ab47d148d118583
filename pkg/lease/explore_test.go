package lease_test

import (
	"fmt"
	"strings"
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
	for b := i1; b <= i6; b <<= 1 {
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
