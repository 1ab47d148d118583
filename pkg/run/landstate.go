package run

import (
	"context"
	"errors"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
)

// LandedReport is what the last preflight said about a run.
type LandedReport struct {
	Verdict string `json:"verdict"`
	How     string `json:"how"`
	Text    string `json:"text"`
	Marker  string `json:"marker,omitempty"`
}

// landedReport is the last verdict about the whole run, as far as this clone
// asked. It is not asked again: whoever reads a status waits for no remote.
func (s *session) landedReport() *LandedReport {
	p := s.lastVerdict(wholeRun)
	if p == nil || p.Token() == landing.Dispatch {
		return nil
	}
	return &LandedReport{p.Verdict, p.How, p.Text, p.Evidence.Marker}
}

// skipOf is why a step is not to be done, by what this command or the last
// preflight found.
func (s *session) skipOf(step string) (sk skip, skipped bool) {
	if sk, skipped = s.skips[step]; skipped {
		return sk, true
	}
	for _, name := range []string{step, wholeRun} {
		p := s.lastVerdict(name)
		if p != nil && (p.Token() == landing.AlreadyLanded || name == step && p.Token().Skips()) {
			sk, skipped = skip{p.Verdict, p.Text}, true
		}
	}
	return sk, skipped
}

// skipReport says of a step that is not certified here that it is not to be
// done, and why.
func (s *session) skipReport(one *StepReport) {
	sk, skipped := s.skipOf(one.ID)
	if skipped && one.Status != string(reconcile.Certified) && one.Status != string(reconcile.Running) {
		one.Status, one.Reason = string(reconcile.Skipped), sk.token
	}
}

// firstUnrecorded is the first step without a record that stands and that is still
// to be done; those before the wanted one are asked about.
func (s *session) firstUnrecorded(ctx context.Context, wanted *plan.Step) (*plan.Step, error) {
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		if s.standing(step.ID) != nil {
			continue
		}
		if step.ID == wanted.ID {
			return step, nil
		}
		if skipped, err := s.beforeAttempt(ctx, step); err != nil || !skipped {
			return step, err
		}
	}
	return nil, nil
}

// unlessSkipped is the step, nil where it is not to be done any more.
func (s *session) unlessSkipped(ctx context.Context, step *plan.Step) (*plan.Step, error) {
	skipped, err := s.beforeAttempt(ctx, step)
	if err != nil || skipped {
		return nil, err
	}
	return step, nil
}

// mendedByHand: a recorded step that a person names, without a command: nobody
// is dispatched, and what was mended is to be certified whatever landed before.
// Evidence that cannot be used is a record too: this is what mends it.
func (s *session) mendedByHand(step *plan.Step, req StepRequest) bool {
	recorded := s.ledger.Newest(step.ID) != nil || len(s.claims(step.ID)) > 0
	return recorded && s.job(step, req) == nil
}

// landedAndGone settles a run whose branch is nowhere: landed, it is done, and
// no branch is made again. Anything else is decided as for every run.
func (s *session) landedAndGone(ctx context.Context) (bool, error) {
	if s.tip != "" || s.remote.branch != "" || !s.remote.answers() || s.remote.plan == "" {
		return false, nil
	}
	p, err := s.cachedPreflight(ctx, "", false)
	if err != nil || p == nil {
		return false, err
	}
	switch {
	case p.Token() == landing.AlreadyLanded:
		return true, s.doneElsewhere(ctx, p)
	case p.Token() == landing.MarkerStale:
		return true, s.stopFor(ctx, p)
	}
	return false, nil
}

func (s *session) doneElsewhere(ctx context.Context, p *Preflight) error {
	var steps []string
	for i := range s.plan.Steps {
		steps = append(steps, s.plan.Steps[i].ID)
		s.skipStep(s.plan.Steps[i].ID, p)
	}
	return s.noteLanding(ctx, p, steps)
}

// landedBefore is landedAndGone for `start`, which also finds a finished run
// whose branch is still there.
func (s *session) landedBefore(ctx context.Context) (bool, error) {
	if gone, err := s.landedAndGone(ctx); err != nil || gone {
		return gone, err
	}
	if len(s.chain.Markers) == 0 || s.tip == "" {
		return false, nil
	}
	p, err := s.cachedPreflight(ctx, "", false)
	if err != nil || p == nil {
		return false, err
	}
	if p.Token() == landing.MarkerStale || p.Token() == landing.Unknown {
		return true, s.stopFor(ctx, p)
	}
	return p.Token() == landing.AlreadyLanded, nil
}

func (s *session) reportAnd(err error) (*Report, error) {
	r, errReport := s.report()
	return r, errors.Join(err, errReport)
}

// afterReconcile asks whether the run landed, writes the marker that is missing
// where somebody else landed it, and lands what is due.
func (s *session) afterReconcile(ctx context.Context) error {
	if len(s.ledger.Records) == 0 && len(s.chain.Markers) == 0 {
		return nil
	}
	p, err := s.cachedPreflight(ctx, "", false)
	if err != nil {
		return err
	}
	switch {
	case p == nil:
	case p.Token() == landing.MarkerStale:
		return s.stopFor(ctx, p)
	case p.Token() == landing.AlreadyLanded:
		return s.noteLanding(ctx, p, s.itself().allSteps())
	}
	return s.landDue(ctx)
}

// takenItems keeps a new run from being made where all that it would do is done
// or under way elsewhere: nothing is created then. nil: it is to be made.
func (s *session) takenItems(ctx context.Context, p *plan.Plan) (*Report, error) {
	s.plan = p
	r := &Report{Format: 1, Run: s.run, Title: p.Title, PlanVersion: 1, Branch: s.branch, Steps: []StepReport{}}
	asked := map[string]*Preflight{}
	for i := range p.Steps {
		step := &p.Steps[i]
		if step.Item == "" {
			return nil, s.stopForAny(ctx, asked)
		}
		if asked[step.Item] == nil {
			answer, err := s.askItem(ctx, step.Item)
			if err != nil {
				return nil, err
			}
			asked[step.Item] = answer
		}
		answer := asked[step.Item]
		if !answer.Token().Skips() {
			return nil, s.stopForAny(ctx, asked)
		}
		s.takeStep(step.ID, answer)
		r.Steps = append(r.Steps, StepReport{ID: step.ID, Title: step.Title, Status: string(reconcile.Skipped), Reason: answer.Verdict,
			Stash: []string{}, Checks: []CheckReport{}})
		s.Notify("%s, item %s: %s: %s", step.ID, step.Item, answer.Verdict, answer.Text)
	}
	s.Notify("no run was made: there is nothing left to do")
	return r, nil
}

// stopForAny: a doubt, or a stale marker, about one of the items stops a start.
func (s *session) stopForAny(ctx context.Context, asked map[string]*Preflight) error {
	for _, p := range asked {
		if err := s.stopFor(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// askItem is a preflight of an item for a run that is not there yet: every
// other run is older.
func (s *session) askItem(ctx context.Context, item string) (*Preflight, error) {
	p, facts := &Preflight{Item: item}, landing.Facts{}
	if s.remote.name != "" && !s.remote.answers() {
		return p.decided(facts), nil // offline a run may begin; its push is fenced
	}
	var err error
	if facts.Rival, facts.Closed, err = s.others(ctx, nil, item, p, &facts); err != nil {
		return nil, err
	}
	p.Item = item
	return p.decided(facts), nil
}
