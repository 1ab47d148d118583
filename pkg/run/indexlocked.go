package run

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
)

// indexTries is how often a certificate is brought into the person's index
// while other gits hold that for a moment.
const indexTries = 3

// bringIndexOrTell is bringIndex beside a live git of the person's: it waits for
// one that is about to end, and tells of one that is not, as a commit with its
// editor open. The step is certified by then; the next command brings the index
// along.
func (s *session) bringIndexOrTell(ctx context.Context, w *work, c *candidate, id string) error {
	for try := 1; ; try++ {
		err := s.bringIndex(ctx, w, c)
		if err == nil {
			return nil
		}
		lock, errLook := s.indexLock(ctx)
		switch {
		case errLook != nil:
			return err
		case lock != nil:
			return s.indexLocked(w, id, *lock)
		case try == indexTries:
			return err
		}
	}
}

// indexLock is the lock on the person's index, nil for none. A fresh one of a
// live git gets a moment to go.
func (s *session) indexLock(ctx context.Context) (*object.Lock, error) {
	locks, err := s.Git.StaleLocks(ctx, nil)
	at := slices.IndexFunc(locks, func(l object.Lock) bool { return filepath.Base(l.Path) == "index.lock" })
	if err != nil || at < 0 {
		return nil, err
	}
	return &locks[at], nil
}

func (s *session) indexLocked(w *work, id string, l object.Lock) error {
	return failf("GIT_LOCKED", ExitPerson, "step %s is certified as %s, but git's lock %s is there, made %s ago, so the index was not brought along; it may belong to a live git and was left alone",
		w.step.ID, short(id), l.Path, s.Now().Sub(l.Made).Round(time.Second)).
		hint("git agent resume %s   # once that git has ended: it brings the index along and pushes", s.run).
		hint("%s", removeLock(l.Path))
}
