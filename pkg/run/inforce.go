package run

import (
	"context"

	"github.com/git-agent/git-agent/pkg/plan"
)

// A plan can be amended while a command is at work: elsewhere, by a fetch here, by
// the job itself. What is done with a step is done by one version: the one that
// this person lets run here, that its checks are taken from, and that the
// certificate names. The next command, or the next step, goes by the newest.

// inForce is the plan that a command goes by until it lets it go.
type inForce struct {
	plan    *plan.Plan
	version int
}

// keepPlan keeps to the plan as it is now, whatever its ref does.
func (s *session) keepPlan() { s.kept = &inForce{s.plan, s.version} }

// letGoPlan goes by the newest version again, and says so.
func (s *session) letGoPlan() {
	if s.kept == nil {
		return
	}
	was := s.version
	s.kept, s.version = nil, s.chain.Latest().Number
	s.plan = s.plans[s.version]
	if s.version != was {
		s.Notify("plan version %d was made meanwhile; what was done here is by version %d: git agent resume %s", s.version, was, s.run)
	}
}

// asKept puts the plan in force in the place of the one that was just read.
func (s *session) asKept() {
	if s.kept != nil {
		s.plan, s.version = s.kept.plan, s.kept.version
	}
}

// mayRun asks again for what was let run, where that is another plan by now.
func (s *session) mayRun(ctx context.Context) error {
	if s.cleared == "" {
		return nil
	}
	return s.needLeave(ctx)
}

// needLeave is asked before any command of the plan runs, whatever verb came to it:
// that nobody asked is no leave.
func (s *session) needLeave(ctx context.Context) error {
	if s.cleared == s.digest() {
		return nil
	}
	return s.needTrust(ctx, s.vouched)
}

// goOnAs takes over what a command was told about the plan, in a session that was
// read anew: another plan has to be trusted itself.
func (s *session) goOnAs(ctx context.Context, before *session) error {
	s.vouched, s.cleared = before.vouched, before.cleared
	if before.kept != nil {
		s.keepPlan()
	}
	return s.mayRun(ctx)
}
