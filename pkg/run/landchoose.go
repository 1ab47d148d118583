package run

import (
	"context"
	"maps"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/ledger"
)

// choose finds mode, steps and the certificate up to which they land.
func (l *lander) choose() error {
	if l.mode == "" {
		l.mode, _ = l.Config.Config("agent.landmode")
	}
	if !slices.Contains([]string{"", LandFF, LandMerge, LandSquash, LandPR}, l.mode) {
		return failf("USAGE", ExitUsage, "mode %q is none of ff, merge, squash, pr", l.mode).hint("git agent help land")
	}
	l.steps = l.itself().allSteps()
	if l.req.Through != "" {
		if _, err := l.step(l.req.Through); err != nil {
			return err
		}
		l.steps = l.steps[:slices.Index(l.steps, l.req.Through)+1]
	}
	if l.targetName(l.req.Onto) == "" {
		return failf("NO_TARGET", ExitUsage, "neither the plan nor --onto says where run %s lands; nothing was done", l.run).
			hint("git agent land %s --onto main", l.run)
	}
	l.take(l.steps)
	return nil
}

// aboveUndone: what a person took back does not land, also where the plan has
// forgotten the step. Then the commit that took it back lands as well, which is
// no certificate: every step is checked there. The oldest undo comes first: what
// it brings along may have been undone above it.
func (l *lander) aboveUndone() {
	undone := l.ledger.Undone
	for _, id := range slices.SortedFunc(maps.Keys(undone), func(a, b string) int { return undone[a] - undone[b] }) {
		_, n := l.plan.Step(id)
		r, at := l.ledger.Newest(id), undone[id]
		if n < 0 && r != nil && r.Index <= l.upTo.Index && at > l.upTo.Index {
			l.upTo = &ledger.Record{Commit: l.ledger.Chain[at], Index: at}
		}
	}
}

// nothingToLand settles every verdict but dispatch.
func (l *lander) nothingToLand(ctx context.Context, p *Preflight) (bool, error) {
	switch p.Token() {
	case landing.Unknown:
		if l.req.Again && p.onlyAlike() {
			return false, nil
		}
		return false, l.stopFor(ctx, p)
	case landing.MarkerStale:
		if l.req.Again {
			return false, nil
		}
		return false, l.stopFor(ctx, p)
	case landing.Dispatch:
		return false, nil
	}
	l.report.How, l.report.Text = p.How, p.Text
	l.report.Verdict, l.report.Mode, l.report.Certificate = p.Verdict, "", "" // of a try that somebody was faster than
	l.report.Pushed = !l.landsHere()
	if p.Token() != landing.AlreadyLanded {
		l.report.PR = p.Evidence.PR
		return true, l.commentOpen(ctx, p)
	}
	l.report.Steps, l.report.Commit = l.steps, last(p.Evidence.Commits)
	if l.req.DryRun {
		return true, nil
	}
	if err := l.noteLanding(ctx, p, l.steps); err != nil {
		return true, err
	}
	l.report.Marker = p.Evidence.Marker
	return true, l.comment(ctx, true)
}

func last(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[len(ids)-1]
}
