package run

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-agent/git-agent/pkg/trailers"
)

// WhichRun picks the run a command is about: the argument, GIT_AGENT_RUN, the
// run branch that HEAD is on, else the only run there is.
func (e *Engine) WhichRun(ctx context.Context, named string) (string, error) {
	if named == "" {
		named = lookup(e.Env, "GIT_AGENT_RUN")
	}
	if named != "" {
		return named, validRun(named)
	}
	head, err := e.Git.Head(ctx)
	if err != nil {
		return "", err
	}
	if run := e.runOfBranch(head.Branch); run != "" {
		return run, nil
	}
	return e.onlyRun(ctx)
}

// validRun refuses what can be the id of no run.
func validRun(named string) error {
	if err := trailers.ValidID(named); err != nil {
		return fail("USAGE", ExitUsage, fmt.Errorf("run %q: %w", named, err), "git for-each-ref "+planPrefix)
	}
	return nil
}

func (e *Engine) onlyRun(ctx context.Context) (string, error) {
	refs, err := e.Git.Refs(ctx, planPrefix)
	if err != nil {
		return "", err
	}
	switch len(refs) {
	case 0:
		return "", e.noRunHere()
	case 1:
		return strings.TrimPrefix(refs[0].Name, planPrefix), nil
	}
	var names []string
	for _, r := range refs {
		names = append(names, strings.TrimPrefix(r.Name, planPrefix))
	}
	return "", failf("WHICH_RUN", ExitUsage, "several runs are here (%s): name one", strings.Join(names, ", ")).
		hint("git agent status %s", names[0])
}

// noRunHere names both ways on: a plan to begin with, and the runs that a
// remote has, which a clone does not bring.
func (e *Engine) noRunHere() error {
	file := quoteArg(filepath.Join(filepath.Dir(e.Place.Top), "plan.yaml")) // no change of any step's
	f := failf("NO_RUN", ExitFatal, "there is no run here").
		hint("git agent plan new >%s   # edit it, then: git agent start %s", file, file)
	if remote, err := pickRemote(e.Git, e.Config, e.Remote); err == nil && remote != "" {
		f = f.hint("git ls-remote %s 'refs/agent/*'   # the runs it has; then: git agent resume <run>", quoteArg(remote))
	}
	return f
}

// WhichWork picks what `cancel` is about: a run, or a step of the run around
// here. What names a run here is that run; with a run given, it is a step.
func (e *Engine) WhichWork(ctx context.Context, run, what string) (id, step string, err error) {
	if what == "" || run != "" {
		id, err = e.WhichRun(ctx, run)
		return id, what, err
	}
	known, err := e.Git.Ref(ctx, PlanRef(what))
	if err != nil {
		return "", "", err
	}
	if known == "" {
		if id, err := e.WhichRun(ctx, ""); err == nil && e.hasStep(ctx, id, what) {
			return id, what, nil
		}
	}
	id, err = e.WhichRun(ctx, what)
	return id, "", err
}

func (e *Engine) hasStep(ctx context.Context, run, step string) bool {
	s, err := e.open(ctx, run)
	if err != nil {
		return false
	}
	found, _ := s.plan.Step(step)
	return found != nil
}
