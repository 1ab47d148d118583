package run

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

func (a *auditor) prepare(ctx context.Context) error {
	tree, err := a.Git.TreeOf(ctx, a.tip)
	if err != nil {
		return err
	}
	a.report = Audit{Format: 1, Run: a.session.run, Title: a.session.plan.Title, PlanVersion: a.version, Plan: a.chain.Latest().Commit,
		Branch: a.branch, Base: a.base, Tip: a.tip, Tree: tree, Started: a.Now().UTC().Round(time.Millisecond),
		Certificates: []AuditCertificate{}, Steps: []AuditStep{}, Faults: []AuditFault{}}
	commits := []string{a.tip}
	if a.req.Onto != "" {
		onto, err := a.Git.Resolve(ctx, a.req.Onto)
		if err != nil {
			return failf("NO_BASE", ExitFatal, "--onto %q: %w; nothing was audited", a.req.Onto, err).hint("git branch --all")
		}
		a.report.Onto, commits = onto, append(commits, onto)
	}
	if err := a.Git.ColdClone(ctx, a.clone, commits...); err != nil {
		return failf("CLONE", ExitUnknown, "make a throw-away clone: %w", err).hint("git fsck --connectivity-only")
	}
	a.after = a.tip
	if a.report.Onto == "" {
		return nil
	}
	a.after, a.report.Conflicts, err = a.Git.ColdMerge(ctx, a.clone, filepath.Join(a.req.Scratch, "merge"), a.report.Onto, a.tip)
	a.report.Merged = a.after
	return err
}

// verdict is the answer as the command ends with it.
func (a *auditor) verdict() error {
	r := &a.report
	failed, unsettled := 0, 0
	count := func(o AuditOutcome) {
		switch o.Outcome {
		case "failed":
			failed++
		case "environment":
			unsettled++
		}
	}
	for _, c := range r.Certificates {
		count(c.AuditOutcome)
	}
	for _, s := range r.Steps {
		count(s.AuditOutcome)
	}
	failed += len(r.Faults)
	if len(r.Conflicts) > 0 {
		failed++
	}
	switch {
	case failed > 0:
		r.Verdict = "failed"
		f := failf("AUDIT", ExitNo, "run %s does not hold: %s; nothing was moved", r.Run, a.what(failed))
		if c := a.culprit(); c != "" {
			f = f.hint("git show %s", short(c))
		}
		return f.hint("git agent resume %s --recheck   # what is true here", r.Run)
	case unsettled > 0:
		r.Verdict = "environment"
		return failf("ENVIRONMENT", ExitPerson, "run %s: %d of its checks could not be judged here; nothing was moved", r.Run, unsettled).
			hint("git agent audit %s   # once that is mended", r.Run)
	}
	r.Verdict = "passed"
	return nil
}

func (a *auditor) what(failed int) string {
	if n := len(a.report.Conflicts); n > 0 {
		return fmt.Sprintf("it conflicts with %s in %s", a.req.Onto, listPaths(a.report.Conflicts))
	}
	if failed == 1 {
		return "one finding"
	}
	return fmt.Sprintf("%d findings", failed)
}

// culprit is the first certificate that does not hold.
func (a *auditor) culprit() string {
	for _, c := range a.report.Certificates {
		if c.Outcome == "failed" {
			return c.Commit
		}
	}
	for _, f := range a.report.Faults {
		return f.Commit
	}
	for _, s := range a.report.Steps {
		if s.Outcome == "failed" {
			return s.Commit
		}
	}
	return ""
}
