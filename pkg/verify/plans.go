package verify

import (
	"context"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
)

// Where a plan is: its ref, or its branch where a server takes no other refs
// (the design, sections 3 and 11).
const (
	planRefs     = "refs/agent/"
	planBranches = "refs/heads/agent-plan/"
)

// plans reads the plan of each run that is at hand: as this push is about to
// leave it, else as it is here. One walk for all of them. A plan that cannot
// be read is told and not used.
func (v *Verifier) plans(ctx context.Context, report *Report, q question) (map[string]plan.Chain, error) {
	tips, err := v.planTips(ctx, q)
	if err != nil || len(tips) == 0 {
		return nil, err
	}
	var ids []string
	for _, id := range tips {
		ids = append(ids, id)
	}
	var g graph
	if err := v.Git.Unpublished(ctx, ids, nil, nil, g.add); err != nil {
		return nil, err
	}
	plans := make(map[string]plan.Chain, len(tips))
	for run, tip := range tips {
		chain, _ := g.chain(tip, "")
		read, err := plan.ReadChain(plainly(chain))
		if err != nil {
			report.note("the plan of run %s cannot be read (%v): its versions were not looked at", run, err)
			continue
		}
		plans[run] = read
	}
	return plans, nil
}

func plainly(chain []*commit) []object.Commit {
	commits := make([]object.Commit, len(chain))
	for i, c := range chain {
		commits[i] = c.Commit
	}
	return commits
}

// planTips finds the newest commit of each run's plan. Without a target whose
// run is known, every plan may be meant.
func (v *Verifier) planTips(ctx context.Context, q question) (map[string]string, error) {
	refs, err := v.Git.Refs(ctx, planRefs, planBranches)
	if err != nil {
		return nil, err
	}
	tips, asked := map[string]string{}, q.runs()
	for _, u := range q.updates {
		if u.New != "" && runOfPlan(u.Ref) != "" {
			refs = append(refs, object.Ref{Name: u.Ref, ID: u.New})
		}
	}
	for _, prefix := range []string{planBranches, planRefs} {
		for _, ref := range refs {
			if run := runOfPlan(ref.Name); strings.HasPrefix(ref.Name, prefix) && (asked[run] || asked[""]) {
				tips[run] = ref.ID
			}
		}
	}
	return tips, nil
}

func runOfPlan(ref string) string {
	if run, ok := strings.CutPrefix(ref, planRefs); ok {
		return run
	}
	run, _ := strings.CutPrefix(ref, planBranches)
	if run == ref {
		return ""
	}
	return run
}

// runs are the runs that the targets are about; "" is any.
func (q question) runs() map[string]bool {
	runs := make(map[string]bool, len(q.targets))
	for _, t := range q.targets {
		runs[t.run] = true
	}
	return runs
}
