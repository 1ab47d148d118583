package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// facts gathers the table's input for every step, in plan order.
func (s *session) facts(ctx context.Context, fingerprint string, anyFingerprint, recheck bool) ([]reconcile.Facts, error) {
	guards, err := s.guards(fingerprint, anyFingerprint)
	if err != nil {
		return nil, err
	}
	changed, err := s.changedPaths(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]reconcile.Facts, len(s.plan.Steps))
	later := laterRecords(s, guards)
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		touches, err := plan.CompilePaths(step.Touches)
		if err != nil {
			return nil, err
		}
		f := reconcile.Facts{Step: step, Record: s.ledger.Newest(step.ID), Guard: guards[step.ID], Recheck: recheck,
			LaterRecord: later[i], Changed: changed.of(step, touches, nil), Claims: s.claims(step.ID)}
		if step.Until != "" {
			r := s.ledger.Newest(step.Until)
			f.UntilCertified = r != nil && r.Valid() && counts(guards[step.Until])
		}
		out[i] = f
	}
	return out, nil
}

// counts: whatever became of it since, the step was certified once, by this plan.
func counts(g reconcile.Guard) bool { return !g.Void && !g.Foreign }

func (s *session) guards(fingerprint string, anyFingerprint bool) (map[string]reconcile.Guard, error) {
	guards, err := reconcile.Guards(reconcile.GuardFacts{Plan: s.plan, Versions: s.plans, Ledger: s.ledger,
		Fingerprint: fingerprint, AnyFingerprint: anyFingerprint, Refuted: s.refuted()})
	var unknown *reconcile.UnknownVersionError
	if errors.As(err, &unknown) {
		return nil, fail("PLAN_VERSION_UNKNOWN", ExitUnknown, err,
			fmt.Sprintf("git show --no-patch %s   # a version that never was: git commit --amend, without it", short(unknown.Commit)),
			fmt.Sprintf("git log --oneline %s   # the versions that there are here; once the plan ref is whole: git agent resume %s", PlanRef(s.run), s.run))
	}
	return guards, err
}

// needVersions: a plan ref that is older than the certificates says nothing
// about what a step has to pass; nothing is run or certified by it.
func (s *session) needVersions() error {
	_, err := s.guards("", true)
	return err
}

// laterRecords says, for each step, whether a later one has a valid record
// under a plan version that already held the step.
func laterRecords(s *session, guards map[string]reconcile.Guard) []bool {
	later := make([]bool, len(s.plan.Steps))
	for i := range s.plan.Steps {
		for j := i + 1; j < len(s.plan.Steps) && !later[i]; j++ {
			r := s.ledger.Newest(s.plan.Steps[j].ID)
			if r == nil || !r.Valid() || !counts(guards[s.plan.Steps[j].ID]) {
				continue
			}
			if p := s.plans[r.Evidence.PlanVersion]; p != nil {
				held, _ := p.Step(s.plan.Steps[i].ID)
				later[i] = held != nil
			}
		}
	}
	return later
}

func (s *session) claims(step string) []ledger.Claim {
	var found []ledger.Claim
	for _, c := range s.ledger.Claims {
		if slices.Contains(c.Steps, step) {
			found = append(found, c)
		}
	}
	return found
}
