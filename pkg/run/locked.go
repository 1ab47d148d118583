package run

import (
	"errors"

	"github.com/git-agent/git-agent/pkg/object"
)

// lockedBy is the lock of git's that an error is about, nil for none. What is only
// not known because of it, is known: it is that lock.
func lockedBy(err error) *object.LockedError {
	var l *object.LockedError
	var f *Failure
	if !errors.As(err, &l) || errors.As(err, &f) && f.Exit != ExitUnknown {
		return nil
	}
	return l
}

// removeLock is what a person does who knows that no git is at work.
func removeLock(path string) string {
	return "rm -f " + quoteArg(path) + "   # once no git runs here"
}

// branchLocked is a step that passed, and whose certificate could not get onto the
// branch. The attempt stays open: whoever comes next certifies what is in the tree.
func (s *session) branchLocked(w *work, err error) error {
	l := lockedBy(err)
	if l == nil {
		return err
	}
	f := failf("GIT_LOCKED", ExitPerson, "step %s passed its checks and is not certified yet, what it made stays in the working tree: %w", w.step.ID, err)
	return f.hint("git agent resume %s   # once that git has ended: it certifies the step", s.run).hint("%s", removeLock(l.Path))
}

// locksAfter: everything that is certified here is, and pushed or not as is told.
func (s *session) locksAfter(step string, err error) error {
	l := lockedBy(err)
	if l == nil {
		return err
	}
	f := failf("GIT_LOCKED", ExitPerson, "step %s is certified, and what follows was not completed: %w", step, err)
	return f.hint("git agent resume %s   # once that git has ended: it goes on there", s.run).hint("%s", removeLock(l.Path))
}
