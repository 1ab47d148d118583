package landing

import (
	"regexp"
	"slices"
	"sync"

	"github.com/git-agent/git-agent/pkg/object"
)

// reverts matches the sentence of git-revert(1); of a merge it goes on with
// ", reversing changes made to …". `Reapply` has it too.
var reverts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*This reverts commit ([0-9a-f]{40}(?:[0-9a-f]{24})?)\b`)
})

// Reverts knows which commits of a history take which back.
type Reverts struct{ by map[string][]string }

// ReadReverts reads the messages of a history, oldest first.
func ReadReverts(history []object.Commit) Reverts {
	r := Reverts{by: map[string][]string{}}
	for _, c := range history {
		for _, m := range reverts().FindAllStringSubmatch(c.Message, -1) {
			r.Add(c.ID, m[1])
		}
	}
	return r
}

// Add notes that a commit takes another one back, however that was found out.
func (r Reverts) Add(by, what string) {
	if what != "" && by != what && !slices.Contains(r.by[what], by) {
		r.by[what] = append(r.by[what], by)
	}
}

// Of is the commit that takes id back and stands itself; "" where none does. A
// revert that was reverted in its turn took nothing back.
func (r Reverts) Of(id string) string { return r.standing(id, map[string]bool{id: true}) }

func (r Reverts) standing(id string, seen map[string]bool) string {
	for _, by := range slices.Backward(r.by[id]) {
		if seen[by] {
			continue
		}
		seen[by] = true
		if r.standing(by, seen) == "" {
			return by
		}
	}
	return ""
}
