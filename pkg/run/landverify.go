package run

import (
	"context"
	"fmt"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// verify proves every step that is to land at the commit that lands: by its
// certificate where the tree is the very one, else by its checks there, in a
// scratch checkout. It happens once for what stands still meanwhile.
func (l *lander) verify(ctx context.Context) error {
	if l.proven == l.toProve() {
		return nil
	}
	guards, fingerprint, err := l.guardsAt(ctx)
	if err != nil {
		return err
	}
	for _, id := range l.steps {
		step, _ := l.plan.Step(id)
		if err := l.certifiedAt(step); err != nil {
			return err
		}
		if l.heldUntil(step) {
			continue
		}
		g := guards[id]
		if g.Void {
			return l.takenBack(id)
		}
		if g.Holds && g.How == reconcile.ByTree && (fingerprint != "" || len(l.plan.Fingerprint) == 0) {
			continue
		}
		if err := l.passes(ctx, step, l.upTo.Commit.ID, "at "+short(l.upTo.Commit.ID)); err != nil {
			return err
		}
	}
	for _, told := range l.tellOrphans() {
		l.Notify("warning: %s", told)
	}
	l.proven, l.report.Certificate, l.report.Steps = l.toProve(), l.upTo.Commit.ID, l.steps
	return nil
}

// guardsAt are the guards at the commit that lands, which need not be the
// branch's newest.
func (l *lander) guardsAt(ctx context.Context) (map[string]reconcile.Guard, string, error) {
	o := l.itself()
	fingerprint := ""
	if len(l.plan.Fingerprint) > 0 {
		dir, err := l.pad.at(ctx, l.upTo.Commit.ID)
		if err != nil {
			return nil, "", err
		}
		var why string
		if fingerprint, why, err = l.fingerprint(ctx, dir); err != nil || why != "" {
			if err == nil {
				err = l.environment("", judged{reason: why})
			}
			return nil, "", err
		}
	}
	guards, err := reconcile.Guards(reconcile.GuardFacts{Plan: l.plan, Versions: l.plans, Ledger: o.ledgerUpTo(l.upTo.Index),
		Fingerprint: fingerprint, Refuted: l.refuted()})
	return guards, fingerprint, err
}

// certifiedAt refuses a step that has no valid certificate at or below what lands.
func (l *lander) certifiedAt(step *plan.Step) error {
	r := l.ledger.Newest(step.ID)
	switch {
	case len(l.claims(step.ID)) > 0 && (r == nil || !r.Valid()):
		return l.badEvidence(l.claims(step.ID)[0], step.ID)
	case r == nil:
		return l.notCertified(step.ID, "it has no certificate")
	case !r.Valid():
		return l.notCertified(step.ID, "its newest certificate "+short(r.Commit.ID)+" does not hold")
	case l.standing(step.ID) == nil: // also where the undo lies above what would land
		return l.takenBack(step.ID)
	}
	return nil
}

func (l *lander) takenBack(step string) error {
	return failf("NOT_CERTIFIED", ExitNo, "step %s cannot land: its work was taken back; nothing was landed", step).
		hint("git agent step %s   # does it again; git agent plan amend %s <file> goes on without it", step, l.run)
}

func (l *lander) notCertified(step, why string) error {
	return failf("NOT_CERTIFIED", ExitNo, "step %s cannot land: %s; nothing was landed", step, why).
		hint("git agent status %s", l.run)
}

// heldUntil: its check is expected to fail once that other step is certified.
func (l *lander) heldUntil(step *plan.Step) bool {
	return step.Until != "" && l.recordOf(step.Until) != nil
}

// passes runs a step's checks on exactly a commit's tree.
func (l *lander) passes(ctx context.Context, step *plan.Step, commit, where string) error {
	dir, err := l.pad.at(ctx, commit)
	if err != nil {
		return err
	}
	j, err := l.judge(ctx, step, place{dir: dir, step: step.ID})
	switch {
	case err != nil:
		return err
	case j.outcome == reconcile.Unsettled:
		return l.environment(step.ID, j)
	case j.outcome == reconcile.Failed:
		return failf("CHECK_FAILED", ExitNo, "step %s: `%s` ended with %s %s; nothing was landed%s", step.ID, j.command, j.failed.Outcome, where,
			printed(string(lastBytes(j.failed.Merged.Bytes, 2<<10)))).hint("git agent resume %s   # judges every step", l.run)
	}
	return nil
}

// recheck runs the checks of what lands on the integrated tree, unless it is the
// tree that was verified.
func (l *lander) recheck(ctx context.Context, made *integrated) error {
	if made.tree == l.upTo.Commit.Tree {
		return nil
	}
	where := fmt.Sprintf("on %s with the run in it", l.target.branch)
	for _, id := range l.steps {
		step, _ := l.plan.Step(id)
		if l.heldUntil(step) {
			continue
		}
		if err := l.passes(ctx, step, made.commit, where); err != nil {
			return err
		}
	}
	return nil
}
