package verify

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// commit is one commit with what its message says.
type commit struct {
	object.Commit
	reading trailers.Reading
}

// graph is a set of commits, filled before it is asked: in the order in which
// git found them, which for one branch is that of its first parents.
type graph struct {
	found []*commit
	next  int            // the place below the one that was asked for last
	place map[string]int // of each; made when the order does not do
}

func (g *graph) put(c *commit) { g.found = append(g.found, c) }

// add keeps a commit whose message is not of interest.
func (g *graph) add(c object.Commit) { g.put(&commit{Commit: c}) }

// at is a commit of the set, nil where it has none of that id.
func (g *graph) at(id string) *commit {
	if g.next >= len(g.found) || g.found[g.next].ID != id {
		if g.place == nil {
			g.index()
		}
		i, ok := g.place[id]
		if !ok {
			return nil
		}
		g.next = i
	}
	g.next++
	return g.found[g.next-1]
}

func (g *graph) index() {
	g.place = make(map[string]int, len(g.found))
	for i, c := range g.found {
		g.place[c.ID] = i
	}
}

// chain is the first-parent chain down to base, or to where the set ends,
// oldest first; side is what else the tip reaches.
func (g *graph) chain(tip, base string) (chain, side []*commit) {
	var others []string
	for id := tip; id != base && id != ""; {
		c := g.at(id)
		if c == nil {
			break
		}
		chain, id = append(chain, c), c.FirstParent()
		if len(c.Parents) > 1 {
			others = append(others, c.Parents[1:]...)
		}
	}
	slices.Reverse(chain)
	if len(others) == 0 {
		return chain, nil
	}
	seen := map[string]bool{base: true}
	for _, c := range chain {
		seen[c.ID] = true
	}
	for len(others) > 0 {
		c := g.at(others[0])
		others = others[1:]
		if c != nil && !seen[c.ID] {
			side, seen[c.ID] = append(side, c), true
			others = append(others, c.Parents...)
		}
	}
	return chain, side
}
