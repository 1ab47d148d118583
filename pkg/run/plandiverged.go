package run

import (
	"context"
	"fmt"
)

// planDiverged: two people amended, or began, the run, and neither knew of the
// other. Which of the plans goes on is a person's to say.
func (s *session) planDiverged(ctx context.Context) error {
	common, err := s.Git.CommonAncestor(ctx, []string{s.planTip, s.remote.plan})
	if err != nil {
		return err
	}
	f := failf("PLAN_DIVERGED", ExitPerson, "%s is at %s here and at %s on %q; neither contains the other; nothing was changed",
		PlanRef(s.run), short(s.planTip), short(s.remote.plan), s.remote.name).
		hint("git diff %s:%s %s:%s", short(s.planTip), planFile, short(s.remote.plan), planFile)
	follow := fmt.Sprintf("git branch plan-%s-%s %[2]s && git update-ref %[3]s %[4]s %[2]s", s.run, short(s.planTip), PlanRef(s.run), s.remote.plan)
	if common == "" && s.tip != "" && s.remote.branch != "" && s.tip != s.remote.branch {
		// Begun twice: what was done here is of the plan that is left behind.
		return f.hint("git branch -m %s work-%s-%s && %s   # follow the remote; what is yours stays on those branches",
			ShortBranch(s.branch), s.run, short(s.tip), follow)
	}
	return f.hint("%s   # follow the remote; yours stays on that branch", follow)
}
