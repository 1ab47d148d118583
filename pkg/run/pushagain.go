package run

import (
	"context"
	"errors"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
)

// keepHere remembers --no-push, whatever becomes of the command that it was
// said to: nothing was pushed by it yet.
func (s *session) keepHere(asked bool) error {
	if !asked {
		return nil
	}
	s.local.NoPush = true
	return s.saveLocal()
}

// pushAgain ends what --no-push began in this clone. What landed meanwhile
// landed here alone: its marker may not be shown before the target is there.
func (s *session) pushAgain(ctx context.Context) error {
	if !s.local.NoPush {
		return nil
	}
	s.local.NoPush = false
	if err := s.landedThere(ctx); err != nil {
		s.local.NoPush = true
		return err
	}
	s.Notify("run %s is pushed again from this clone", s.run)
	if err := s.saveLocal(); err != nil {
		return err
	}
	return s.shareLeft(ctx)
}

// landedThere refuses where the markers of this clone say more than the remote's
// target holds, or where that cannot be told.
func (s *session) landedThere(ctx context.Context) error {
	if len(s.chain.Markers) == 0 || s.remote.name == "" {
		return nil
	}
	t, err := s.lookTarget(ctx, "", true)
	if err != nil {
		return err
	}
	p, err := s.preflight(ctx, t, "")
	if err != nil || p.How != landing.NotAncestor && p.Token() != landing.Unknown {
		return err
	}
	if as, steps := s.landedAs(p); as != nil {
		return s.noteLanding(ctx, as, steps)
	}
	var f *Failure
	if err := s.stopFor(ctx, p); !errors.As(err, &f) {
		return err
	}
	f.Hints = []string{"git push " + quoteArg(s.remote.name) + " " + quoteArg(t.branch) + "   # it landed in this clone only",
		"git agent resume " + s.run + " --push"}
	return f
}

// landedAs is where all that the newest marker of this clone is about came to be
// in the remote's target under other ids, as a rebase on the way there leaves it;
// nil where some of it is not found, or was taken back.
func (s *session) landedAs(p *Preflight) (*Preflight, []string) {
	marks, _ := s.itself().landed(p.Evidence.Target)
	if len(marks) == 0 || p.How != landing.NotAncestor || p.Evidence.RevertedBy != "" {
		return nil, nil
	}
	as, steps := *p, marks[len(marks)-1].steps
	as.Verdict, as.Evidence.Commits = string(landing.AlreadyLanded), nil
	for _, id := range steps {
		i := slices.IndexFunc(p.Evidence.Landed, func(l LandedStep) bool { return l.Step == id })
		if i < 0 {
			return nil, nil
		}
		as.How, as.Evidence.Commits = p.Evidence.Landed[i].How, append(as.Evidence.Commits, p.Evidence.Landed[i].Commit)
	}
	return &as, steps
}
