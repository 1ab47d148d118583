package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// landingRecords are the certificates that a landing stands for: the newest of
// each step that lands, above what landed before.
func (l *lander) landingRecords(above int) []*ledger.Record {
	var found []*ledger.Record
	for _, r := range l.ledger.Records {
		if r.Index > above && slices.Contains(l.steps, r.Evidence.Step) && r == l.recordOf(r.Evidence.Step) {
			found = append(found, r)
		}
	}
	return found
}

// markerCommit writes, and does not yet show anybody, the plan ref's next
// commit: the marker.
func (s *session) markerCommit(ctx context.Context, m landing.Marker, step, certificate string) (string, error) {
	c, err := s.markerOn(ctx, m, step, certificate)
	if err != nil {
		return "", err
	}
	c.Parents = []string{s.planTip}
	return s.Git.WriteCommit(ctx, c)
}

func (s *session) markerOn(ctx context.Context, m landing.Marker, step, certificate string) (object.NewCommit, error) {
	value, err := m.Value()
	if err != nil {
		return object.NewCommit{}, err
	}
	message, err := plan.MarkerMessage(s.run, step, m.Key(), value, certificate)
	if err != nil {
		return object.NewCommit{}, err
	}
	tree, err := s.Git.TreeOf(ctx, s.planTip)
	return object.NewCommit{Tree: tree, Message: message}, err
}

// noteLanding writes the marker that is missing where the work is in the target
// without one: somebody else brought it there, or a kill came in between.
func (s *session) noteLanding(ctx context.Context, p *Preflight, steps []string) error {
	if p.How == landing.ByMarker || p.Run != s.run || len(p.Evidence.Commits) == 0 {
		return nil
	}
	m := landing.Marker{Verb: landing.Landed, SHA: last(p.Evidence.Commits), Branch: p.Evidence.Target, Run: s.run}
	certificate := ""
	if top := s.lowest(steps); top != nil {
		certificate = top.Commit.ID
	}
	err := s.append(ctx, "land", func() (object.NewCommit, error) { return s.markerOn(ctx, m, last(steps), certificate) })
	if err != nil {
		return err
	}
	s.Fault("land-marked")
	s.Notify("it was in %s already (%s); the marker that was missing is written", p.Evidence.Target, p.How)
	p.Evidence.Marker, _ = landing.FormatMarker(m)
	if containsAll(steps, s.itself().allSteps()) {
		marked := *p
		marked.How = landing.ByMarker
		if err := s.keepWhole(&marked); err != nil {
			return err
		}
	}
	if s.tip == "" {
		return s.pushPlan(ctx) // the branch went when it landed
	}
	return s.push(ctx)
}

// pushPlan sends the plan ref alone.
func (s *session) pushPlan(ctx context.Context) error {
	if s.landsHere() || s.remote.plan == s.planTip {
		return nil
	}
	refs := []object.PushRef{{Name: s.planThere(), ID: s.planTip}}
	if _, err := s.Git.Push(ctx, s.remote.name, object.Push{Refs: refs}); err != nil {
		there, errRead := s.Git.RemoteRefs(ctx, s.remote.name, s.planThere())
		if errRead != nil || there[s.planThere()] != s.planTip {
			return s.notPushed(err)
		}
	}
	s.remote.plan = s.planTip
	track := trackPlan(s.remote.name, s.run)
	update := object.RefUpdate{Name: track, Old: s.remote.tracked[track], New: s.planTip}
	s.remote.tracked[track] = s.planTip
	return s.Git.UpdateRefs(ctx, s.why("push", ""), update)
}

// marker is what this landing leaves on the plan ref.
func (l *lander) marker(made *integrated) landing.Marker {
	return landing.Marker{Verb: landing.Landed, SHA: made.commit, Branch: l.target.branch, Run: l.run}
}
