package run

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
)

// putAway adds the commands that take tracked changes out of the way.
func (s *session) putAway(f *Failure, status []object.FileStatus, paths []string) *Failure {
	known := byPath(status)
	modules, rest := split(known, paths)
	swapped := only(rest, func(path string) bool { return known[path].Submodule() })
	rest = without(rest, sortedUnion(swapped))
	if len(rest) > 0 {
		f = f.hint("%s", s.putAside(stashing(status, rest), ""))
	}
	if len(swapped) > 0 { // git stash leaves a file where a submodule was, unless it is staged
		f = f.hint("git add -- %s && git stash push -- %s", pathspecs(swapped), pathspecs(swapped))
	}
	return s.hintModules(f, known, modules)
}

// hintModules: the index entry and the folder of a submodule go back each by its
// own command, and one that HEAD does not have has to make room.
func (s *session) hintModules(f *Failure, status map[string]object.FileStatus, modules []string) *Failure {
	added := only(modules, func(path string) bool { return status[path].HeadMode != object.ModeGitlink })
	for _, path := range added {
		f = f.hint("%s", s.store.Disk("").MoveAside(path, " && git restore --staged --worktree -- "+pathspecs([]string{path})))
	}
	modules = without(modules, sortedUnion(added))
	staged := only(modules, func(path string) bool { return status[path].Staged != '.' })
	if len(staged) > 0 {
		f = f.hint("git restore --staged -- %s", pathspecs(staged))
	}
	for _, path := range modules {
		switch one := status[path]; {
		case one.Unpopulated: // git in there would speak of this repository
			f = f.hint("%s", s.store.Disk("").Empty(path))
		case one.DirtyInside():
			f = f.hint("git -C %s status", quoteArg(s.at(path)))
		}
	}
	if len(modules) > 0 {
		f = f.hint("%s", s.updateModules(modules))
	}
	return f
}

func (s *session) updateModules(paths []string) string {
	return "git -C " + quoteArg(s.Place.Top) + " submodule update -- " + quoteArgs(paths)
}

func only(paths []string, keep func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !keep(path) })
}
