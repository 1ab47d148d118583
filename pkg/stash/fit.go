package stash

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// Fit refuses paths that no commit can preserve: with something on disk that
// git does not store, or inside, at or above a repository of its own. A submodule
// of the index among them fits: its commit is preserved, its folder never moves,
// and nothing below it is of this repository.
func (s *Store) Fit(entries []object.IndexEntry, paths []string) error {
	disk, modules := s.Disk(""), submodules(entries, paths)
	for _, p := range paths {
		p = strings.TrimSuffix(p, "/") // git status names a repository of its own so
		if modules.below(p) {
			continue
		}
		f, err := disk.Look(p)
		if err != nil {
			return err
		}
		if err := fit(disk, p, f, modules); err != nil {
			return err
		}
	}
	return nil
}

func fit(disk place.Disk, p string, f place.File, modules among) error {
	switch {
	case !place.Clean(p):
		return &Refusal{Reason: fmt.Sprintf("%q is no path of a file in this repository", p)}
	case modules[p] && f.Mode == object.ModeTree:
		return nil
	case disk.Nested(p) != "":
		return place.OwnRepository(disk, disk.Nested(p))
	case f.Mode == place.ModeOdd:
		return &Refusal{Reason: fmt.Sprintf("%q is a pipe, socket or device, which git cannot preserve; nothing was moved", p),
			Hints: []string{"rm -- " + place.Quote(filepath.Join(disk.Top, filepath.FromSlash(p)))}}
	case f.Mode != object.ModeTree:
		return nil
	}
	_, nested, err := disk.Below(p)
	if err != nil {
		return fmt.Errorf("look below %q: %w", p, err)
	}
	for _, n := range nested {
		if !modules[n] && !modules.below(n) {
			return place.OwnRepository(disk, n)
		}
	}
	return nil
}

// among are the submodules of an index that are among some paths.
type among map[string]bool

func submodules(entries []object.IndexEntry, paths []string) among {
	found := among{}
	for _, e := range entries {
		if e.Mode == object.ModeGitlink && slices.Contains(paths, e.Path) {
			found[e.Path] = true
		}
	}
	return found
}

func (a among) below(p string) bool {
	return slices.ContainsFunc(place.Parents(p), func(dir string) bool { return a[dir] })
}

// FitIndex refuses conflicts, and submodules below or above the paths that are
// not among them.
func FitIndex(entries []object.IndexEntry, paths []string) error {
	ours := make(map[string]bool, len(paths))
	above := make(map[string]bool)
	for _, p := range paths {
		ours[p] = true
		for _, dir := range place.Parents(p) {
			above[dir] = true
		}
	}
	for _, e := range entries {
		if e.Stage != 0 {
			return &Refusal{Reason: fmt.Sprintf("%q is in conflict", e.Path), Hints: []string{"git status"}}
		}
		if e.Mode != object.ModeGitlink || ours[e.Path] {
			continue
		}
		touched := above[e.Path]
		for _, dir := range place.Parents(e.Path) {
			touched = touched || ours[dir]
		}
		if touched {
			return &Refusal{Reason: fmt.Sprintf("%q is a submodule, whose content a commit here cannot preserve", e.Path),
				Hints: []string{"git status", "git restore --staged -- " + place.Quote(":(top,literal)"+e.Path)}}
		}
	}
	return nil
}
