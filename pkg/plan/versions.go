package plan

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// ErrNoVersion says that a chain does not begin with plan version 1 and its
// base, so that nothing in it can be used: it is truncated, or no plan.
var ErrNoVersion = errors.New("the chain does not begin with plan version 1 and its base")

// Chain is what the commits of refs/agent/<run> say (the design, sections 3
// and 4). The plans themselves are in the commits' trees, in plan.yaml.
type Chain struct {
	Run      string
	Base     string    // the commit that the run starts from, pinned by version 1
	Versions []Version // never empty; version n is Versions[n-1]
	Failures []Failure // oldest first
	Markers  []Marker  // oldest first
	// Faults are commits that do not belong there, or not as they are, one
	// line each. They are reported and otherwise ignored, except failure
	// records: an odd one still counts.
	Faults []string
}

// Version is one version of the plan.
type Version struct {
	Number int // from 1
	Commit string
	Time   time.Time
}

// Failure is one failure record: a failed attempt or, where Refutes names a
// certificate, a check of it that failed on its own tree or at the tip.
type Failure struct {
	Commit  string
	Step    string
	Attempt int // 0 where not said
	// AttemptID tells two attempts of one number apart, made by two clones that
	// did not know of each other; "" where not said.
	AttemptID   string
	PlanVersion int
	Tree        string
	Checks      []trailers.Check
	Refutes     string // "" where the record only counts an attempt
	Time        time.Time
}

// Marker is one landing marker. Exactly one of Landed and Opened is set, as
// written; its form is read by pkg/landing.
type Marker struct {
	Commit         string
	Step           string // the last step that landed, "" for the whole run
	Landed, Opened string
	Time           time.Time
	// Certificate is the commit of the run's branch up to which it landed, ""
	// where the marker does not say.
	Certificate string
	// PlanVersion is the newest version below the marker: what it was written under.
	PlanVersion int
}

// Latest is the newest version.
func (c Chain) Latest() Version { return c.Versions[len(c.Versions)-1] }

// ReadChain reads the commits of one plan ref, oldest first. The error wraps
// [ErrNoVersion] where there is no version to begin with; everything else that
// is wrong is a fault of the chain that was read.
func ReadChain(commits []object.Commit) (Chain, error) {
	var c Chain
	previous := ""
	for _, commit := range commits {
		if off := offChain(commit, previous); off != "" {
			c.fault(commit, "%s", off)
		}
		c.read(commit, trailers.Read(commit.Message))
		previous = commit.ID
	}
	if len(c.Versions) == 0 {
		if len(c.Faults) == 0 {
			return Chain{}, fmt.Errorf("%w: it is empty", ErrNoVersion)
		}
		return Chain{}, fmt.Errorf("%w: %s", ErrNoVersion, c.Faults[0])
	}
	return c, nil
}

// offChain says why a commit does not follow the one before it. A chain is
// linear, and nothing comes before its first commit.
func offChain(commit object.Commit, previous string) string {
	switch {
	case len(commit.Parents) > 1:
		return "is a merge; a plan's versions are one line"
	case commit.FirstParent() != "" && commit.FirstParent() != previous:
		return "does not follow the commit before it"
	}
	return ""
}

// read files one commit under what it is.
func (c *Chain) read(commit object.Commit, r trailers.Reading) {
	e := r.Evidence
	named := e.Run != "" && (r.Kind == trailers.PlanVersion || r.Kind == trailers.FailureRecord || r.Kind == trailers.Landing)
	switch {
	case named && c.Run != "" && e.Run != c.Run:
		c.fault(commit, "belongs to run %q, not %q", e.Run, c.Run)
	case r.Kind == trailers.PlanVersion:
		c.readVersion(commit, r)
	case r.Kind == trailers.FailureRecord:
		c.readFailure(commit, e)
	case r.Kind == trailers.Landing:
		c.Markers = append(c.Markers, Marker{commit.ID, e.Step, r.Landed, r.Opened, commit.Time, markerCertificate(e), len(c.Versions)})
	case len(r.Faults) > 0:
		c.fault(commit, "%s: %s", r.Kind, strings.Join(r.Faults, "; "))
	default:
		c.fault(commit, "is neither a plan version nor a failure record nor a marker (%s)", r.Kind)
	}
}

// readVersion takes the next version. One out of turn is not used: a replayed
// old version would otherwise bring back checks that were replaced.
func (c *Chain) readVersion(commit object.Commit, r trailers.Reading) {
	number, next := r.Evidence.PlanVersion, len(c.Versions)+1
	switch {
	case r.Evidence.Run == "":
		c.fault(commit, "is a plan version without %s", trailers.KeyRun)
		return
	case number != next:
		c.fault(commit, "is plan version %d where version %d is next", number, next)
		return
	case next == 1 && r.Base == "":
		c.fault(commit, "is plan version 1 without %s", trailers.KeyBase)
		return
	case next > 1 && r.Base != "" && r.Base != c.Base:
		c.fault(commit, "moves the base from %s, which version 1 pinned", object.Short(c.Base))
		return
	case next == 1:
		c.Run, c.Base = r.Evidence.Run, r.Base
	}
	c.Versions = append(c.Versions, Version{number, commit.ID, commit.Time})
}

// readFailure keeps a record even where it is odd: forgetting a failure would
// be the unsafe reading.
func (c *Chain) readFailure(commit object.Commit, e trailers.Evidence) {
	if e.PlanVersion > len(c.Versions) {
		c.fault(commit, "records a failure under plan version %d, which is not below it", e.PlanVersion)
	}
	if e.Attempt == 0 && e.Refutes == "" {
		c.fault(commit, "records a failure without %s", trailers.KeyAttempt)
	}
	if e.Tree == "" {
		c.fault(commit, "records a failure without %s", trailers.KeyTree)
	}
	c.Failures = append(c.Failures, Failure{
		Commit:      commit.ID,
		Step:        e.Step,
		Attempt:     e.Attempt,
		AttemptID:   AttemptID(e),
		PlanVersion: e.PlanVersion,
		Tree:        e.Tree,
		Checks:      e.Checks,
		Refutes:     e.Refutes,
		Time:        commit.Time,
	})
}

// KeyAttemptID is a further trailer of a failure record: the attempt's id.
const KeyAttemptID = "Agent-Attempt-Id"

// AttemptID is the id that a failure record names, "" for none.
func AttemptID(e trailers.Evidence) string {
	for _, t := range e.Other {
		if strings.EqualFold(t.Key, KeyAttemptID) {
			return t.Value
		}
	}
	return ""
}

func (c *Chain) fault(commit object.Commit, format string, args ...any) {
	c.Faults = append(c.Faults, "commit "+object.Short(commit.ID)+" "+fmt.Sprintf(format, args...))
}
