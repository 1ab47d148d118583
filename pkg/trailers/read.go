package trailers

import (
	"fmt"
	"slices"
)

// Kind is what a message is, by its trailers. A message is exactly one kind.
type Kind int

const (
	// None has no evidence: a person's commit, prose that mentions trailers.
	None Kind = iota
	// Certificate is sound evidence whose checks all ended with exit 0.
	// Whether it still holds is for the reader of the tree.
	Certificate
	// Undo takes back the step in [Reading.Undo].
	Undo
	// FailureRecord is sound evidence with a check that did not pass. It
	// belongs on the plan ref; on a run branch it certifies nothing.
	FailureRecord
	// PlanVersion is a commit of the plan chain.
	PlanVersion
	// Landing is a landing marker's commit: Landed or Opened is set, as
	// written; its spelling is checked by the package of landings.
	Landing
	// Squash is one block of two or more groups, each begun by
	// Agent-Step. It is read for landing only: on a run branch two
	// Agent-Step trailers are damage (see [Reading.RunBranchFaults]).
	Squash
	// Damaged has evidence that breaks the grammar; Faults says where. What
	// could be read is filled in, to be shown and never to be believed.
	Damaged
	// Scattered has its evidence in several paragraphs, of which git reads
	// the last alone. Repair is filled in where it can be put right.
	Scattered
)

var kindNames = [...]string{
	"none", "certificate", "undo", "failure record", "plan version", "landing",
	"squash", "damaged", "scattered",
}

// String is the kind in words, for messages.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return kindNames[k]
}

// Reading is what [Read] found in one message.
type Reading struct {
	Kind Kind
	// Evidence is set for Certificate and FailureRecord; for Undo,
	// PlanVersion and Landing it holds the run, step and plan version that
	// the block names, if any.
	Evidence       Evidence
	Undo           string // the step whose work is taken back
	Base           string // the run's base, on the first plan version
	Landed, Opened string // a marker, as written
	Groups         []Evidence
	// Faults is empty unless Kind is Damaged or Scattered, and then complete.
	Faults []string
	// Repair is a command line that rewrites HEAD's message into one block,
	// where HEAD is the commit that was read; [RepairCommand] makes the one
	// for an older commit. Empty where nothing can be repaired mechanically.
	Repair string
}

// Read says what a raw commit message is. It reads the last block only: lines
// of the body, fenced examples and pasted diffs are never evidence.
func Read(message string) Reading { return new(Reader).Read(message) }

// Reader is [Read] for many messages: the room that it took to take one apart
// serves for the next.
type Reader struct{ room []Trailer }

// usual is more trailers than most blocks have.
const usual = 12

// Read answers what the function of that name does; no answer holds on to the
// Reader's room.
func (rd *Reader) Read(message string) Reading {
	if rd.room == nil {
		rd.room = make([]Trailer, 0, usual)
	}
	block := trailersOf(lead(message), rd.room)
	r := classify(block)
	if r.Kind == Certificate || r.Kind == FailureRecord || r.Kind == Undo || r.Kind == Squash {
		return r
	}
	if s, ok := readScattered(message); ok {
		return s
	}
	if len(block) == 0 {
		return readTorn(message)
	}
	return r
}

// RunBranchFaults is Faults, and where the message is sound but has no place
// on a run's branch, why: a squash there is two steps in one commit, and plan
// versions and landing markers live on the plan ref. A failure record is left
// to the caller: it is evidence that does not certify.
func (r Reading) RunBranchFaults() []string {
	switch r.Kind {
	case Squash:
		return []string{fmt.Sprintf("%d %s trailers where one may stand: a squash made for landing", len(r.Groups), KeyStep)}
	case PlanVersion, Landing:
		return []string{fmt.Sprintf("a %s on the run's branch", r.Kind)}
	}
	return slices.Clone(r.Faults)
}

// classify reads one block. The keys that are there say what it means to be;
// the rules of that kind say whether it is sound.
func classify(block []Trailer) Reading {
	c := collect(block)
	switch {
	case c.has(fieldLanded, fieldOpened):
		return c.landing()
	case c.has(fieldUndo):
		return c.undo()
	case c.has(fieldBase), c.has(fieldPlanVersion) && !c.has(fieldStep, fieldCheck, fieldTree, fieldAttempt, fieldRefutes):
		return c.planVersion()
	case c.count[fieldStep] > 1:
		return readSquash(block)
	case c.has(fieldRun, fieldStep, fieldCheck, fieldTree, fieldAttempt, fieldStray, fieldDirty, fieldFingerprint, fieldRefutes):
		return c.record()
	}
	return Reading{}
}

func (c *collector) record() Reading {
	e := c.evidence()
	kind := Certificate
	if !e.Passed() {
		kind = FailureRecord
	}
	return judged(Reading{Kind: kind, Evidence: e}, c.faults)
}

func (c *collector) undo() Reading {
	r := Reading{Kind: Undo, Undo: c.id(fieldUndo, true), Evidence: c.names()}
	c.forbid(KeyUndo, fieldStep, fieldCheck, fieldTree, fieldRefutes, fieldBase)
	return judged(r, c.faults)
}

func (c *collector) planVersion() Reading {
	r := Reading{Kind: PlanVersion, Base: c.valid(fieldBase, false, validOID), Evidence: c.names()}
	c.forbid("a plan version", fieldStep, fieldCheck, fieldTree, fieldAttempt, fieldStray, fieldDirty, fieldFingerprint, fieldRefutes)
	return judged(r, c.faults)
}

func (c *collector) landing() Reading {
	r := Reading{Kind: Landing, Evidence: c.names()}
	r.Landed, _ = c.one(fieldLanded)
	r.Opened, _ = c.one(fieldOpened)
	c.lines(fieldLanded)
	c.lines(fieldOpened)
	if r.Landed != "" && r.Opened != "" {
		c.fault("%s and %s in one block", fieldLanded, fieldOpened)
	}
	c.forbid("a landing", fieldCheck, fieldUndo, fieldRefutes, fieldBase)
	return judged(r, c.faults)
}

// names are the optional trailers of a message that is no evidence.
func (c *collector) names() Evidence {
	return Evidence{
		Run:         c.id(fieldRun, false),
		Step:        c.id(fieldStep, false),
		PlanVersion: c.number(fieldPlanVersion, false, 1),
		Notes:       c.lines(fieldNote),
		Other:       c.others(),
	}
}

// forbid keeps a fault for each field that has no place beside what.
func (c *collector) forbid(what string, all ...field) {
	for _, f := range all {
		if c.has(f) {
			c.fault("%s beside %s", f, what)
		}
	}
}

// judged turns a reading with faults into a damaged one.
func judged(r Reading, faults []string) Reading {
	r.Faults = faults
	if len(faults) > 0 {
		r.Kind = Damaged
	}
	return r
}
