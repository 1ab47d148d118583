package run

import (
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// subject is one run as a preflight looks at it: this command's own, or another
// one that has the same item.
type subject struct {
	run, base string
	plan      *plan.Plan
	versions  map[int]*plan.Plan // all that can be read; nil where there is one
	past      bool               // plan is an older version
	own       bool               // the run of this command
	chain     plan.Chain
	ledger    *ledger.Ledger
	branch    string // its tip, on the remote where there is one; "" where it is gone
	pushed    bool   // its branch has been on the remote
	gone      bool   // and is there no more, whatever is here
	baseTree  string
	cancelled bool
	began     time.Time
	stand     stands
}

// itself is the run of this session.
func (s *session) itself() *subject {
	o := &subject{own: true, stand: s.stand, run: s.run, base: s.base, plan: s.plan, chain: s.chain, ledger: s.ledger, branch: s.tip, began: s.chain.Versions[0].Time}
	o.pushed, o.versions = s.remote.plan != "", s.plans
	o.gone = s.remote.lacks != "" && s.remote.branch == ""
	if s.remote.answers() && o.branch == "" {
		o.branch = s.remote.branch
	}
	return o
}

// allSteps are the ids of the plan, in order.
func (o *subject) allSteps() []string {
	ids := make([]string, 0, len(o.plan.Steps))
	for i := range o.plan.Steps {
		ids = append(ids, o.plan.Steps[i].ID)
	}
	return ids
}

// bareItem is an item as it is compared: 15 and #15 are one issue.
func bareItem(item string) string { return strings.TrimPrefix(item, "#") }

// stepsFor are those that answer an item.
func (o *subject) stepsFor(item string) []string { return stepsFor(o.plan, item) }

func stepsFor(p *plan.Plan, item string) []string {
	var ids []string
	for i := range p.Steps {
		if it := p.Steps[i].Item; it != "" && bareItem(it) == bareItem(item) {
			ids = append(ids, p.Steps[i].ID)
		}
	}
	return ids
}

// mark is one landing marker with what it covers.
type mark struct {
	landing.Marker
	fact  plan.Marker
	index int // on the run's chain, -1 where it cannot be told
	steps []string
}

// landed reads the markers of landings on a branch, newest last. One that does
// not read as a marker is a doubt: it may say anything.
func (o *subject) landed(branch string) (marks []mark, doubts []landing.Doubt) {
	for _, m := range o.chain.Markers {
		if m.Landed == "" {
			continue
		}
		read, ok := landing.ParseValue(m.Landed)
		if !ok || read.Verb != landing.Landed || read.Run != o.run || len(read.SHA) < 40 {
			doubts = append(doubts, landing.Doubt{How: landing.MarkerUnread, Text: "what stands for a marker in " + short(m.Commit) + " is none: " + m.Landed})
			continue
		}
		if read.Branch == branch {
			k := mark{Marker: read, fact: m, index: o.landedUpTo(m, read)}
			k.steps = o.contained(k)
			marks = append(marks, k)
		}
	}
	return marks, doubts
}

// landedUpTo is the place of the certificate up to which a marker says that the
// run landed: named, or itself what landed, else the newest when it was written.
func (o *subject) landedUpTo(m plan.Marker, read landing.Marker) int {
	for _, id := range []string{m.Certificate, read.SHA} {
		if at, on := o.ledger.Place(id); on && id != "" {
			return at
		}
	}
	at := -1
	for _, r := range o.ledger.Records {
		if !r.Commit.Time.After(m.Time) {
			at = r.Index
		}
	}
	return at
}

// contained are the steps that a marker covers: in plan order up to the one it
// names, and certified below what landed. Where the branch is gone the plan
// of that time alone says it.
func (o *subject) contained(k mark) []string {
	p := o.plan
	if len(o.ledger.Chain) == 0 && o.versions != nil {
		if p = o.versions[k.fact.PlanVersion]; p == nil {
			return nil
		}
	}
	_, last := p.Step(k.fact.Step)
	if last < 0 {
		last = len(p.Steps) - 1
	}
	var ids []string
	for i := range p.Steps[:last+1] {
		id := p.Steps[i].ID
		certified := slices.ContainsFunc(o.ledger.Of(id), func(r *ledger.Record) bool { return r.Index <= k.index })
		if (certified || len(o.ledger.Chain) == 0) && !o.reopened(id, k.index) && !o.takenOut(id, k) {
			ids = append(ids, id)
		}
	}
	return ids
}

// newer are certificates of steps that a landing contained, made after it; one
// that changed nothing (a check that ran again) is none.
func (o *subject) newer(k mark) []string {
	var ids []string
	for _, r := range o.ledger.Records {
		if r.Index > k.index && slices.Contains(k.steps, r.Evidence.Step) && !o.changesNothing(r.Index) {
			ids = append(ids, r.Commit.ID)
		}
	}
	return ids
}

// unexplained are the other commits above a landing of the whole run; above one
// of an older plan the run went on.
func (o *subject) unexplained(k mark) []string {
	if o.past || len(o.ledger.Chain) == 0 || len(k.steps) < len(o.plan.Steps) {
		return nil
	}
	var ids []string
	for i, c := range o.ledger.Chain {
		if i > k.index && !o.changesNothing(i) && !o.isRecord(c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func (o *subject) isRecord(id string) bool {
	return slices.ContainsFunc(o.ledger.Records, func(r *ledger.Record) bool { return r.Commit.ID == id })
}

func (o *subject) changesNothing(i int) bool { return len(o.ledger.Chain[i].Changes) == 0 }

// opened is the pull request that the run's newest marker of that kind names; a
// landing after it closed it.
func (o *subject) opened() (pr int, step string) {
	for _, m := range o.chain.Markers {
		if m.Landed != "" {
			pr, step = 0, ""
			continue
		}
		if read, ok := landing.ParseValue(m.Opened); ok && read.Run == o.run {
			pr, step = read.PR, m.Step
		}
	}
	return pr, step
}

// chainOf walks first parents from a tip down to base.
func chainOf(commits map[string]object.Commit, base, tip string) []object.Commit {
	var chain []object.Commit
	for id := tip; id != "" && id != base; {
		c, ok := commits[id]
		if !ok {
			break
		}
		chain = append(chain, c)
		id = c.FirstParent()
	}
	slices.Reverse(chain)
	return chain
}
