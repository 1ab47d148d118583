package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// target is one branch, or range, with what is to be judged of it.
type target struct {
	ref, run string // "" where unknown: then each certificate is of its own run
	branch   string // short name, to check out before mending
	tip      string
	old      string    // what the branch was; "" where it is new
	base     string    // where the run begins; "" where that is not known
	chain    []*commit // first-parent, oldest first
	side     []*commit // reached through other parents only
}

// claimed is what a certificate is about.
type claimed struct{ run, step string }

// judge is one walk from the newest commit to the oldest.
type judge struct {
	target
	policy Policy
	plans  map[string]plan.Chain // by run, those at hand
	later  bool                  // a newer plan may still come (update hook)
	// compare: git's own reading was asked, and may be another.
	compare bool
	// head answers HEAD's commit, which needs no checkout; asked for a repair.
	head func() string

	sound        map[claimed]bool // what a newer record or undo settles
	covered      bool             // a sound certificate or an undo lies above
	certificates int
	faults       []Fault
	notes        []string
}

// run judges the whole chain.
func (j *judge) run() {
	j.sound = map[claimed]bool{}
	for _, c := range slices.Backward(j.chain) {
		j.commit(c)
	}
	j.offChain()
}

// commit files one commit under what it is.
func (j *judge) commit(c *commit) {
	r := c.reading
	switch r.Kind {
	case trailers.Squash, trailers.PlanVersion, trailers.Landing:
		if j.target.run != "" { // a landing belongs into any other branch
			j.unusable(c, r)
		}
	case trailers.None:
		if trailers.Hidden(c.Message) {
			j.notes = append(j.notes, fmt.Sprintf("commit %s: a paragraph of trailers below its evidence hides that, so it counts for nothing", object.Short(c.ID)))
		}
		if j.policy == Strict && !j.covered {
			j.fault(c, "", resume, found{Uncertified, "no certificate of the run covers it"})
		}
	case trailers.Certificate:
		j.certificates++
		j.certificate(c, r.Evidence)
	case trailers.Undo:
		if other := j.otherRun(r.Evidence.Run); other != nil {
			j.fault(c, r.Undo, plain, *other)
			return
		}
		j.settle(r.Evidence.Run, r.Undo)
	case trailers.FailureRecord:
		j.certificates++
		failed := found{FailedCheck, "it records " + firstFailure(r.Evidence) + "; a failure record belongs on the plan ref"}
		j.fault(c, r.Evidence.Step, plain, failed)
	default:
		j.unusable(c, r)
	}
}

// certificate judges one that parses.
func (j *judge) certificate(c *commit, e trailers.Evidence) {
	if other := j.otherRun(e.Run); other != nil {
		j.fault(c, e.Step, plain, *other)
		return
	}
	var faults []found
	moved := e.Tree != "" && e.Tree != c.Tree
	switch {
	case moved && j.sound[claimed{e.Run, e.Step}]:
		j.notes = append(j.notes, fmt.Sprintf("commit %s: the certificate of %s was moved onto another tree; a newer one replaces it", object.Short(c.ID), e.Step))
	case moved:
		faults = append(faults, found{Transplanted, fmt.Sprintf("its checks ran on tree %s, the commit has %s (a rebase, cherry-pick or amend)", object.Short(e.Tree), object.Short(c.Tree))})
	}
	if unknown := j.unknownVersion(c, e); unknown != nil {
		faults = append(faults, *unknown)
	}
	if len(faults) > 0 {
		j.fault(c, e.Step, resume, faults...)
		return
	}
	if !moved {
		j.settle(e.Run, e.Step)
	}
	if j.compare && !slices.Equal(trailers.ParseBlock(c.Trailers), trailers.Parse(c.Message).Trailers) {
		j.notes = append(j.notes, fmt.Sprintf("commit %s: git reads its trailers otherwise under this configuration (trailer.*, core.commentChar)", object.Short(c.ID)))
	}
}

// settle: what lies below is covered, and older claims of the step are history.
func (j *judge) settle(run, step string) {
	j.covered = true
	if run == "" {
		run = j.target.run
	}
	j.sound[claimed{run, step}] = true
}

func (j *judge) otherRun(run string) *found {
	if run == "" || j.target.run == "" || run == j.target.run {
		return nil
	}
	return &found{OtherRun, fmt.Sprintf("its evidence is of run %q, the branch is of run %q", run, j.target.run)}
}

// unknownVersion: where the plan is at hand it has to hold the version.
func (j *judge) unknownVersion(c *commit, e trailers.Evidence) *found {
	chain, known := j.plans[e.Run]
	if !known || e.PlanVersion <= len(chain.Versions) {
		return nil
	}
	said := fmt.Sprintf("plan version %d is not known here, the newest is %d", e.PlanVersion, len(chain.Versions))
	if j.later {
		j.notes = append(j.notes, fmt.Sprintf("commit %s: %s; it may come in the same push, which only a pre-receive hook sees", object.Short(c.ID), said))
		return nil
	}
	return &found{UnknownVersion, said}
}

// unusable is evidence that cannot be read, or that has no place here.
func (j *judge) unusable(c *commit, r trailers.Reading) {
	code := Misplaced
	switch r.Kind {
	case trailers.Damaged:
		code = Damaged
	case trailers.Scattered:
		code = Scattered
	}
	said := []found{{code, strings.Join(r.RunBranchFaults(), "; ")}}
	if other := j.otherRun(r.Evidence.Run); other != nil {
		said = append(said, *other)
	}
	mend := plain
	if code == Scattered && len(said) == 1 && mendable(c.Message, c.Tree, r.Evidence) {
		mend = gathered
	}
	j.fault(c, r.Evidence.Step, mend, said...)
}

// mendable: with its evidence in one block the commit would be sound.
func mendable(message, tree string, e trailers.Evidence) bool {
	_, err := trailers.Repair(message)
	return err == nil && e.Passed() && (e.Tree == "" || e.Tree == tree)
}

// offChain names certificates of the run that only a merge's other side holds.
func (j *judge) offChain() {
	l := ledger.Read(j.target.run, "", nil)
	l.OffChain(plainly(j.side))
	for _, claim := range l.Claims {
		if step := claim.Steps[0]; !j.sound[claimed{j.target.run, step}] {
			i := slices.IndexFunc(j.side, func(c *commit) bool { return c.ID == claim.Commit })
			j.fault(j.side[i], step, again, found{OffChain, claim.Faults[0]})
		}
	}
}

func firstFailure(e trailers.Evidence) string {
	for _, c := range e.Checks {
		if !c.Outcome.Passed() {
			return fmt.Sprintf("%q with %s", c.Command, c.Outcome)
		}
	}
	return "no check"
}

// found is one thing that is wrong with a commit.
type found struct{ code, says string }

func (j *judge) fault(c *commit, step string, mend mending, all ...found) {
	f := Fault{Ref: j.ref, Run: j.target.run, Commit: c.ID, Step: step, Repair: j.repair(c, step, mend)}
	var says []string
	for _, one := range all {
		f.Codes, says = append(f.Codes, one.code), append(says, one.says)
	}
	f.Says = strings.Join(says, "; ")
	j.faults = append(j.faults, f)
}
