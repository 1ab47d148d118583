package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// reappend takes failure records and markers that only this clone has to the
// remote's tip, oldest first (the design, section 4): they say nothing about
// the plan, so that somebody else's newer commit is no conflict. Nor is a
// version where somebody else made the very same one.
// done is false, and nothing moved, where another version is among them: a
// person decides that.
func (s *session) reappend(ctx context.Context) (done bool, err error) {
	ours, err := s.Git.History(ctx, s.remote.plan, s.planTip)
	if err != nil {
		return false, err
	}
	commits, err := s.Git.Chain(ctx, "", s.remote.plan)
	if err != nil {
		return false, err
	}
	ours = slices.DeleteFunc(ours, func(c object.Commit) bool {
		return !appended(c) && slices.ContainsFunc(commits, func(t object.Commit) bool { return twins(c, t) })
	})
	if slices.ContainsFunc(ours, func(c object.Commit) bool { return !appended(c) }) {
		return false, nil
	}
	theirs, err := plan.ReadChain(commits)
	if err != nil {
		return false, err
	}
	tree, err := s.Git.TreeOf(ctx, s.remote.plan)
	if err != nil {
		return false, err
	}
	tip := s.remote.plan
	for _, c := range ours {
		message, err := renumbered(c.Message, &theirs)
		if err != nil {
			return false, err
		}
		if message == "" {
			continue
		}
		if tip, err = s.Git.WriteCommit(ctx, newCommit(tree, tip, message)); err != nil {
			return false, err
		}
	}
	if err := s.Git.UpdateRefs(ctx, s.why("fetch", ""), object.RefUpdate{Name: PlanRef(s.run), Old: s.planTip, New: tip}); err != nil {
		return false, err
	}
	s.planTip = tip
	return true, nil
}

// appended tells what says nothing about the plan from a version of it.
func appended(c object.Commit) bool {
	k := trailers.Read(c.Message).Kind
	return k == trailers.FailureRecord || k == trailers.Landing
}

// twins reports whether two machines made the same version, with the same plan,
// number, title and base: they differ in who wrote them. Two begin a run at the
// same moment; or one amends, dies before it pushes, and another does it again.
func twins(a, b object.Commit) bool {
	return len(a.Parents) == len(b.Parents) && a.Tree == b.Tree && a.Message == b.Message
}

// renumbered is the message to write again: an attempt whose number the other
// side has counted too was another attempt, and gets the next number. "" for a
// refutation or a marker that is there already.
func renumbered(message string, theirs *plan.Chain) (string, error) {
	r := trailers.Read(message)
	if r.Kind == trailers.Landing && slices.ContainsFunc(theirs.Markers, func(m plan.Marker) bool { return m.Landed == r.Landed && m.Opened == r.Opened }) {
		return "", nil // two clones found the same landing
	}
	if r.Kind != trailers.FailureRecord {
		return message, nil
	}
	e := r.Evidence
	if e.Refutes != "" {
		known := slices.ContainsFunc(theirs.Failures, func(f plan.Failure) bool { return f.Step == e.Step && f.Refutes == e.Refutes })
		if known {
			return "", nil
		}
		return message, nil
	}
	most, id := 0, plan.AttemptID(e)
	for _, f := range theirs.Failures {
		if f.Step == e.Step && f.Refutes == "" {
			if id != "" && f.AttemptID == id {
				return "", nil
			}
			most = max(most, f.Attempt)
		}
	}
	e.Attempt = max(e.Attempt, most+1)
	theirs.Failures = append(theirs.Failures, plan.Failure{Step: e.Step, Attempt: e.Attempt, AttemptID: id})
	return plan.FailureMessage(e)
}
