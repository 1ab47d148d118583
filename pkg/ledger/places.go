package ledger

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// Of lists a step's records, oldest first.
func (l *Ledger) Of(step string) []*Record { return slices.Clone(l.byStep[step]) }

// Newest is the newest record of a step, valid or not; nil for none.
func (l *Ledger) Newest(step string) *Record {
	all := l.byStep[step]
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// Certificate is the newest valid record of any step, nil for none.
func (l *Ledger) Certificate() *Record {
	for _, r := range slices.Backward(l.Records) {
		if r.Valid() {
			return r
		}
	}
	return nil
}

// Boundary is the newest certificate on the chain, else the base.
func (l *Ledger) Boundary() string {
	if r := l.Certificate(); r != nil {
		return r.Commit.ID
	}
	return l.Base
}

// Tip is the newest commit of the chain, the base where there is none.
func (l *Ledger) Tip() string {
	if len(l.Chain) == 0 {
		return l.Base
	}
	return l.Chain[len(l.Chain)-1].ID
}

// Place is a commit's index on the chain; the base is -1. ok is false for a
// commit that is not on it.
func (l *Ledger) Place(id string) (index int, ok bool) {
	if id == l.Base {
		return -1, true
	}
	i := slices.IndexFunc(l.Chain, func(c object.Commit) bool { return c.ID == id })
	return i, i >= 0
}

// Within is the place of the newest commit of the chain that a commit contains:
// its own, or below it through another parent of a merge. ok is false for a
// commit that is not in this history.
func (l *Ledger) Within(id string) (index int, ok bool) {
	if i, on := l.Place(id); on {
		return i, true
	}
	if _, known := l.parents[id]; !known {
		return -1, false
	}
	newest, todo, seen := -1, []string{id}, map[string]bool{}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i, on := l.Place(at); on {
			newest = max(newest, i)
		} else if !seen[at] {
			todo = append(todo, l.parents[at]...)
		}
		seen[at] = true
	}
	return newest, true
}

// Since is the place of the oldest commit of the chain that contains a commit:
// its own, or the merge that brought it. ok is false where none does.
func (l *Ledger) Since(id string) (index int, ok bool) {
	if i, on := l.Place(id); on {
		return i, true
	}
	for i, c := range l.Chain {
		if len(c.Parents) > 1 && l.reaches(c.Parents[1:], id) {
			return i, true
		}
	}
	return 0, false
}

// reaches walks what lies off the chain, from these commits down.
func (l *Ledger) reaches(from []string, id string) bool {
	todo, seen := slices.Clone(from), map[string]bool{}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == id {
			return true
		}
		if _, on := l.Place(at); !on && !seen[at] {
			todo = append(todo, l.parents[at]...)
		}
		seen[at] = true
	}
	return false
}

// Changed is what the commits above one changed, net, by path.
func (l *Ledger) Changed(above string) []object.Change {
	i, ok := l.Place(above)
	if !ok {
		return nil
	}
	return l.Net(i, len(l.Chain)-1)
}

// Net is what the chain changed above one of its places up to another, net, by
// path; -1 is the base.
func (l *Ledger) Net(above, upTo int) []object.Change {
	s := &span{}
	for _, c := range l.Chain[above+1 : upTo+1] {
		s.add(c)
	}
	return s.net()
}
