package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/landing"
)

// lacking is what the remote was seen to have of the run's branch where it has
// less now: nothing, while the plan is still there (a forge deletes what it
// merged), or an older commit, while all of it is here (somebody took it back).
// A remote without the plan is another one, or restored: it is given all again.
func (s *session) lacking(ctx context.Context, there string) (string, error) {
	had := s.remote.tracked[trackBranch(s.remote.name, s.run)]
	switch {
	case had == "" || had == there || s.local.NoPush:
		return "", nil
	case there == "" && s.remote.plan != "":
		return had, nil
	case there == "" || s.tip == "" || there == s.tip:
		return "", nil
	}
	for _, below := range [][2]string{{there, had}, {had, s.tip}} {
		have, err := s.Git.Peel(ctx, below[:])
		if err != nil || have[below[0]] == "" || have[below[1]] == "" {
			return "", err // what is new to this clone lies below nothing here
		}
		if is, err := s.Git.IsAncestor(ctx, below[0], below[1]); err != nil || !is {
			return "", err
		}
	}
	return had, nil
}

// needBranchThere stops where the remote's branch lacks what it had: it is not
// pushed again over whoever deleted it, or took it back. One that is gone
// because the run landed is in nobody's way.
func (s *session) needBranchThere(ctx context.Context) error {
	had := s.remote.lacks
	switch {
	case had == "" || !s.remote.answers():
		return nil
	case s.remote.branch != "":
		return s.takenBackThere(had)
	}
	p, err := s.cachedPreflight(ctx, "", false)
	if err != nil || p != nil && (p.Token() == landing.AlreadyLanded || p.Token() == landing.MarkerStale) {
		return err
	}
	return s.branchGoneThere()
}

// branchGoneThere: whether it was merged or thrown away nobody here can tell.
func (s *session) branchGoneThere() error {
	f := failf("BRANCH_GONE", ExitUnknown, "%q has the plan of run %s but no branch %s: whether it landed cannot be told",
		s.remote.name, s.run, ShortBranch(s.branch)).hint("git agent preflight %s", s.run)
	return s.goneHints(f)
}

// goneHints are the ways on without a branch there: a person knows which.
func (s *session) goneHints(f *Failure) *Failure {
	if had := first(s.remote.lacks, s.tip); had != "" {
		f = f.hint("git push %s %s:%s   # puts it back, where it is still to be done", quoteArg(s.remote.name), short(had), s.branch)
	}
	return f.hint("git agent cancel %s   # where nobody goes on with it", s.run)
}

func (s *session) takenBackThere(had string) error {
	return failf("LOST", ExitLost, "%q had %s at %s and has it at %s now: somebody took it back; nothing was pushed or undone",
		s.remote.name, ShortBranch(s.branch), short(had), short(s.remote.branch)).
		hint("git branch taken-back-%s %[1]s && git checkout -B %[2]s %[3]s   # follows it; what was taken back stays on that branch",
			short(s.tip), ShortBranch(s.branch), short(s.remote.branch)).
		hint("git push %s %s:%s   # puts it back, where the remote was restored from an older copy", quoteArg(s.remote.name), short(had), s.branch)
}
