package run

import (
	"context"
	"errors"
	"fmt"

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
	if err := s.reload(ctx); err != nil {
		return err
	}
	for id, e := range written {
		if err := s.verifyRecord(id, e); err != nil {
			return err
		}
		s.local.Certified[id] = fingerprint
	}
	return s.saveLocal()
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
		step.ID, who, printed(o.output)).hint("%s", show)
	if step.Do == "" {
		f = f.hint("git agent step %s   # after mending it", step.ID)
	} else {
		f = f.hint("git agent resume %s   # after mending it by a commit", s.run)
	}
	for _, r := range s.ledger.Records {
		undo, _ := s.plan.Step(r.Evidence.Step)
		if undo == nil || r != s.ledger.Newest(undo.ID) || r != own && r.Commit.ID != o.culprit {
			continue
		}
		if before, _ := s.before(undo); s.needUntouchedSince(undo, r.Index, before) == nil {
			f = f.hint("git agent rollback %s --yes   # undo it by a commit", undo.ID)
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
