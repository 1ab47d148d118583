package run

import (
	"context"
	"os"
	"path/filepath"

	"github.com/git-agent/git-agent/pkg/job"
)

// What an attempt makes lies in one working tree. In another one of the same
// clone nothing of it is to be waited for, judged or taken back: what lies there
// is somebody else's.

// treeName names this working tree among those of the clone, wherever it is
// moved to (gitrepository-layout(5), worktrees/<id>).
func (e *Engine) treeName() job.Text {
	if e.Place.GitDir == e.Place.CommonDir {
		return "."
	}
	return job.Text(filepath.Base(e.Place.GitDir))
}

// inOtherTree reports whether an attempt was made in another working tree. One
// of an earlier version does not say, and counts as made here.
func (e *Engine) inOtherTree(a *attempt) bool { return a.Tree != "" && a.Tree != e.treeName() }

// needTree refuses to look after an attempt from a working tree that the run's
// branch is not in, before anything is adopted.
func (s *session) needTree(ctx context.Context, a *attempt, how settling) error {
	if how == endAlive || !s.inOtherTree(a) || s.head.Branch == s.branch {
		return nil
	}
	return s.branchFree(ctx)
}

// atWorkElsewhere: a job left the run's branch, or its working tree did, and
// works on where this command is not.
func (s *session) atWorkElsewhere(a *attempt) error {
	f := failf("CHECKED_OUT", ExitPerson, "attempt %d of step %s still runs its job in the working tree %s; nothing was moved", a.Number, a.Step, a.Top)
	if _, err := os.Stat(string(a.Top)); err == nil {
		f = f.hint("cd %s && git agent resume %s   # waits for it", quoteArg(string(a.Top)), s.run)
	}
	return f.hint("git agent cancel %s   # ends it", s.run)
}

// leaveOthers retires the attempts of working trees that the run went away from:
// its branch is in this one.
func (s *session) leaveOthers() error {
	open, err := s.attempts(s.run)
	if err != nil {
		return err
	}
	for _, a := range open {
		if !s.inOtherTree(a) {
			continue
		}
		if a.Job {
			s.Notify("%s: attempt %d was made in the working tree %s; what it left there stays there", a.Step, a.Number, a.Top)
		}
		if err := s.retire(a); err != nil {
			return err
		}
	}
	return nil
}
