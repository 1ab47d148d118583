// Package verify judges the form of the evidence on run branches, for hooks
// and CI: every certificate well-formed, of the branch's own run, on the tree
// that its checks saw, under a plan version that exists.
//
// It reads commits and messages only. It never runs a check, never writes and
// never decides whether a certificate still holds: that is what the engine
// does. Whatever is wrong is told at once, each fault with its commit and the
// command that mends it; a doubt (history cut, an object that is not here) is
// an error, never "fine".
//
//	updates, err := verify.ReadPrePush(os.Stdin)
//	report, err := v.Push(ctx, updates, verify.Side{Known: []string{"refs/remotes/origin/*"}})
package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/object"
)

// ErrTruncated says that the history of a branch is cut above what has to be judged.
var ErrTruncated = errors.New("history truncated")

// Git is what verifying asks of git; nothing in it writes.
type Git interface {
	Head(ctx context.Context) (object.Head, error)
	Refs(ctx context.Context, under ...string) ([]object.Ref, error)
	IsShallow(ctx context.Context) (bool, error)
	// Peel maps ids to the commits that they are or, as tags, point to.
	Peel(ctx context.Context, ids []string) (map[string]string, error)
	// CommonAncestor is a commit that all of these contain, "" for none.
	CommonAncestor(ctx context.Context, ids []string) (string, error)
	// Unpublished hands over, as they are found, all commits that tips reach
	// and neither the known ones (where they are here) nor refs that match a
	// pattern do. Trailers are filled in where ReadsTrailersOtherwise.
	Unpublished(ctx context.Context, tips, known, patterns []string, each func(object.Commit)) error
	// ReadsTrailersOtherwise: under this configuration git may.
	ReadsTrailersOtherwise() bool
}

// Policy is what `agent.verify` asks for.
type Policy string

// The policies. Format judges the evidence that is there; Strict also wants
// every commit of a run branch covered by a certificate or an undo above it.
const (
	Format Policy = "format"
	Strict Policy = "strict"
)

// ParsePolicy reads `agent.verify`; "" is [Format].
func ParsePolicy(value string) (Policy, error) {
	switch p := Policy(value); p {
	case "":
		return Format, nil
	case Format, Strict:
		return p, nil
	}
	return "", fmt.Errorf("agent.verify is %q, not %q or %q", value, Format, Strict)
}

// Verifier judges the run branches of one repository.
type Verifier struct {
	Git Git
	// Heads is the full prefix of run branches, "refs/heads/agent-run/".
	Heads  string
	Policy Policy
}

// Fault is one commit that must not pass, with everything that is wrong with
// it. Fields are only added.
type Fault struct {
	Ref    string   `json:"ref"` // the branch, in full; "" where only a range was given
	Run    string   `json:"run"`
	Commit string   `json:"commit"`
	Step   string   `json:"step"` // "" where none could be made out
	Codes  []string `json:"codes"`
	Says   string   `json:"says"`
	// Repair is a command that mends it, run in a working tree of the branch;
	// "" where a person has to decide. Of several, run them in this order.
	Repair string `json:"repair"`
}

// The codes of faults; frozen.
const (
	Damaged        = "damaged"              // evidence that breaks the grammar
	Scattered      = "scattered"            // evidence in several paragraphs
	Misplaced      = "misplaced"            // sound, but it belongs elsewhere
	OtherRun       = "other-run"            // evidence of another run
	FailedCheck    = "failed-check"         // a check that did not pass
	Transplanted   = "transplanted"         // another tree than the one checked
	UnknownVersion = "unknown-plan-version" // the plan has no such version
	OffChain       = "off-chain"            // not on the first-parent chain
	Uncertified    = "uncertified"          // strict: no certificate above it
)

// Branch is what was looked at in one branch or range.
type Branch struct {
	Ref          string `json:"ref"`
	Run          string `json:"run"`
	Commit       string `json:"commit"`       // its tip
	Commits      int    `json:"commits"`      // first-parent, new
	Certificates int    `json:"certificates"` // among them, sound or not
}

// Report is the answer. Faults stand newest first within a branch, so that
// mending one leaves the ids of the others as they are.
type Report struct {
	Format   int      `json:"format"`
	OK       bool     `json:"ok"`
	Policy   Policy   `json:"policy"`
	Branches []Branch `json:"branches"`
	Faults   []Fault  `json:"faults"`
	Notes    []string `json:"notes"`
}

func (v *Verifier) newReport() *Report {
	return &Report{Format: 1, Policy: v.Policy, Branches: []Branch{}, Faults: []Fault{}, Notes: []string{}}
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}
