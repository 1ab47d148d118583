package run

import (
	"context"
	"fmt"

	"github.com/git-agent/git-agent/pkg/plan"
)

// setUpIn runs the plan's setup in a checkout and remembers nothing. why is
// non-empty where it failed: an environment outcome.
func (s *session) setUpIn(ctx context.Context, dir string) (why string, err error) {
	for _, command := range s.plan.Setup {
		result, err := s.runCheck(ctx, plan.Check{Run: command}, place{dir: dir})
		if err != nil {
			return "", err
		}
		if !result.Outcome.Passed() {
			return fmt.Sprintf("setup `%s` ended with %s", command, result.Outcome), interrupted(ctx)
		}
	}
	return "", nil
}
