package plan

import (
	"iter"
	"slices"
	"strings"
)

// PathSet is a mutable set of paths that also knows, for every directory, how
// many of them lie below. The zero value is the empty set; it is not safe for
// concurrent use.
type PathSet struct{ top folder }

// folder is one component of the tree of paths: a directory, a path of the set,
// or both (a file that became a directory is both while two trees are compared).
type folder struct {
	kids   map[string]*folder
	path   string // the whole path, set only while member is
	member bool
	below  int // paths of the set strictly below
}

// Add puts a path into the set; a path that is there already is not counted twice.
func (s *PathSet) Add(path string) {
	if s.Has(path) {
		return
	}
	at := &s.top
	for part := range strings.SplitSeq(path, "/") {
		at.below++
		kid := at.kids[part]
		if kid == nil {
			if at.kids == nil {
				at.kids = map[string]*folder{}
			}
			kid = &folder{}
			at.kids[part] = kid
		}
		at = kid
	}
	at.member, at.path = true, path
}

// Remove takes a path out of the set; one that is not there changes nothing.
func (s *PathSet) Remove(path string) {
	if !s.Has(path) {
		return
	}
	s.top.remove(path, path)
}

// remove takes out the path whose remaining components are rest, and the
// folders that nothing needs any more.
func (f *folder) remove(path, rest string) {
	part, rest, more := strings.Cut(rest, "/")
	kid := f.kids[part]
	f.below--
	if more {
		kid.remove(path, rest)
	} else {
		kid.member, kid.path = false, ""
	}
	if !kid.member && kid.below == 0 {
		delete(f.kids, part)
	}
}

// Has reports whether the path itself is in the set.
func (s *PathSet) Has(path string) bool {
	at := s.find(path)
	return at != nil && at.member
}

// HasUnder reports whether a path of the set lies strictly below dir, which is
// written without a closing slash; "" is the top.
func (s *PathSet) HasUnder(dir string) bool {
	at := s.find(dir)
	return at != nil && at.below > 0
}

// Len is the number of paths.
func (s *PathSet) Len() int { return s.top.below }

// All yields every path, sorted byte by byte. The set must not change meanwhile.
func (s *PathSet) All() iter.Seq[string] {
	return slices.Values(slices.Sorted(s.under("")))
}

// find is the folder of a path, nil where no path of the set needs it.
func (s *PathSet) find(path string) *folder {
	at := &s.top
	if path == "" {
		return at
	}
	for at != nil {
		part, rest, more := strings.Cut(path, "/")
		at = at.kids[part]
		if !more {
			break
		}
		path = rest
	}
	return at
}

// under yields the paths strictly below dir in no order.
func (s *PathSet) under(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if at := s.find(dir); at != nil {
			at.each(yield)
		}
	}
}

// each yields the paths strictly below f and reports whether to go on.
func (f *folder) each(yield func(string) bool) bool {
	for _, kid := range f.kids {
		if kid.member && !yield(kid.path) {
			return false
		}
		if !kid.each(yield) {
			return false
		}
	}
	return true
}
