package stash

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash/place"
)

// Fit refuses paths that no commit can preserve: with something on disk that
// git does not store, or inside, at or above a repository of its own. A
// submodule of the index fits: its commit is preserved, its folder never moves.
func (s *Store) Fit(entries []object.IndexEntry, paths []string) error {
	disk, modules := s.Disk(""), submodules(entries)
	for _, p := range paths {
		p = strings.TrimSuffix(p, "/") // git status names a repository of its own so
		f, err := disk.Look(p)
		if err != nil {
			return err
		}
		if modules[p] && f.Mode == object.ModeTree {
			continue
		}
		if err := fit(disk, p, f); err != nil {
			return err
		}
	}
	return nil
}

func fit(disk place.Disk, p string, f place.File) error {
	if !place.Clean(p) {
		return &Refusal{Reason: fmt.Sprintf("%q is no path of a file in this repository", p)}
	}
	if nested := disk.Nested(p); nested != "" {
		return ownRepository(disk, nested)
	}
	switch f.Mode {
	case place.ModeOdd:
		return &Refusal{Reason: fmt.Sprintf("%q is a pipe, socket or device, which git cannot preserve; nothing was moved", p),
			Hints: []string{"rm -- " + place.Quote(filepath.Join(disk.Top, filepath.FromSlash(p)))}}
	case object.ModeTree:
		_, nested, err := disk.Below(p)
		if err != nil {
			return fmt.Errorf("look below %q: %w", p, err)
		}
		if len(nested) > 0 {
			return ownRepository(disk, nested[0])
		}
	}
	return nil
}

// ownRepository names the folder in full: the reader may be anywhere below the
// top.
func ownRepository(disk place.Disk, p string) error {
	dir := filepath.Join(disk.Top, filepath.FromSlash(p))
	return &Refusal{Reason: fmt.Sprintf("%q is a repository of its own, which git would replace in silence; nothing was moved", p),
		Hints: []string{"git -C " + place.Quote(dir) + " status",
			"mv -- " + place.Quote(dir) + " " + place.Quote(filepath.Join(filepath.Dir(disk.Top), path.Base(p)))}}
}

// submodules are the paths at which an index has one.
func submodules(entries []object.IndexEntry) map[string]bool {
	found := map[string]bool{}
	for _, e := range entries {
		if e.Mode == object.ModeGitlink {
			found[e.Path] = true
		}
	}
	return found
}

// FitIndex refuses conflicts, and submodules below or above the paths.
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
		if e.Mode != object.ModeGitlink {
			continue
		}
		touched := above[e.Path]
		for _, dir := range place.Parents(e.Path) {
			touched = touched || ours[dir]
		}
		if touched {
			return &Refusal{Reason: fmt.Sprintf("%q is a submodule, whose content a commit here cannot preserve", e.Path),
				Hints: []string{"git -C " + place.Quote(e.Path) + " status"}}
		}
	}
	return nil
}
