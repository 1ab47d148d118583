package run

import (
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// A submodule is an index entry, which is moved, preserved and certified like
// any other path, and a folder with a repository of its own, which no command
// here ever moves: its checked out commit then differs from the entry.

// laggingModule reports a submodule whose folder is at another commit than the
// index, and nobody staged that. After a switch or a pull that says nothing,
// so it is only somebody's work where an attempt, or a person, says so.
func laggingModule(f object.FileStatus) bool { return f.Submodule() && f.Staged == '.' }

// claimed refuses work that nobody claims and that a submodule is part of: the
// checks would see its folder, which may be older than the branch.
func (s *session) claimed(w *work, v *survey) error {
	var lagging []string
	for _, path := range v.mine {
		if w.found && laggingModule(v.status[path]) {
			lagging = append(lagging, path)
		}
	}
	if len(lagging) == 0 {
		return nil
	}
	return failf("REFUSED", ExitPerson, "step %s: the submodule %s is at another commit than here, and no attempt says whose change that is; nothing was moved",
		w.step.ID, listPaths(lagging)).hint("%s", s.updateModules(lagging)).hint("%s   # if it is this step's work", s.certifies(w.step, lagging, lagging))
}

// modulesBeside refuses strays that are submodules: git stash takes none, and
// set aside their folders would still be where they are.
func (s *session) modulesBeside(w *work, v *survey) error {
	modules, _ := split(v.status, v.strays)
	if len(modules) == 0 {
		return nil
	}
	f := failf("STRAYS", ExitPerson, "step %s: the submodule %s is at another commit and lies outside its touches; nothing was moved", w.step.ID, listPaths(modules))
	return s.hintModules(f, v.status, modules).hint("git agent %s --stray include", w.verb).hint("%s", s.editPlan("name it in touches"))
}

// modulesUnder is the refusal to run a job where only submodules changed under
// its step's touches: rolling them back moves no folder.
func (s *session) modulesUnder(known map[string]object.FileStatus, inside []string, step *plan.Step) error {
	modules, rest := split(known, inside)
	if len(rest) > 0 {
		return nil
	}
	f := failf("DIRTY_TREE", ExitPerson, "step %s: the submodule %s changed before the job ran; nothing was moved", step.ID, listPaths(modules))
	return s.hintModules(f, known, modules).hint("%s   # certify what is there", s.certifies(step, modules, newToGit(known, modules)))
}

func byPath(status []object.FileStatus) map[string]object.FileStatus {
	known := map[string]object.FileStatus{}
	for _, one := range status {
		filed(known, one)
	}
	return known
}

// filed: of a path that left the index and lies there, git tells both.
func filed(known map[string]object.FileStatus, one object.FileStatus) {
	if _, told := known[one.Path]; !told || !one.Untracked() {
		known[one.Path] = one
	}
}

// split sorts submodules out of paths. One in whose place a file or link lies
// by now is a path like any other.
func split(status map[string]object.FileStatus, paths []string) (modules, rest []string) {
	for _, path := range paths {
		if f := status[path]; f.Submodule() && !f.HasFile() {
			modules = append(modules, path)
		} else {
			rest = append(rest, path)
		}
	}
	return modules, rest
}

// tellModules says what a rollback left at the submodules that it moved.
func (s *session) tellModules(step string, view *survey) {
	var stay, empty, own []string
	for _, path := range view.mine {
		switch f := view.status[path]; {
		case !f.Submodule():
		case f.HeadMode != object.ModeGitlink:
			if _, err := os.Lstat(filepath.Join(s.at(path), ".git")); err == nil {
				own = append(own, path)
			}
		case f.WorkMode == object.ModeGitlink:
			stay = append(stay, path)
		default:
			empty = append(empty, path)
		}
	}
	if len(stay) > 0 {
		s.Notify("%s: the folder of submodule %s stays as it is; to take it back too: %s", step, listPaths(stay), s.updateModules(stay))
	}
	if len(empty) > 0 {
		s.Notify("%s: the folder of submodule %s is empty; to check it out: %s", step, listPaths(empty), s.updateModules(empty))
	}
	if len(own) > 0 {
		s.Notify("%s: %s is no submodule any more, and its folder stays as it is, a repository of its own", step, listPaths(own))
	}
}

// at is a path of the working tree in full.
func (s *session) at(path string) string { return filepath.Join(s.Place.Top, filepath.FromSlash(path)) }
