package run

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
)

// AuditRequest runs every certificate's checks again, somewhere else.
type AuditRequest struct {
	Run   string
	Jobs  int    // how many checkouts at the same time; 0 is one
	Onto  string // a revision: the steps are checked on it and the run's tip merged
	Trust TrustRequest
	// Scratch is an empty folder outside the repository, the caller's to remove.
	Scratch string
}

// Audit is what the checks of a run's certificates came to: fields are only added.
type Audit struct {
	Format      int    `json:"format"`
	Run         string `json:"run"`
	Title       string `json:"title"`
	PlanVersion int    `json:"plan_version"`
	Plan        string `json:"plan"` // the commit that holds that version
	Branch      string `json:"branch"`
	Base        string `json:"base"`
	Tip         string `json:"tip"`
	Tree        string `json:"tree"` // of the tip
	// Onto is the commit that --onto named, Merged its merge with the tip, ""
	// where Conflicts say why there is none.
	Onto      string   `json:"onto,omitempty"`
	Merged    string   `json:"merged,omitempty"`
	Conflicts []string `json:"conflicts,omitempty"`

	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	// Verdict is passed, failed or environment.
	Verdict      string             `json:"verdict"`
	Certificates []AuditCertificate `json:"certificates"` // each on its own tree, oldest first
	Steps        []AuditStep        `json:"steps"`        // at the tip, or on the merge, in plan order
	// Faults are commits with evidence that cannot be used.
	Faults []AuditFault `json:"faults"`
}

// AuditCertificate is one certificate, its checks run again on its own tree.
type AuditCertificate struct {
	Step        string `json:"step"`
	Commit      string `json:"commit"`
	Tree        string `json:"tree"`
	PlanVersion int    `json:"plan_version"`
	Newest      bool   `json:"newest"` // of its step
	// Transplanted: the certificate's checks saw another tree.
	Transplanted bool          `json:"transplanted"`
	Claims       []CheckReport `json:"claims"` // what the certificate says
	AuditOutcome
}

// AuditStep is one certified step of today's plan.
type AuditStep struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Commit string `json:"commit"` // its newest certificate
	AuditOutcome
}

// AuditOutcome is what a step's checks came to on one tree.
type AuditOutcome struct {
	// Outcome is passed, failed, environment or skipped.
	Outcome string        `json:"outcome"`
	Checks  []CheckReport `json:"checks"`
	Secs    float64       `json:"secs"`
	Reason  string        `json:"reason"`
	Flaky   bool          `json:"flaky"`
	Tail    string        `json:"tail,omitempty"` // of what a failing check printed
}

// AuditFault is evidence that cannot be used.
type AuditFault struct {
	Commit string   `json:"commit"`
	Steps  []string `json:"steps"`
	Says   string   `json:"says"`
}

// Audit clones the run into a throw-away repository that shares nothing with
// this one, and there runs the checks of every certificate on its own tree, each
// in a fresh checkout, and those of all certified steps at the tip or, with Onto,
// on the tip merged into that. It records and moves nothing; where the run is not
// in this clone it is fetched, as Trust does.
func (e *Engine) Audit(ctx context.Context, req AuditRequest) (*Audit, error) {
	if err := e.notInACheck("audit", req.Run); err != nil {
		return nil, err
	}
	s, err := e.openForAudit(ctx, req.Run)
	if err != nil {
		return nil, err
	}
	if len(s.ledger.Records)+len(s.ledger.Claims) == 0 {
		return nil, failf("NO_RECORD", ExitNo, "run %s has no certificate yet: there is nothing to audit", s.run).hint("git agent status %s", s.run)
	}
	if err := s.needTrust(ctx, req.Trust); err != nil {
		return nil, err
	}
	if err := s.trustVersions(req.Trust); err != nil {
		return nil, err
	}
	done, err := s.announce(ctx, "audit")
	if err != nil {
		return nil, err
	}
	defer done()
	a := &auditor{session: s, req: req, clone: filepath.Join(req.Scratch, "clone")}
	if err := a.prepare(ctx); err != nil {
		return nil, err
	}
	a.plan()
	if err := a.run(ctx); err != nil {
		return nil, err
	}
	a.report.Finished = e.Now().UTC().Round(time.Millisecond)
	return &a.report, a.verdict()
}

// openForAudit reads the run as it is here, else as the remote has it: a
// reviewer's clone needs no checkout of the branch.
func (e *Engine) openForAudit(ctx context.Context, run string) (*session, error) {
	s, err := e.open(ctx, run)
	if err == nil && s.tip != "" && !s.elsewhere {
		return s, nil
	}
	if err != nil && CodeOf(err) != "NO_RUN" {
		return nil, err
	}
	if s, err = e.openSynced(ctx, run); err != nil {
		return nil, err
	}
	if s.tip == "" {
		s.tip = s.remote.branch
	}
	if s.tip == "" {
		return nil, failf("BRANCH_GONE", ExitUnknown, "run %s: branch %s is neither here nor on the remote; nothing was audited", run, ShortBranch(s.branch)).
			hint("git agent status %s", run)
	}
	return s, s.readLedger(ctx)
}

// trustVersions: a certificate is judged by the plan version that it names. The
// commands of an older one that differ from today's, which are trusted, need to
// be trusted themselves.
func (s *session) trustVersions(req TrustRequest) error {
	for _, v := range s.chain.Versions {
		p := s.plans[v.Number]
		used := slices.ContainsFunc(s.ledger.Records, func(r *ledger.Record) bool {
			return r.Evidence.PlanVersion == v.Number && differs(p, s.plan, r.Evidence.Step)
		})
		digest := p.Digest(s.run, v.Number, s.base)
		if !used || s.grantedFor(digest) {
			continue
		}
		if req.Trust {
			if err := s.grantDigest(digest, s.Place.CommonDir); err != nil {
				return err
			}
			continue
		}
		err := &UntrustedError{Err: fmt.Errorf("plan version %d, by which a step was certified, has other commands than version %d, and nobody here said that they may run", v.Number, s.version),
			Digest: digest, Commands: plan.Commands(p)}
		return fail("UNTRUSTED", ExitPerson, err, "git agent audit "+s.run+" --trust")
	}
	return nil
}

// differs reports whether judging a step by one plan runs something that the
// other plan does not.
func differs(old, now *plan.Plan, id string) bool {
	before, _ := old.Step(id)
	after, _ := now.Step(id)
	return before != nil && (after == nil || !plan.SameChecks(before.Check, after.Check) ||
		!slices.Equal(old.Setup, now.Setup) || !slices.Equal(old.PassEnv, now.PassEnv))
}

// auditor is an audit under way.
type auditor struct {
	*session
	req    AuditRequest
	clone  string
	after  string // the commit that all steps are checked on, "" for a conflict
	report Audit
	tasks  []*auditTask
}
