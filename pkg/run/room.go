package run

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// needRoom refuses a move of the working tree, by git, that would write over an
// ignored file or take away a folder of such: git does both without a word.
func (s *session) needRoom(ctx context.Context, from, to, again string) error {
	if from == to || s.Place.Top == "" {
		return nil
	}
	changes, err := s.Git.DiffTrees(ctx, from, to)
	if err != nil {
		return err
	}
	return s.roomFor(ctx, changes, from, to, again)
}

// roomFor is needRoom where what the move changes is known.
func (s *session) roomFor(ctx context.Context, changes []object.Change, from, to, again string) error {
	r := room{session: s, to: to, gone: modulesReplaced(changes)}
	for _, c := range changes {
		if err := r.look(c); err != nil {
			return err
		}
	}
	ignored, err := s.Git.Ignored(ctx, sortedUnion(r.ask))
	if err != nil {
		return fmt.Errorf("ask which paths are ignored: %w", err)
	}
	if ignored, err = s.unlike(ctx, ignored, from, to); err != nil {
		return err
	}
	taken := r.whole(sortedUnion(r.taken, ignored))
	if len(taken) == 0 {
		return nil
	}
	return failf("IN_THE_WAY", ExitPerson, "%s here, which git would replace without a word: %s; nothing was moved",
		counted(len(taken), "ignored path"), listPaths(taken)).
		hint("%s   # then: %s", s.moveAside(taken), again)
}

// room is what lies where a move needs room.
type room struct {
	*session
	to    string
	ask   []string            // in the way if git ignores them
	taken []string            // in the way in any case
	gone  []string            // submodules in whose place the move puts a folder
	below map[string][]string // by folder that has to give way: all that it holds
}

// look: only where the move makes something can it meet what is not tracked,
// and where it puts a file or a folder in the place of a submodule.
func (r *room) look(c object.Change) error {
	if slices.Contains(r.gone, c.Path) {
		return r.module(c.Path)
	}
	if slices.ContainsFunc(r.gone, func(m string) bool { return strings.HasPrefix(c.Path, m+"/") }) {
		return nil // what lies there is the submodule's
	}
	module := c.OldMode == object.ModeGitlink && c.NewMode != object.ModeGitlink
	if c.NewMode == object.ModeNone || c.OldMode != object.ModeNone && !module {
		return nil
	}
	blocker, err := r.store.Disk(r.to).Blocker(c.Path)
	if err != nil {
		return err
	}
	if blocker != "" {
		r.ask = append(r.ask, blocker)
		return nil
	}
	f, err := r.store.Disk(r.to).Look(c.Path)
	switch {
	case err != nil || f.Absent():
		return err
	case f.Mode != object.ModeTree:
		r.ask = append(r.ask, c.Path)
	case c.NewMode != object.ModeGitlink:
		return r.folder(c.Path, module)
	}
	return nil
}

// folder: git takes away a repository of its own with the rest. What was a
// submodule is nothing of which git could be asked.
func (r *room) folder(dir string, module bool) error {
	files, nested, err := r.store.Disk(r.to).Below(dir)
	if err != nil {
		return fmt.Errorf("look below %q: %w", dir, err)
	}
	files = slices.DeleteFunc(files, func(f string) bool {
		return slices.ContainsFunc(nested, func(n string) bool { return strings.HasPrefix(f, n+"/") })
	})
	r.taken = append(r.taken, nested...)
	if module {
		r.taken = append(r.taken, files...)
	} else {
		r.ask = append(r.ask, files...)
	}
	if r.below == nil {
		r.below = map[string][]string{}
	}
	r.below[dir] = append(files, nested...)
	return nil
}

// whole names a folder instead of all that it holds.
func (r *room) whole(taken []string) []string {
	for dir, held := range r.below {
		if len(held) == 0 || len(without(sortedUnion(held), taken)) > 0 {
			continue
		}
		taken = slices.DeleteFunc(slices.Clone(taken), func(p string) bool { return p == dir || strings.HasPrefix(p, dir+"/") })
		taken = append(taken, dir)
	}
	return sortedUnion(taken)
}

// unlike are those of the ignored files that are not as the move makes them
// anyway, as one is that a kill cut off.
func (s *session) unlike(ctx context.Context, ignored []string, from, to string) ([]string, error) {
	if len(ignored) == 0 {
		return nil, nil
	}
	now, err := s.snapshot(ctx, from, ignored)
	if err != nil {
		return nil, err
	}
	otherwise, err := s.changedBetween(ctx, to, now)
	return slices.DeleteFunc(ignored, func(p string) bool { return !otherwise[p] }), err
}

// moveAside is the command that takes paths to a new folder beside the working
// tree, each below its own name: beside them they might be somebody's change.
func (s *session) moveAside(paths []string) string {
	aside := s.Place.Top + "-aside"
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); err != nil {
			break
		}
		aside = fmt.Sprintf("%s-aside-%d", s.Place.Top, n)
	}
	made := []string{aside}
	var moves []string
	for _, p := range paths {
		to := filepath.Join(aside, filepath.FromSlash(path.Dir(p)))
		made = append(made, to)
		moves = append(moves, "mv -- "+quoteArg(s.at(p))+" "+quoteArg(to+"/"))
	}
	return "mkdir -p -- " + quoteArgs(sortedUnion(made)) + " && " + strings.Join(moves, " && ")
}
