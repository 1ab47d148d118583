// Package plan owns the plan: its YAML form and JSON Schema, the checks that a
// plan must pass before anything uses it, the matcher for touches and reads,
// what a trust digest covers, the difference between two plans, and the chain
// of plan versions as it was read from git.
//
// It never runs a command, never reads or writes a file or a ref, and never
// decides what a step's status is: it turns bytes and commits that somebody
// else read into values, and values into text.
//
//	p, err := plan.Parse("plan.yaml", data)
//	if err != nil {
//		return err // one line per fault: plan.yaml:7:5: …
//	}
//	touches, err := plan.CompilePaths(p.Steps[0].Touches)
package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Values of [Plan.Stray] (the design, section 6). The empty string is "not
// said": `run` then sets aside, everything else refuses.
const (
	StrayRefuse   = "refuse"
	StraySetAside = "set-aside"
	StrayInclude  = "include"
)

// Plan is a valid plan: [Parse] returns no other.
type Plan struct {
	Title string
	Base  string // revision the run starts from, as written; "" where not said
	// Target is the branch that the run lands on; "" where not said.
	Target      string
	Setup       []string // commands, run by sh -c
	Fingerprint []string // commands, run by sh -c
	Stray       string   // one of the Stray constants, or ""
	PassEnv     []string // variables that agent.env=strict lets through
	Steps       []Step   // in plan order, never empty
}

// Step is one step of a plan.
type Step struct {
	ID, Title   string
	Item        string   // the issue or ticket that the step answers; "" for none
	Touches     []string // as written; empty: declared to change nothing
	Reads       []string // as written
	Check       []Check  // never empty
	Do          string   // the command that performs the step; "" for none
	Brief       string
	Until       string // a later step, or ""
	Confirm     int    // passes in a row that certify, at least 1
	Retry       int    // how often a failed check runs again on the same tree
	Fixpoint    bool
	KeepPartial bool
	Isolate     bool
	Land        bool
}

// Check is one command that decides whether a step worked.
type Check struct {
	Run     string            // run by sh -c
	Timeout time.Duration     // 0: the default, agent.checkTimeout
	Dir     string            // repository-relative; "" is the top
	Env     map[string]string // added to the inherited environment
}

// Equal reports whether two checks are the same field by field; any other
// answer voids the guard (the design, section 7).
func (c Check) Equal(o Check) bool {
	return c.Run == o.Run && c.Timeout == o.Timeout && c.Dir == o.Dir && maps.Equal(c.Env, o.Env)
}

// String is the check on one line for a person: the command, quoted where it
// would not fit a line, and in brackets what differs from the default.
func (c Check) String() string {
	var extra []string
	if c.Timeout != 0 {
		extra = append(extra, "timeout "+c.Timeout.String())
	}
	if c.Dir != "" {
		extra = append(extra, "in "+printable(c.Dir))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		extra = append(extra, name+"="+strconv.Quote(c.Env[name]))
	}
	if extra == nil {
		return printable(c.Run)
	}
	return printable(c.Run) + " (" + strings.Join(extra, ", ") + ")"
}

// SameChecks reports whether two lists of checks are equal entry by entry, the
// question that the guard asks of a certificate's plan version.
func SameChecks(a, b []Check) bool { return slices.EqualFunc(a, b, Check.Equal) }

// Step finds a step by its id and says where it stands; nil and -1 where the
// plan has no such step.
func (p *Plan) Step(id string) (*Step, int) {
	for i := range p.Steps {
		if p.Steps[i].ID == id {
			return &p.Steps[i], i
		}
	}
	return nil, -1
}

// printable is s itself where it is one line of printable characters, else s
// quoted, so that nothing from a plan can move a terminal's cursor.
func printable(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}
