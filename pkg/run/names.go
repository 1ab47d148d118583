package run

import (
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

const (
	planPrefix    = "refs/agent/"
	headsPrefix   = "refs/heads/"
	defaultBranch = "agent-run/"
	trackPrefix   = "refs/agent-remote/"
	planFile      = "plan.yaml"
)

// branchPrefix is the short prefix of run branches (agent.branchPrefix).
func (e *Engine) branchPrefix() string {
	if p, ok := e.Config.Config("agent.branchprefix"); ok && p != "" {
		return strings.TrimSuffix(p, "/") + "/"
	}
	return defaultBranch
}

// BranchRef is the full name of a run's branch.
func (e *Engine) BranchRef(run string) string { return headsPrefix + e.branchPrefix() + run }

// PlanRef is the full name of a run's plan ref.
func PlanRef(run string) string { return planPrefix + run }

func trackPlan(remote, run string) string   { return trackPrefix + remote + "/plan/" + run }
func trackTarget(remote, run string) string { return trackPrefix + remote + "/target/" + run }
func trackBranch(remote, run string) string { return trackPrefix + remote + "/branch/" + run }

// ShortBranch is a branch as a person types it.
func ShortBranch(full string) string { return strings.TrimPrefix(full, headsPrefix) }

// short abbreviates an id for text.
func short(id string) string { return object.Short(id) }

// runOfBranch is the run whose branch a full ref name is, "" for none.
func (e *Engine) runOfBranch(ref string) string {
	run, ok := strings.CutPrefix(ref, headsPrefix+e.branchPrefix())
	if !ok || trailers.ValidID(run) != nil {
		return ""
	}
	return run
}
