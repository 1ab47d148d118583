package run

import (
	"context"
	"fmt"

	"github.com/git-agent/git-agent/pkg/landing"
)

// goneThere judges a run of which the remote has the plan and no branch, as
// forges leave one that was merged. It saves nothing and moves no ref. nil where
// the branch is there.
func (s *session) goneThere(ctx context.Context) (*Preflight, error) {
	if s.remote.branch != "" {
		return nil, nil
	}
	t, err := s.lookTarget(ctx, s.targetName(""), false)
	if err != nil {
		return nil, err
	}
	return s.preflight(ctx, t, "")
}

// orGone makes a report of what the remote has tell of such a run what
// preflight does: it landed, or whether it did cannot be told.
func (s *session) orGone(ctx context.Context) error {
	p, err := s.goneThere(ctx)
	if err != nil || p == nil {
		return err
	}
	if p.Token() != landing.AlreadyLanded {
		return s.goneHints(failf("BRANCH_GONE", ExitUnknown, "%w", s.gone(p)).hint("git agent preflight %s", s.run))
	}
	s.local.Preflights = map[string]keptVerdict{wholeRun: {"", s.planTip, p}} // for this report; it is not saved
	return nil
}

func (s *session) gone(p *Preflight) error {
	text := p.Text
	if text == "" || p.Token() == landing.Dispatch {
		text = "nothing of it is found in " + first(p.Evidence.Target, "any target")
	}
	return fmt.Errorf("%q has the plan of run %s but no branch %s: whether it landed cannot be told: %s",
		s.remote.name, s.run, ShortBranch(s.branch), text)
}

// describeGone is describeThere for a run whose branch is gone there. A branch
// of this clone counts as ever, unless the run landed.
func (e *Engine) describeGone(ctx context.Context, entry *Listed) error {
	s, err := e.openThere(ctx, entry.Run)
	var p *Preflight
	if err == nil {
		p, err = s.goneThere(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && p == nil: // it came back meanwhile
	case err == nil && p.Token() == landing.AlreadyLanded:
		entry.Title, entry.Steps, entry.Certified, entry.Landed = s.plan.Title, len(s.plan.Steps), len(s.plan.Steps), p.Text
	case entry.Head != "":
	case err == nil:
		entry.cannotTell(s.gone(p))
	default:
		entry.cannotTell(err)
	}
	return nil
}
