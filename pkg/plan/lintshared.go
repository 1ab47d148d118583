package plan

import (
	"slices"
	"strconv"
	"strings"
)

// entry is one place of a plan that names paths.
type entry struct {
	pattern
	step, index int
}

// judgeShared finds steps that touch the same path, unless the earlier one is
// said to hold only until the later.
func (l *linter) judgeShared() {
	exacts := map[string][]entry{}
	var wide, all []entry
	for i, p := range l.touches {
		for n, pattern := range p.patterns {
			e := entry{pattern, i, n}
			if pattern.kind == exact {
				exacts[pattern.text] = append(exacts[pattern.text], e)
			} else {
				wide = append(wide, e)
			}
			all = append(all, e)
		}
	}
	told := map[[2]int]bool{}
	meet := l.meetings(wide, all)
	for _, same := range exacts {
		for _, later := range same[1:] {
			l.shared(same[0], later, told)
		}
	}
	for _, a := range wide {
		for _, b := range all {
			earlier, later := a, b
			if b.step < a.step {
				earlier, later = b, a
			}
			pair := [2]int{earlier.step, later.step}
			if a.step != b.step && !told[pair] && overlap(a.pattern, b.pattern, meet) {
				l.shared(earlier, later, told)
			}
		}
	}
}

func (l *linter) shared(earlier, later entry, told map[[2]int]bool) {
	pair := [2]int{earlier.step, later.step}
	first, second := l.plan.Steps[earlier.step], l.plan.Steps[later.step]
	if _, until := l.plan.Step(first.Until); earlier.step == later.step || told[pair] || first.Until != "" && until <= later.step {
		return
	}
	told[pair] = true
	l.add(later.step, l.entryNode(later.step, "touches", later.index), LintShared,
		"give each step paths of its own, or say `until: "+second.ID+"` on "+first.ID+" if its check need not hold longer",
		"%q is touched by step %s too: its check runs again, and may fail, once this step is done", second.Touches[later.index], first.ID)
}

// overlap reports whether two entries name a common path, as far as can be told:
// two globs do where a file of the tree matches both.
func overlap(a, b pattern, meet *meetings) bool {
	if b.kind == glob {
		a, b = b, a
	}
	switch {
	case a.kind != glob: // a folder, and a path or folder
		return a.text == b.text || below(a.text, b.text) || below(b.text, a.text)
	case b.kind == exact && a.match(b.text), b.kind != glob && (a.prefix == b.text || below(a.prefix, b.text)):
		return true
	case b.kind == glob && a.text == b.text:
		return true
	}
	return meet.of(a, b)
}

// meetings is made for the globs, and what they are compared with.
func (l *linter) meetings(wide, all []entry) *meetings {
	if !slices.ContainsFunc(wide, func(e entry) bool { return e.kind == glob }) {
		return nil // nothing is asked
	}
	var patterns []pattern
	for _, e := range all {
		patterns = append(patterns, e.pattern)
	}
	return newMeetings(patterns, &l.tracked)
}

// meetings says which patterns have a file of the tree in common. It is made
// in one walk of the tree: asked pair by pair, each pair would walk it.
type meetings struct {
	number map[pattern]int
	common []bool // a square
}

func newMeetings(patterns []pattern, tracked *PathSet) *meetings {
	m := &meetings{number: map[pattern]int{}}
	var all []pattern
	rooted := map[string][]int{} // by the folder, or path, that all matches lie in
	for _, p := range patterns {
		if _, known := m.number[p]; known {
			continue
		}
		m.number[p] = len(all)
		rooted[p.root()] = append(rooted[p.root()], len(all))
		all = append(all, p)
	}
	m.common = make([]bool, len(all)*len(all))
	seen := map[string]bool{} // many files are of one and the same patterns
	var matching []int
	for file := range tracked.under("") {
		matching = matching[:0]
		for root := range ancestors(file) {
			for _, n := range rooted[root] {
				if all[n].match(file) {
					matching = append(matching, n)
				}
			}
		}
		if len(matching) > 1 {
			m.meet(matching, seen)
		}
	}
	return m
}

// meet notes that these patterns match one file.
func (m *meetings) meet(matching []int, seen map[string]bool) {
	var key strings.Builder
	for _, n := range matching {
		key.WriteString(strconv.Itoa(n) + " ")
	}
	if seen[key.String()] {
		return
	}
	seen[key.String()] = true
	size := len(m.number)
	for _, a := range matching {
		for _, b := range matching {
			m.common[a*size+b] = true
		}
	}
}

func (m *meetings) of(a, b pattern) bool { return m.common[m.number[a]*len(m.number)+m.number[b]] }

// root is what every match is, or lies below.
func (p pattern) root() string {
	if p.kind == glob {
		return p.prefix
	}
	return p.text
}

// ancestors yields the top, each folder above a path, and the path.
func ancestors(file string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if !yield("") {
			return
		}
		for at := 0; ; at++ {
			next := strings.IndexByte(file[at:], '/')
			if next < 0 {
				yield(file)
				return
			}
			at += next
			if !yield(file[:at]) {
				return
			}
		}
	}
}
