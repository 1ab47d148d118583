package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// Git is told not to look at a file (assume-unchanged, skip-worktree) where a
// person keeps something in it that is not for a commit. What is changed there is
// the step's where its job did it; else it is in no certificate, no check sees it,
// and no rollback takes it away.

// sortHidden: a job begins on ground that has none of these under its step's
// touches, see hiddenBefore.
func (w *work) sortHidden(v *survey, hidden []object.IndexEntry) {
	for _, path := range pathsOf(hidden) {
		if w.job() && w.touches.Match(path) {
			v.mine = append(v.mine, path)
		} else {
			v.hidden = append(v.hidden, path)
		}
	}
	v.mine, v.strays = without(v.mine, v.hidden), without(v.strays, v.hidden) // staged otherwise
	v.dirty += len(v.hidden)
}

// hiddenBefore refuses to run a job over what would then be taken for its work.
func (s *session) hiddenBefore(step *plan.Step, entries []object.IndexEntry) error {
	if len(entries) == 0 {
		return nil
	}
	paths := pathsOf(entries)
	return failf("DIRTY_TREE", ExitPerson, "step %s: %s changed before the job ran, and git was told not to look at it (%s); nothing was moved",
		step.ID, listPaths(paths), flagsOf(entries)).
		hint("%s && git stash push -- %s   # puts it away", s.lookAgain(paths), pathspecs(paths)).
		hint("%s && %s   # certifies it", s.lookAgain(paths), s.certifies(step, paths, nil))
}

func flagsOf(entries []object.IndexEntry) string {
	var names []string
	if slices.ContainsFunc(entries, func(e object.IndexEntry) bool { return e.AssumeUnchanged }) {
		names = append(names, "assume-unchanged")
	}
	if slices.ContainsFunc(entries, func(e object.IndexEntry) bool { return e.SkipWorktree }) {
		names = append(names, "skip-worktree")
	}
	return strings.Join(names, ", ")
}

// spareHidden refuses to move paths that commits changed and a person keeps
// something else in.
func (s *session) spareHidden(v *survey, paths []string, verb string) error {
	hit := only(v.hidden, func(path string) bool { return slices.Contains(paths, path) })
	if len(hit) == 0 {
		return nil
	}
	return failf("IN_THE_WAY", ExitPerson, "%s would have to move, is changed here, and git was told not to look at it; nothing was moved", listPaths(hit)).
		hint("%s && git stash push -- %s   # then: git agent %s", s.lookAgain(hit), pathspecs(hit), verb)
}

// orHidden names what is changed under the step's touches all the same.
func (s *session) orHidden(f *Failure, w *work, v *survey) error {
	paths := only(v.hidden, w.touches.Match)
	if len(paths) == 0 {
		return f
	}
	f.Err = fmt.Errorf("%w, %s neither, where git was told not to look", f.Err, listPaths(paths))
	return f.hint("%s && git agent %s   # if it is the step's work", s.lookAgain(paths), w.verb)
}

// lookAgain takes both flags from paths: one call of git minds the first only.
func (s *session) lookAgain(paths []string) string {
	const update = "git -C %s update-index %s -- %s"
	var all []string
	for _, flag := range []string{"--no-assume-unchanged", "--no-skip-worktree"} {
		all = append(all, fmt.Sprintf(update, quoteArg(s.Place.Top), flag, quoteArgs(paths)))
	}
	return strings.Join(all, " && ")
}
