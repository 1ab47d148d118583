package trace

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Use is what a check uses of a tree; paths are relative to its top.
type Use struct {
	Read    []string // files that were read
	Listed  []string // folders whose names were read; "" is the top
	Tracked []string // all files of the tree
	// Covered reports what the step declares already; nil: nothing.
	Covered func(path string) bool
}

// Propose gives the entries of `reads` that cover the use: a file each, `x/*`
// for a folder whose names matter, `x/**` where everything below is used. It is
// empty where what the step declares is enough.
func Propose(u Use) []string {
	if u.Covered == nil {
		u.Covered = func(string) bool { return false }
	}
	top := &folder{}
	for _, name := range u.Tracked {
		top.at(path.Dir(name)).files = append(top.at(path.Dir(name)).files, name)
	}
	read := map[string]bool{}
	for _, name := range u.Read {
		read[name] = true
	}
	for _, dir := range u.Listed {
		top.at(dir).listed = true
	}
	p := &proposal{covered: u.Covered, read: read}
	p.walk(top)
	slices.Sort(p.entries)
	return slices.Compact(p.entries)
}

// folder is one directory of the tree.
type folder struct {
	name   string // "" at the top
	files  []string
	kids   map[string]*folder
	listed bool
}

func (f *folder) at(dir string) *folder {
	if dir == "." || dir == "" {
		return f
	}
	for part := range strings.SplitSeq(dir, "/") {
		kid := f.kids[part]
		if kid == nil {
			if f.kids == nil {
				f.kids = map[string]*folder{}
			}
			kid = &folder{name: strings.TrimPrefix(f.name+"/"+part, "/")}
			f.kids[part] = kid
		}
		f = kid
	}
	return f
}

// under is a name below the folder.
func (f *folder) under(name string) string { return strings.TrimPrefix(f.name+"/"+name, "/") }

// proposal is what is found while the tree is walked.
type proposal struct {
	covered func(string) bool
	read    map[string]bool
	entries []string
}

// missing are the files right here that are read and not declared, and whether
// the folder's names are.
func (p *proposal) missing(f *folder) (files []string, names bool) {
	for _, name := range f.files {
		if p.read[name] && !p.covered(name) {
			files = append(files, name)
		}
	}
	return files, f.listed && !p.covered(f.under("any"))
}

// count says how much is missing in a folder and below.
func (p *proposal) count(f *folder) (files, names int) {
	missing, listed := p.missing(f)
	files = len(missing)
	if listed {
		names++
	}
	for _, kid := range f.kids {
		more, moreNames := p.count(kid)
		files, names = files+more, names+moreNames
	}
	return files, names
}

// whole: everything in the folder and below is used, or declared.
func (p *proposal) whole(f *folder) bool {
	unused := func(name string) bool { return !p.read[name] && !p.covered(name) }
	if !f.listed && slices.ContainsFunc(f.files, unused) {
		return false
	}
	for _, kid := range f.kids {
		if !p.whole(kid) {
			return false
		}
	}
	return true
}

func (p *proposal) walk(f *folder) {
	files, names := p.count(f)
	switch {
	case files+names == 0:
		return
	case (files > 1 || names > 0 && len(f.kids) > 0) && p.whole(f):
		p.entries = append(p.entries, f.under("**"))
		return
	}
	here, listed := p.missing(f)
	if listed {
		here = []string{f.under("*")}
	}
	p.entries = append(p.entries, here...)
	for _, kid := range f.kids {
		p.walk(kid)
	}
}

// Groups sums up paths by the folders they lie in: at most `most` of them, each
// as deep as that allows, with the number of paths below.
func Groups(paths []string, most int) map[string]int {
	groups := map[string][]string{"/": paths}
	for {
		name, finer := widest(groups)
		if name == "" || len(groups)-1+len(finer) > most {
			break
		}
		delete(groups, name)
		for kid, below := range finer {
			groups[kid] = append(groups[kid], below...)
		}
	}
	counts := make(map[string]int, len(groups))
	for name, below := range groups {
		if len(below) > 0 {
			counts[name] = len(below)
		}
	}
	return counts
}

// widest is the group that splits into the fewest, "" where none splits.
func widest(groups map[string][]string) (name string, finer map[string][]string) {
	for _, candidate := range slices.Sorted(maps.Keys(groups)) {
		split := map[string][]string{}
		for _, p := range groups[candidate] {
			rest := strings.TrimPrefix(strings.TrimPrefix(p, candidate), "/")
			part, _, _ := strings.Cut(rest, "/")
			kid := path.Join(candidate, part)
			split[kid] = append(split[kid], p)
		}
		if len(split) == 0 || split[candidate] != nil {
			continue // empty, or a path itself
		}
		if name == "" || len(split) < len(finer) {
			name, finer = candidate, split
		}
	}
	return name, finer
}
