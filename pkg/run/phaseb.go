package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// outcome is what phase B found out about one step.
type outcome struct {
	reconcile.Verdict
	record  *ledger.Record // that it is about, nil for none
	judged  judged         // of the last look at HEAD
	culprit string         // the commit that broke a regressed step
	output  string         // what the failing checks printed, for a person
}

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
			LaterRecord: later[i], Changed: touches.Touches(changed), Claims: s.claims(step.ID)}
		if step.Until != "" {
			r := s.ledger.Newest(step.Until)
			f.UntilCertified = r != nil && r.Valid() && !guards[step.Until].Void
		}
		out[i] = f
	}
	return out, nil
}

func (s *session) guards(fingerprint string, anyFingerprint bool) (map[string]reconcile.Guard, error) {
	guards, err := reconcile.Guards(reconcile.GuardFacts{Plan: s.plan, Versions: s.plans, Ledger: s.ledger,
		Fingerprint: fingerprint, AnyFingerprint: anyFingerprint, Refuted: s.refuted()})
	var unknown *reconcile.UnknownVersionError
	if errors.As(err, &unknown) {
		return nil, fail("PLAN_VERSION_UNKNOWN", ExitUnknown, err, "git agent resume "+s.run+"   # where the plan ref is whole")
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
			if r == nil || !r.Valid() || guards[s.plan.Steps[j].ID].Void {
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

// recheckAll is phase B: every step in plan order through the verdict table.
// What passed anew is recorded, all in one move of the branch.
func (s *session) recheckAll(ctx context.Context, recheck bool) error {
	fingerprint, why, err := s.fingerprint(ctx, s.Place.Top)
	if err != nil {
		return err
	}
	if why != "" {
		return s.environment("", judged{reason: why})
	}
	facts, err := s.facts(ctx, fingerprint, false, recheck)
	if err != nil {
		return err
	}
	b := &phaseB{session: s, pad: s.scratchpad(), fingerprint: fingerprint, last: map[string]judged{}, output: map[string]string{}}
	defer b.pad.remove()
	s.outcomes = map[string]outcome{}
	for _, f := range facts {
		v, err := reconcile.Judge(ctx, f, b)
		if err != nil {
			return errors.Join(err, interrupted(ctx))
		}
		o := outcome{Verdict: v, record: f.Record, judged: b.last[f.Step.ID], output: b.output[f.Step.ID]}
		if v.Status == reconcile.Regressed {
			if err := b.attribute(ctx, f, &o); err != nil {
				return errors.Join(err, interrupted(ctx))
			}
		}
		s.outcomes[f.Step.ID] = o
	}
	if err := s.refute(ctx, facts); err != nil {
		return err
	}
	if err := s.writeRecords(ctx, fingerprint); err != nil {
		return err
	}
	return s.forPerson()
}

// refute writes the failure records of certificates whose checks failed.
func (s *session) refute(ctx context.Context, facts []reconcile.Facts) error {
	for _, f := range facts {
		o := s.outcomes[f.Step.ID]
		if !o.Refute {
			continue
		}
		tree, err := s.Git.TreeOf(ctx, s.head.ID)
		if err != nil {
			return err
		}
		if err := s.record(ctx, failure{step: f.Step.ID, tree: tree, checks: o.judged.checks, refutes: f.Record.Commit.ID}); err != nil {
			return err
		}
	}
	return nil
}

// writeRecords certifies on HEAD's tree what was just seen to pass there.
func (s *session) writeRecords(ctx context.Context, fingerprint string) error {
	if !s.anyToWrite() {
		return nil
	}
	tip := s.head.ID
	tree, err := s.Git.TreeOf(ctx, tip)
	if err != nil {
		return err
	}
	written := map[string]trailers.Evidence{}
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		o := s.outcomes[step.ID]
		if !o.Write {
			continue
		}
		e := s.evidence(step, o.judged, tree, fingerprint)
		e.Attempt, e.Dirty = s.attemptsOf(step.ID), o.judged.dirty
		if tip, err = s.writeCertificate(ctx, step, e, tip); err != nil {
			return err
		}
		written[tip] = e
	}
	if err := s.Git.UpdateRefs(ctx, s.why("resume", ""), object.RefUpdate{Name: s.branch, Old: s.head.ID, New: tip}); err != nil {
		return err
	}
	for id, e := range written {
		if err := s.verifyRecord(ctx, id, e); err != nil {
			return err
		}
		s.local.Certified[id] = fingerprint
	}
	if err := s.saveLocal(); err != nil {
		return err
	}
	return s.reload(ctx)
}

func (s *session) anyToWrite() bool {
	for _, o := range s.outcomes {
		if o.Write {
			return true
		}
	}
	return false
}

// forPerson is the refusal where a row of the table stops for a person.
func (s *session) forPerson() error {
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		o, judged := s.outcomes[step.ID]
		if !judged || !o.Person {
			continue
		}
		return s.personal(step, o)
	}
	return s.unplacedClaims()
}

func (s *session) personal(step *plan.Step, o outcome) error {
	switch {
	case o.Rule == 1:
		return s.badEvidence(s.claims(step.ID)[0], step.ID)
	case o.Status == reconcile.Regressed:
		return s.regressed(step, o)
	case o.Reason == failsHere:
		return failf("ENVIRONMENT", ExitPerson, "step %s fails here and passes in a fresh checkout of the same commit: a file that git does not track, or ignores, is at fault; nothing was moved%s",
			step.ID, printed(o.output)).hint("git status --ignored").hint("git agent resume %s   # once that is mended", s.run)
	case o.Reason == "fails-on-own-tree":
		return failf("ENVIRONMENT", ExitPerson, "step %s fails at HEAD and on the tree that it was certified on: this machine, not the work, is at fault; nothing was moved%s",
			step.ID, printed(o.output)).hint("git agent resume %s   # once that is mended", s.run)
	}
	return s.environment(step.ID, o.judged)
}

// regressed names the culprit and the ways on: mended forward, or undone by a
// commit, where nothing was built upon what that would take away.
func (s *session) regressed(step *plan.Step, o outcome) error {
	own := s.ledger.Newest(step.ID)
	who, show := short(o.culprit), "git show "+short(o.culprit)
	if o.culprit == "" {
		who, show = "a commit above "+short(own.Commit.ID), fmt.Sprintf("git log --oneline --first-parent %s..HEAD", short(own.Commit.ID))
	}
	f := failf("REGRESSED", ExitPerson, "step %s is regressed: its check passes on its own tree and fails at HEAD; %s broke it, nothing was moved%s",
		step.ID, who, printed(o.output)).hint("%s", show).hint("git agent step %s   # after mending it", step.ID)
	for _, r := range s.ledger.Records {
		undo, _ := s.plan.Step(r.Evidence.Step)
		if undo == nil || r != s.ledger.Newest(undo.ID) || r != own && r.Commit.ID != o.culprit {
			continue
		}
		if s.needUntouchedSince(undo, r.Index, s.before(undo)) == nil {
			f.hint("git agent rollback %s --yes   # undo it by a commit", undo.ID)
		}
	}
	return f
}

func printed(output string) string {
	if output == "" {
		return ""
	}
	return "\n" + output
}

// badEvidence names evidence that cannot be used and the ways on: the repair,
// while nobody else has the commit, and a new certificate on top of it.
func (s *session) badEvidence(c ledger.Claim, step string) error {
	f := failf("EVIDENCE", ExitPerson, "%s: evidence is present but cannot be used, in %s: %s; nothing was moved", first(step, "no step"), short(c.Commit), joinFaults(c))
	if c.Repair != "" && !s.onRemote(c.Commit) {
		f.hint("%s", c.Repair)
	}
	if step != "" {
		f.hint("git agent step %s --empty   # check it again, for a certificate on top", step)
	}
	return f.hint("git show --no-patch %s", short(c.Commit))
}

// unmended reports whether a command stopped for evidence that can still be
// repaired in place: pushing it would take that away.
func (s *session) unmended(err error) bool {
	open := func(c ledger.Claim) bool { return !s.onRemote(c.Commit) }
	return CodeOf(err) == "EVIDENCE" && slices.ContainsFunc(s.ledger.Claims, open)
}

// onRemote: rewriting the commit would part this clone from the remote.
func (s *session) onRemote(commit string) bool {
	at, on := s.ledger.Place(commit)
	there, known := s.ledger.Within(s.remote.branch)
	return on && known && at <= there
}

// unplacedClaims stops for evidence that no step could be made out of, until a
// certificate lies above it: whatever it meant was checked since.
func (s *session) unplacedClaims() error {
	for _, c := range s.ledger.Claims {
		at, on := s.ledger.Place(c.Commit)
		top := s.ledger.Certificate()
		if len(c.Steps) == 0 && on && (top == nil || top.Index < at) {
			return s.badEvidence(c, "")
		}
	}
	return nil
}

// phaseB runs checks for the verdict table.
type phaseB struct {
	*session
	pad         *scratchpad
	fingerprint string
	last        map[string]judged // at HEAD
	output      map[string]string
}

// AtHead checks on HEAD's tree: here, or in a scratch checkout where a tracked
// change, or an untracked file that the step touches or reads, lies here.
func (b *phaseB) AtHead(ctx context.Context, step *plan.Step) (reconcile.Outcome, error) {
	dir := b.Place.Top
	clear, err := b.clearFor(ctx, step)
	if err != nil {
		return 0, err
	}
	if !clear {
		if dir, err = b.pad.at(ctx, b.head.ID); err != nil {
			return 0, err
		}
	}
	j, err := b.judge(ctx, step, place{dir: dir, step: step.ID})
	if before, asked := b.last[step.ID]; asked && before.outcome == reconcile.Failed && j.outcome == reconcile.Passed {
		b.noteFlaky(step.ID, before.tally.plus(j.tally))
	}
	if clear && err == nil {
		j.dirty, err = b.untracked(ctx)
	}
	b.last[step.ID] = j
	b.show(step.ID, "at HEAD", j)
	if err != nil || !clear || j.outcome != reconcile.Passed {
		return j.outcome, err
	}
	return j.outcome, b.unmoved(ctx, step)
}

// untracked counts the files that lay beside the tree, none of them the step's.
func (b *phaseB) untracked(ctx context.Context) (n int, err error) {
	status, err := b.status(ctx)
	for _, f := range status {
		if f.Untracked() {
			n++
		}
	}
	return n, err
}

// unmoved refuses a pass during which the check changed tracked files here:
// what it saw is not HEAD's tree any more.
func (b *phaseB) unmoved(ctx context.Context, step *plan.Step) error {
	status, err := b.status(ctx)
	if err != nil {
		return err
	}
	var moved []string
	for _, f := range status {
		if !f.Untracked() {
			moved = append(moved, f.Path)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	return checkChanged(&work{step: step, verb: "resume " + b.run}, moved)
}

func (b *phaseB) clearFor(ctx context.Context, step *plan.Step) (bool, error) {
	paths, err := plan.CompilePaths(append(slices.Clone(step.Touches), step.Reads...))
	if err != nil {
		return false, err
	}
	status, err := b.status(ctx)
	if err != nil {
		return false, err
	}
	for _, f := range status {
		if !f.Untracked() || paths.Match(f.Path) {
			return false, nil
		}
	}
	hidden, err := b.hiddenChanges(ctx)
	return !hidden, err
}

// hiddenChanges reports whether a file that git was told not to look at is
// another one than at HEAD: status does not say so.
func (b *phaseB) hiddenChanges(ctx context.Context) (bool, error) {
	flagged, err := b.Git.Flagged(ctx)
	if err != nil || len(flagged) == 0 {
		return false, err
	}
	tree, err := b.snapshot(ctx, b.head.ID, flagged)
	if err != nil {
		return false, err
	}
	changes, err := b.Git.DiffTrees(ctx, b.head.ID, tree)
	return len(changes) > 0, err
}

// AtRecord checks on the certificate's own tree.
func (b *phaseB) AtRecord(ctx context.Context, step *plan.Step, r *ledger.Record) (reconcile.Outcome, error) {
	j, err := b.at(ctx, step, r.Commit.ID)
	b.show(step.ID, "on its own tree "+short(r.Commit.ID), j)
	return j.outcome, err
}

func (b *phaseB) at(ctx context.Context, step *plan.Step, commit string) (judged, error) {
	dir, err := b.pad.at(ctx, commit)
	if err != nil {
		return judged{}, err
	}
	return b.judge(ctx, step, place{dir: dir, step: step.ID})
}

func (b *phaseB) show(step, where string, j judged) {
	if j.failed == nil || strings.Contains(b.output[step], "--- "+where+",") {
		return
	}
	b.output[step] += fmt.Sprintf("--- %s, `%s` ended with %s:\n%s\n", where, j.command, j.failed.Outcome, lastBytes(j.failed.Merged.Bytes, 2<<10))
}

// attribute finds out who broke a regressed step. A check that passes in a
// checkout of exactly HEAD's tree and fails here was broken by nothing that is
// in any commit: this place is at fault.
func (b *phaseB) attribute(ctx context.Context, f reconcile.Facts, o *outcome) error {
	clean, err := b.at(ctx, f.Step, b.head.ID)
	if err != nil {
		return err
	}
	if clean.outcome == reconcile.Passed {
		o.Verdict = reconcile.Verdict{Rule: 9, Status: reconcile.Environment, Reason: failsHere, Person: true}
		return nil
	}
	o.culprit, err = b.bisect(ctx, f.Step, f.Record)
	return err
}

// failsHere is the reason of a check that fails only in this working tree.
const failsHere = "fails-here-only"

// bisect finds the first commit above a certificate at which its step's check
// fails: one scratch checkout per halving. "" where one in between cannot tell.
func (b *phaseB) bisect(ctx context.Context, step *plan.Step, r *ledger.Record) (string, error) {
	good, bad := r.Index, len(b.ledger.Chain)-1
	for bad-good > 1 {
		middle := (good + bad) / 2
		j, err := b.at(ctx, step, b.ledger.Chain[middle].ID)
		if err != nil {
			return "", err
		}
		switch j.outcome {
		case reconcile.Passed:
			good = middle
		case reconcile.Unsettled:
			return "", nil
		default:
			bad = middle
		}
	}
	return b.ledger.Chain[bad].ID, nil
}
