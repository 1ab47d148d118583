package run

import (
	"testing"

	"github.com/git-agent/git-agent/pkg/plan"
)

// Every untracked file is asked about, so that a look costs the same whatever
// the number of steps and of older files. The plan and the files of now count.
func TestOlderThanJobs_isLookedUp(t *testing.T) {
	touching := func(entries ...string) *plan.Plan {
		return &plan.Plan{Steps: []plan.Step{{ID: "s01", Touches: entries}}}
	}
	s := &session{plan: touching("a/**", "a/named", "b*")}
	s.setOlder([]string{"a/named", "a/loose", "b*"})
	wantOlder(t, s, map[string]bool{"a/named": false, "a/loose": true, "b*": true, "a/new": false})
	if n := testing.AllocsPerRun(10, func() { s.olderThanJobs("a/loose") }); n > 0 {
		t.Errorf("one look allocates %v times", n)
	}
	s.plan = touching("a/loose")
	wantOlder(t, s, map[string]bool{"a/named": true, "a/loose": false})
	s.setOlder([]string{"a/new"})
	wantOlder(t, s, map[string]bool{"a/named": false, "a/new": true})
}

func wantOlder(t *testing.T, s *session, want map[string]bool) {
	t.Helper()
	for path, older := range want {
		if got := s.olderThanJobs(path); got != older {
			t.Errorf("%s: older than the jobs: %v, want %v", path, got, older)
		}
	}
}
