package run

import (
	"context"
	"fmt"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// keptBranch mends what a job must not do: leave the branch, rewrite what lay
// below it, or write evidence. What it made is preserved, the branch is put back.
func (s *session) keptBranch(ctx context.Context, step *plan.Step, a *attempt) error {
	head, err := s.Git.Head(ctx)
	if err != nil {
		return err
	}
	tip, err := s.Git.Ref(ctx, s.branch)
	if err != nil {
		return err
	}
	chain, kept, err := s.descends(ctx, s.tip, tip)
	if err != nil {
		return err
	}
	left := left{step: step.ID, before: s.tip, tip: tip, head: head.ID}
	if !kept || head.Branch != s.branch {
		return s.backToBefore(ctx, left, "left or rewrote branch "+ShortBranch(s.branch))
	}
	if err := s.noEvidence(ctx, left, chain); err != nil || len(chain) == 0 {
		return err
	}
	for _, c := range chain {
		s.local.JobMade = append(s.local.JobMade, c.ID)
	}
	return s.saveLocal()
}

// noEvidence refuses certificates among the commits of a job: a step is done
// when its checks passed, not when whoever did it says so.
func (s *session) noEvidence(ctx context.Context, l left, commits []object.Commit) error {
	for _, c := range commits {
		if isCertificate(c.Message, s.run, "") && !s.madeHere(c.ID) {
			return s.backToBefore(ctx, l, fmt.Sprintf("wrote evidence itself (%s)", short(c.ID)))
		}
	}
	return nil
}

// ownWords is noEvidence for a job that nobody saw end: what is above its
// boundary, and neither of this clone nor on the remote.
func (s *session) ownWords(ctx context.Context, a *attempt) error {
	from, on := s.ledger.Place(a.Tip)
	if !a.Job || !on {
		return nil
	}
	from = max(from, s.newestThere())
	return s.noEvidence(ctx, left{step: a.Step, before: a.Tip, tip: s.tip, head: s.head.ID}, s.ledger.Chain[from+1:])
}

// left is where a job left the branch and HEAD.
type left struct{ step, before, tip, head string }

func (s *session) backToBefore(ctx context.Context, l left, what string) error {
	var saved []string
	for _, id := range sortedUnion([]string{l.head, l.tip}) {
		if id == "" || id == l.before {
			continue
		}
		ref, err := s.store.SaveNext(ctx, lostPrefix(s.run), id)
		if err != nil {
			return err
		}
		saved = append(saved, ref)
	}
	if l.tip != l.before {
		if err := s.Git.UpdateRefs(ctx, s.why("step", l.step), object.RefUpdate{Name: s.branch, Old: l.tip, New: l.before}); err != nil {
			return err
		}
		if err := s.reload(ctx); err != nil { // the report is of what is there
			return err
		}
	}
	kept := "nothing had to be kept"
	if len(saved) > 0 {
		kept = "what it made is kept at " + listPaths(saved)
	}
	return failf("BRANCH_LEFT", ExitPerson, "step %s: the job %s; %s, the branch is at %s again", l.step, what, kept, short(l.before)).
		hint("git status").hint("git agent resume %s", s.run)
}

// descends lists the commits by which tip is above before, on its first-parent
// chain; ok is false where before is not below it.
func (s *session) descends(ctx context.Context, before, tip string) (chain []object.Commit, ok bool, err error) {
	if tip == before || tip == "" {
		return nil, tip == before, nil
	}
	below, err := s.Git.IsAncestor(ctx, before, tip)
	if err != nil || !below {
		return nil, false, err
	}
	chain, err = s.Git.Chain(ctx, before, tip)
	return chain, err == nil && len(chain) > 0 && chain[0].FirstParent() == before, err
}
