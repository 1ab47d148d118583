package run

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/git-agent/git-agent/pkg/lease"
)

// seeLease looks at the remote without moving our mirror refs: a command that is
// under way in this clone counts on them.
func (s *session) seeLease(ctx context.Context) error {
	r := &s.remote
	if r.name == "" {
		return nil
	}
	const tries = 3 // a sign of life between the look and the fetch: look again
	for try := 1; ; try++ {
		if err := s.seeRefs(ctx); err != nil || r.err != nil || r.lease == "" {
			return err
		}
		_, err := s.Git.ReadCommit(ctx, r.lease)
		if err == nil || try == tries {
			return err
		}
		if err := s.Git.Fetch(ctx, r.name, []string{lease.Ref(s.run)}); err != nil {
			return err
		}
		if _, err := s.Git.ReadCommit(ctx, r.lease); err == nil {
			return nil
		}
	}
}

func (s *session) seeRefs(ctx context.Context) error {
	r := &s.remote
	there, err := s.Git.RemoteRefs(ctx, r.name, PlanRef(s.run), planBranchPrefix+s.run, s.branch, lease.Ref(s.run))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.asked, r.err = true, nil
	if err != nil {
		r.err = fmt.Errorf("remote %q did not answer: %w", r.name, err)
		return nil
	}
	r.plan, r.branch, r.lease = first(there[PlanRef(s.run)], there[planBranchPrefix+s.run]), there[s.branch], there[lease.Ref(s.run)]
	return nil
}

// atWork is a live process of this clone that works on the run.
type atWork struct {
	holder
	step string // "" where no attempt of it is open
}

// atWorkHere is who holds the run's lock here, nil for nobody or for somebody
// who does what no cancel concerns. Only a proof of death counts as nobody.
func (s *session) atWorkHere() *atWork {
	data, err := s.State.Read(s.run + "/lock")
	var w atWork
	if err != nil || json.Unmarshal(data, &w.holder) != nil || !heeding[w.Verb] {
		return nil
	}
	if dead, _ := w.Owner.Dead(); dead {
		return nil
	}
	open, _ := s.attempts(s.run)
	for _, a := range open {
		if a.Owner == w.Owner && !a.Ended {
			w.step = a.Step
		}
	}
	return &w
}

// heeding are the verbs that look for a request to stop.
var heeding = map[string]bool{"step": true, "resume": true, "run": true, "say": true}
