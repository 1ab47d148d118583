package run

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const onePlan = "title: t\nsteps: [{id: s01, title: one, touches: [a], check: [\"true\"]}]\n"

// planned is a repository with plan version 1 of run r-1.
func planned(t *testing.T) (*Engine, *gittest.Repo) {
	t.Helper()
	r := gittest.NewWithFiles(t, map[string]string{"a": "1\n"})
	blob := r.GitIn(onePlan, "hash-object", "-w", "--stdin")
	tree := r.GitIn("100644 blob "+blob+"\t"+planFile+"\n", "mktree")
	message, err := plan.VersionMessage("r-1", 1, r.Git("rev-parse", "HEAD"), "t")
	if err != nil {
		t.Fatal(err)
	}
	r.Git("update-ref", PlanRef("r-1"), r.GitIn(message, "commit-tree", "-F", "-", tree))
	return New(Deps{Git: r.Open()}), r
}

// TestCase118_append_manyAtOnce (entireio/cli PR#1926): fifty writers who all read
// the same tip, four at a time (all fifty at once pass too, in 16 s of CPU); no
// entry is lost, none is written twice.
func TestCase118_append_manyAtOnce(t *testing.T) {
	const writers = 50
	e, r := planned(t)
	tip, ctx := r.Git("rev-parse", PlanRef("r-1")), context.Background()
	var all sync.WaitGroup
	room := make(chan struct{}, 4)
	for n := 1; n <= writers; n++ {
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			s := &session{Engine: e, run: "r-1", planTip: tip}
			if err := s.readPlan(ctx); err != nil {
				t.Error(err)
				return
			}
			err := s.append(ctx, "failure", func() (object.NewCommit, error) { return failedAttempt(ctx, s, n) })
			if err != nil {
				t.Errorf("writer %d: %v", n, err)
			}
		})
	}
	all.Wait()
	s := &session{Engine: e, run: "r-1", planTip: r.Git("rev-parse", PlanRef("r-1"))}
	if err := s.readPlan(ctx); err != nil {
		t.Fatal(err)
	}
	seen := map[int]int{}
	for _, f := range s.chain.Failures {
		seen[f.Attempt]++
	}
	if len(s.chain.Failures) != writers || len(seen) != writers {
		t.Errorf("%d entries of %d writers, %d different ones", len(s.chain.Failures), writers, len(seen))
	}
}

func failedAttempt(ctx context.Context, s *session, n int) (object.NewCommit, error) {
	tree, err := s.Git.TreeOf(ctx, s.planTip)
	if err != nil {
		return object.NewCommit{}, err
	}
	failed := trailers.Check{Command: fmt.Sprintf("check %d", n), Outcome: trailers.Outcome{Kind: trailers.Exit, Code: 1}, Secs: "1"}
	message, err := plan.FailureMessage(trailers.Evidence{Run: "r-1", Step: "s01", PlanVersion: 1, Tree: tree, Attempt: n, Checks: []trailers.Check{failed}})
	return object.NewCommit{Tree: tree, Message: message}, err
}
