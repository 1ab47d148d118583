package run

import (
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// orphans lists steps with evidence that today's plan does not have.
func (s *session) orphans() []string {
	var found []string
	for _, r := range s.ledger.Records {
		if step, _ := s.plan.Step(r.Evidence.Step); step == nil {
			found = append(found, r.Evidence.Step)
		}
	}
	return sortedUnion(found)
}

// tellOrphans names the certified work that no step of the plan answers for any
// more: nobody checks it again, and it lands with the rest.
func (s *session) tellOrphans() []string {
	var w []string
	for _, id := range s.orphans() {
		if r := s.records().Record(id); r != nil && len(r.Span) > 0 {
			w = append(w, id+": the plan has it no more; what "+short(r.Commit.ID)+" certified of it stays in the run, and lands with it")
		}
	}
	return w
}

// WarnNoRemote is the one warning that is about the clone, not about the run.
const WarnNoRemote = "there is no remote: progress lives in this clone only"

func (s *session) warnings() []string {
	var w []string
	if s.remote.name == "" {
		w = append(w, WarnNoRemote)
	}
	if s.remote.err != nil {
		w = append(w, s.remote.err.Error())
	}
	for _, c := range s.ledger.Claims {
		w = append(w, "evidence in "+short(c.Commit)+" cannot be used: "+joinFaults(c))
	}
	for _, id := range s.ledger.Differs {
		w = append(w, "git's configuration here makes it read the trailers of "+short(id)+" otherwise than they are written")
	}
	for _, r := range s.ledger.Records {
		if r.Transplanted {
			w = append(w, "the evidence of "+r.Evidence.Step+" in "+short(r.Commit.ID)+" was made on another tree (rebase, cherry-pick or amend)")
		}
	}
	w = append(w, s.tellOrphans()...)
	for _, c := range s.ledger.Chain {
		if trailers.Hidden(c.Message) {
			w = append(w, "a paragraph of trailers below the evidence in "+short(c.ID)+" hides it, so it counts for nothing")
		}
	}
	w = append(w, s.uncertifiedPaths()...)
	return append(w, s.chain.Faults...)
}

func joinFaults(c ledger.Claim) string {
	text := ""
	for i, f := range c.Faults {
		if i > 0 {
			text += "; "
		}
		text += f
	}
	return text
}

// uncertifiedPaths names steps whose paths a certificate of another step
// changed: that evidence is not theirs. What both steps' patterns cover, as a
// folder that many share, is the other step's own work; a path that this step
// names exactly is told all the same.
func (s *session) uncertifiedPaths() []string {
	var w []string
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		if s.ledger.Newest(step.ID) != nil || len(step.Touches) == 0 {
			continue
		}
		touches, err := plan.CompilePaths(step.Touches)
		if err != nil {
			continue
		}
		for _, r := range s.ledger.Records {
			theirs := s.touchesOf(r.Evidence.Step)
			for _, c := range r.Span {
				if touches.Match(c.Path) && (touches.Exact(c.Path) || !theirs.Match(c.Path)) {
					w = append(w, step.ID+": its paths changed in "+short(r.Commit.ID)+" ("+r.Evidence.Step+"), not certified")
					break
				}
			}
		}
	}
	return w
}

// touchesOf is what a step may touch, nothing for one that the plan has no more.
func (s *session) touchesOf(id string) plan.Paths {
	step, _ := s.plan.Step(id)
	if step == nil {
		return plan.Paths{}
	}
	touches, err := plan.CompilePaths(step.Touches)
	if err != nil {
		return plan.Paths{}
	}
	return touches
}
