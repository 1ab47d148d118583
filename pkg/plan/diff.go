package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DifferenceKind says what became of a step, or that a field changed.
type DifferenceKind string

// What [Diff] finds.
const (
	Added   DifferenceKind = "added"
	Removed DifferenceKind = "removed"
	Moved   DifferenceKind = "moved"
	Changed DifferenceKind = "changed"
)

// Difference is one difference between two plans. Steps are told apart by id:
// a renamed step is one removed and one added.
type Difference struct {
	Kind  DifferenceKind
	Step  string // the step's id; "" for a field of the plan itself
	Field string // the changed field, named as in YAML; "" for a whole step
	// Old and New are the values of a changed field, "" where not said. A
	// step added or removed has its title there, a moved one the step that
	// it stood and stands behind, "" for none.
	Old, New string
}

// String is the difference on one line.
func (d Difference) String() string {
	subject := "plan"
	if d.Step != "" {
		subject = "step " + d.Step
	}
	switch d.Kind {
	case Added:
		return fmt.Sprintf("%s added: %s", subject, printable(d.New))
	case Removed:
		return fmt.Sprintf("%s removed: %s", subject, printable(d.Old))
	case Moved:
		return fmt.Sprintf("%s moved: was %s, is %s", subject, standsBehind(d.Old), standsBehind(d.New))
	default:
		return fmt.Sprintf("%s: %s changed: %s -> %s", subject, d.Field, said(d.Old), said(d.New))
	}
}

func standsBehind(id string) string {
	if id == "" {
		return "first"
	}
	return "after " + id
}

func said(value string) string {
	if value == "" {
		return "none"
	}
	return printable(value)
}

// Diff lists what changed from one plan to another: the plan's own fields,
// steps removed, then the steps of the new plan in their order.
func Diff(before, after *Plan) []Difference {
	out := changes("", planFields(before), planFields(after))
	for _, s := range before.Steps {
		if _, i := after.Step(s.ID); i < 0 {
			out = append(out, Difference{Kind: Removed, Step: s.ID, Old: s.Title})
		}
	}
	stayed := inOrder(before, after)
	for i, s := range after.Steps {
		was, at := before.Step(s.ID)
		if was == nil {
			out = append(out, Difference{Kind: Added, Step: s.ID, New: s.Title})
			continue
		}
		if !stayed[s.ID] {
			out = append(out, Difference{Kind: Moved, Step: s.ID, Old: idBefore(before, at), New: idBefore(after, i)})
		}
		out = append(out, changes(s.ID, stepFields(was), stepFields(&s))...)
	}
	return out
}

func idBefore(p *Plan, i int) string {
	if i == 0 {
		return ""
	}
	return p.Steps[i-1].ID
}

// inOrder is the largest set of common steps that stand in the same order in
// both plans, so that one step pulled to the front is one move, not many: a
// longest increasing subsequence of the old positions.
func inOrder(before, after *Plan) map[string]bool {
	position := make(map[string]int, len(before.Steps))
	for i, s := range before.Steps {
		position[s.ID] = i
	}
	type link struct {
		id       string
		position int
		previous *link
	}
	var ends []*link // ends[n]: the run of n+1 steps that ends at the lowest position
	for _, s := range after.Steps {
		at, common := position[s.ID]
		if !common {
			continue
		}
		n, _ := slices.BinarySearchFunc(ends, at, func(l *link, at int) int { return l.position - at })
		next := &link{id: s.ID, position: at}
		if n > 0 {
			next.previous = ends[n-1]
		}
		ends = append(ends[:n:n], append([]*link{next}, ends[min(n+1, len(ends)):]...)...)
	}
	stayed := map[string]bool{}
	if len(ends) > 0 {
		for l := ends[len(ends)-1]; l != nil; l = l.previous {
			stayed[l.id] = true
		}
	}
	return stayed
}

// field is one field as text, so that all kinds are compared and shown alike.
type field struct{ name, value string }

func changes(step string, before, after []field) []Difference {
	var out []Difference
	for i, f := range after {
		if old := before[i].value; old != f.value {
			out = append(out, Difference{Changed, step, f.name, old, f.value})
		}
	}
	return out
}

func planFields(p *Plan) []field {
	return []field{
		{"title", p.Title}, {"base", p.Base}, {"target", p.Target},
		{"setup", listText(p.Setup)}, {"fingerprint", listText(p.Fingerprint)},
		{"stray", p.Stray}, {"pass_env", listText(p.PassEnv)},
	}
}

func stepFields(s *Step) []field {
	checks := make([]string, len(s.Check))
	for i, c := range s.Check {
		checks[i] = c.String()
	}
	return []field{
		{"title", s.Title}, {"item", s.Item},
		{"touches", listText(s.Touches)}, {"reads", listText(s.Reads)},
		{"check", listText(checks)}, {"do", s.Do}, {"brief", s.Brief}, {"until", s.Until},
		{"confirm", strconv.Itoa(s.Confirm)}, {"retry", strconv.Itoa(s.Retry)},
		{"fixpoint", flagText(s.Fixpoint)}, {"keep_partial", flagText(s.KeepPartial)},
		{"isolate", flagText(s.Isolate)}, {"land", flagText(s.Land)},
	}
}

func flagText(b bool) string { return strconv.FormatBool(b) }

// listText writes a list so that no two lists look alike; "" for an empty one.
func listText(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = strconv.Quote(s)
	}
	return strings.Join(quoted, ", ")
}
