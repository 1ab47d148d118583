package reconcile

import (
	"context"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
)

// Status is what is true about a step (frozen words of the JSON output).
type Status string

// The statuses of the design, section 13.
const (
	Certified   Status = "certified"
	Uncertified Status = "uncertified"
	Pending     Status = "pending"
	Running     Status = "running"
	Regressed   Status = "regressed"
	Environment Status = "environment"
	Skipped     Status = "skipped"
)

// How says on what a certified status rests.
type How string

// The ways to be certified.
const (
	ByTree     How = "tree"      // every guarded path is as it was certified
	ByTouches  How = "touches"   // the same, but the rest of the tree moved on and the step declares no reads
	ByRecheck  How = "rechecked" // the check passed again at HEAD
	ByEvidence How = "evidence"  // no valid record, but the check passes at HEAD
	ByUntil    How = "until"     // expected to hold only until another step, which is certified
)

// Outcome is what running all of a step's checks on one tree came to.
type Outcome int

// The outcomes. Unsettled is an environment outcome: it says nothing about the step.
const (
	Passed Outcome = iota
	Failed
	Unsettled
)

// Checker runs a step's checks for the table. Each call may take minutes.
type Checker interface {
	// AtHead runs them on HEAD's tree.
	AtHead(ctx context.Context, step *plan.Step) (Outcome, error)
	// AtRecord runs them on the certificate's own tree.
	AtRecord(ctx context.Context, step *plan.Step, r *ledger.Record) (Outcome, error)
}

// Facts are what the table decides one step from.
type Facts struct {
	Step    *plan.Step
	Record  *ledger.Record // newest, nil for none
	Guard   Guard
	Claims  []ledger.Claim // evidence of this step that cannot be used
	Recheck bool           // --recheck
	// UntilCertified: the step's `until` step has a record.
	UntilCertified bool
	// LaterRecord: a later step has a valid record under a plan version that
	// already held this step.
	LaterRecord bool
	// Changed: something under the step's touches differs from the boundary.
	Changed bool
}

// Verdict is the answer for one step.
type Verdict struct {
	Rule   int // the row of the table that decided
	Status Status
	How    How
	Reason string // a token
	// Write asks for a new record of what was just seen to pass.
	Write bool
	// Refute asks for a failure record that refutes the step's certificate.
	Refute bool
	// Person: the command stops for a person (exit 3).
	Person bool
}

// valid reports whether the record counts.
func (f Facts) valid() bool { return f.Record != nil && f.Record.Valid() && !f.Guard.Void }

// Judge goes through the verdict table; the first row that matches decides.
func Judge(ctx context.Context, f Facts, c Checker) (Verdict, error) {
	if v, decided := settled(f); decided {
		return v, nil
	}
	outcome, err := c.AtHead(ctx, f.Step)
	if err != nil {
		return Verdict{}, err
	}
	switch {
	case outcome == Unsettled:
		return Verdict{Rule: 5, Status: Environment, Reason: "environment", Person: true}, nil
	case outcome == Passed && f.valid():
		return Verdict{Rule: 6, Status: Certified, How: ByRecheck, Write: !f.Guard.Holds}, nil
	case outcome == Passed:
		return Verdict{Rule: 6, Status: Certified, How: ByEvidence, Write: true}, nil
	case !f.valid():
		return Verdict{Rule: 7, Status: Uncertified, Reason: reasonWithout(f)}, nil
	}
	return compare(ctx, f, c)
}

// Peek is the table without running a check: what `status` can say. A step
// that would have to be checked is uncertified, reason "recheck".
func Peek(f Facts) Verdict {
	if v, decided := settled(f); decided {
		return v
	}
	reason := "recheck"
	if !f.valid() && f.Record != nil {
		reason = reasonWithout(f)
	}
	return Verdict{Status: Uncertified, Reason: reason}
}

// settled is rows 1 to 4: what needs no check.
func settled(f Facts) (Verdict, bool) {
	switch {
	case len(f.Claims) > 0 && !f.valid():
		reason := "evidence-damaged"
		if f.Claims[0].OffChain {
			reason = "evidence-off-chain"
		}
		return Verdict{Rule: 1, Status: Uncertified, Reason: reason, Person: true}, true
	case f.Record != nil && f.UntilCertified:
		return Verdict{Rule: 2, Status: Certified, How: ByUntil}, true
	case f.valid() && f.Guard.Holds && !f.Recheck:
		return Verdict{Rule: 3, Status: Certified, How: f.Guard.How}, true
	case f.Record == nil && !f.LaterRecord && !f.Changed:
		return Verdict{Rule: 4, Status: Pending}, true
	case f.Guard.Why == Undone && !f.Changed:
		// Somebody wants it done again: a check that passes without the work
		// must not certify it behind their back.
		return Verdict{Rule: 4, Status: Pending, Reason: Undone}, true
	}
	return Verdict{}, false
}

// compare is rows 8 and 9: the check fails at HEAD although it once passed.
func compare(ctx context.Context, f Facts, c Checker) (Verdict, error) {
	own, err := c.AtRecord(ctx, f.Step, f.Record)
	if err != nil {
		return Verdict{}, err
	}
	if own == Failed && f.Guard.Why == CheckChanged {
		// The check was never seen to pass there: there is no record of it.
		return Verdict{Rule: 7, Status: Uncertified, Reason: CheckChanged}, nil
	}
	if own != Passed {
		return Verdict{Rule: 8, Status: Environment, Reason: "fails-on-own-tree", Refute: own == Failed, Person: true}, nil
	}
	again, err := c.AtHead(ctx, f.Step)
	if err != nil {
		return Verdict{}, err
	}
	switch again {
	case Passed:
		return Verdict{Rule: 6, Status: Certified, How: ByRecheck, Write: !f.Guard.Holds}, nil
	case Unsettled:
		return Verdict{Rule: 5, Status: Environment, Reason: "environment", Person: true}, nil
	}
	return Verdict{Rule: 9, Status: Regressed, Reason: "regressed", Refute: true, Person: true}, nil
}

func reasonWithout(f Facts) string {
	switch {
	case f.Guard.Void:
		return "reverted"
	case f.Record != nil && f.Record.Transplanted:
		return "transplanted"
	case f.Record != nil:
		return "not-valid"
	}
	return "check-failed"
}
