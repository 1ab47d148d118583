package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/go-multierror"
)

// Paths matches the paths that a list of touches or reads names. The zero
// value matches nothing.
//
// An entry `x` is that path or, where it is a directory, everything below it;
// `x/` and `x/**` are everything below x. An entry with `*`, `?` or `**` is a
// glob over the whole path: `**/` stands for any number of folders, none
// included, a last `**` and what follows a closing slash for everything below.
// A leading dot is nothing special. Paths are compared byte by byte, as git
// stores them.
type Paths struct{ patterns []pattern }

// pattern is one compiled entry.
type pattern struct {
	kind   patternKind
	text   string // the path or directory without a closing slash; glob: for doublestar
	prefix string // glob: the folder that every match lies in, "" for the top
	suffix string // glob: what every match ends in
}

type patternKind int

const (
	exact     patternKind = iota // x: the path, or all below it
	directory                    // x/, x/**: all below it
	glob
)

// CompilePaths compiles entries as written in a plan; the error names every
// entry that the grammar refuses (the design, section 5).
func CompilePaths(patterns []string) (Paths, error) {
	faults := &multierror.Error{ErrorFormat: oneLineEach}
	var out Paths
	for _, text := range patterns {
		if err := checkPattern(text); err != nil {
			faults = multierror.Append(faults, fmt.Errorf("path %q %w", text, err))
			continue
		}
		out.patterns = append(out.patterns, compilePattern(text))
	}
	if err := faults.ErrorOrNil(); err != nil {
		return Paths{}, err
	}
	return out, nil
}

func compilePattern(text string) pattern {
	for strings.Contains(text, "**/**") { // doublestar reads a/**/** unlike a/**
		text = strings.ReplaceAll(text, "**/**", "**")
	}
	text, isDir := strings.CutSuffix(text, "/")
	if top, below := strings.CutSuffix(text, "/**"); below && !isDir {
		text, isDir = top, true
	}
	switch literal := !strings.ContainsAny(text, "*?"); {
	case literal && isDir:
		return pattern{kind: directory, text: text}
	case literal:
		return pattern{kind: exact, text: text}
	}
	if text == "**" || strings.HasSuffix(text, "/**") {
		text += "/*" // doublestar's own last ** matches nothing as well, but not always
	}
	if isDir {
		text += "/**/*"
	}
	return compileGlob(text)
}

// compileGlob finds what every match begins and ends with, so that most paths
// are told apart without running the glob.
func compileGlob(text string) pattern {
	first, last := strings.IndexAny(text, "*?"), strings.LastIndexAny(text, "*?")
	p := pattern{kind: glob, text: escaper.Replace(text), suffix: text[last+1:]}
	if slash := strings.LastIndexByte(text[:first], '/'); slash >= 0 {
		p.prefix = text[:slash]
	}
	// "a/**/b" also matches "a/b": the slash belongs to the folders.
	if strings.HasSuffix(text[:last+1], "**") {
		p.suffix = strings.TrimPrefix(p.suffix, "/")
	}
	return p
}

// escaper keeps literal what doublestar would read as a class or as
// alternatives.
var escaper = strings.NewReplacer("[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`)

// Match reports whether an entry names the path of a file.
func (p Paths) Match(path string) bool {
	return slices.ContainsFunc(p.patterns, func(q pattern) bool { return q.match(path) })
}

func (q pattern) match(path string) bool {
	switch q.kind {
	case exact:
		return path == q.text || below(path, q.text)
	case directory:
		return below(path, q.text)
	default:
		return strings.HasSuffix(path, q.suffix) && doublestar.MatchUnvalidated(q.text, path)
	}
}

// below reports whether path lies in the folder dir, at any depth.
func below(path, dir string) bool {
	return len(path) > len(dir)+1 && path[len(dir)] == '/' && path[:len(dir)] == dir
}

// Exact reports whether an entry spells the path out, neither by a glob nor by
// a directory above it.
func (p Paths) Exact(path string) bool {
	return slices.ContainsFunc(p.patterns, func(q pattern) bool { return q.kind == exact && q.text == path })
}

// Empty reports whether there is no entry, so that nothing can match.
func (p Paths) Empty() bool { return len(p.patterns) == 0 }

// Below lists the files and folders that every match is one of or lies in; nil
// is everywhere.
func (p Paths) Below() []string {
	var below []string
	for _, q := range p.patterns {
		if q.kind == glob && q.prefix == "" {
			return nil
		}
		if q.kind == glob {
			below = append(below, q.prefix)
		} else {
			below = append(below, q.text)
		}
	}
	return below
}

// Touches reports whether any path of the set matches. Paths and directories
// cost one look-up each, whatever the size of the set; a glob is tried on the
// paths below its literal prefix.
func (p Paths) Touches(s *PathSet) bool {
	return slices.ContainsFunc(p.patterns, func(q pattern) bool { return q.touches(s) })
}

func (q pattern) touches(s *PathSet) bool {
	switch q.kind {
	case exact:
		return s.Has(q.text) || s.HasUnder(q.text)
	case directory:
		return s.HasUnder(q.text)
	default:
		for path := range s.under(q.prefix) {
			if q.match(path) {
				return true
			}
		}
		return false
	}
}
