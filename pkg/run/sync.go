package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/stash"
)

// pickRemote: --remote, else agent.remote, remote.pushDefault, origin, the
// only one; "" where there is none (that works, and is said).
func pickRemote(git remotes, config Config, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	for _, key := range []string{"agent.remote", "remote.pushdefault"} {
		if name, ok := config.Config(key); ok && name != "" {
			return name, nil
		}
	}
	names := git.Remotes()
	switch {
	case slices.Contains(names, "origin"):
		return "origin", nil
	case len(names) == 1:
		return names[0], nil
	case len(names) > 1:
		return "", failf("WHICH_REMOTE", ExitUsage, "several remotes and none is origin: %v", names).
			hint("git config agent.remote %s", names[0])
	}
	return "", nil
}

// ask reads the run's refs from the remote and fetches what is new into our
// mirror refs. A remote that does not answer is remembered, not fatal: what
// may go on without it does, and says so. One round trip where nothing is new.
func (s *session) ask(ctx context.Context) error {
	r := &s.remote
	if r.name == "" {
		return nil
	}
	r.asked = true
	plan, branch, held := PlanRef(s.run), s.branch, lease.Ref(s.run)
	there, err := s.Git.RemoteRefs(ctx, r.name, plan, planBranchPrefix+s.run, branch, held, stash.Root+s.run+"/*")
	if err != nil {
		r.err = fmt.Errorf("remote %q did not answer: %w", r.name, err)
		return ctx.Err()
	}
	if there[plan] == "" && there[planBranchPrefix+s.run] != "" {
		s.local.BranchOnly = true
	}
	plan = s.planThere()
	r.err, r.plan, r.branch, r.lease, r.partial = nil, there[plan], there[branch], there[held], map[string]string{}
	for name, id := range there {
		if strings.HasPrefix(name, stash.Root) {
			r.partial[name] = id
		}
	}
	return s.mirror(ctx, map[string][2]string{
		plan: {there[plan], trackPlan(r.name, s.run)}, branch: {there[branch], trackBranch(r.name, s.run)},
		held: {there[held], trackLease(r.name, s.run)}})
}

// mirror brings our mirror refs to what the remote has.
func (s *session) mirror(ctx context.Context, refs map[string][2]string) error {
	var specs []string
	var gone []object.RefUpdate
	for name, at := range refs {
		id, track := at[0], at[1]
		have := s.remote.tracked[track]
		switch {
		case id == "" && have != "":
			gone = append(gone, object.RefUpdate{Name: track, Old: have})
		case id != "" && id != have:
			specs = append(specs, name+":"+track)
		}
	}
	if len(specs) > 0 {
		slices.Sort(specs)
		if err := s.Git.Fetch(ctx, s.remote.name, specs); err != nil {
			s.remote.err = fmt.Errorf("fetch the run from %q: %w", s.remote.name, err)
			return ctx.Err()
		}
	}
	for _, at := range refs {
		s.remote.tracked[at[1]] = at[0]
	}
	if len(gone) > 0 {
		return s.Git.UpdateRefs(ctx, s.why("fetch", ""), gone...)
	}
	return nil
}

// deepen brings more history: exactly the run's commits where the server can
// exclude the base branch, else by doubling. It ends where nothing more comes.
func (s *session) deepen(ctx context.Context, try int) error {
	if s.remote.name == "" || s.remote.err != nil {
		return s.truncated(s.remote.err)
	}
	spec := []string{s.branch + ":" + trackBranch(s.remote.name, s.run)}
	if try == 0 && s.plan.Base != "" {
		if err := s.Git.Fetch(ctx, s.remote.name, spec, "--shallow-exclude="+s.plan.Base); err == nil {
			return s.cut(s.Git.Fetch(ctx, s.remote.name, spec, "--deepen=1"))
		}
	}
	if try > 20 {
		return s.truncated(nil)
	}
	if try == 20 {
		return s.cut(s.Git.Fetch(ctx, s.remote.name, spec, "--unshallow"))
	}
	return s.cut(s.Git.Fetch(ctx, s.remote.name, spec, fmt.Sprintf("--deepen=%d", 64<<try)))
}

// cut: a history that could not be deepened is truncated, whatever the reason.
func (s *session) cut(err error) error {
	if err == nil {
		return nil
	}
	return s.truncated(err)
}

func (s *session) truncated(cause error) error {
	f := failf("HISTORY_TRUNCATED", ExitUnknown, "history truncated: the run's base %s is not in this clone", short(s.base))
	if s.remote.name == "" {
		f.hint("git remote -v   # none is here to fetch the rest from")
	} else {
		f.hint("git fetch --unshallow %s", quoteArg(s.remote.name))
	}
	if cause != nil {
		f.Err = fmt.Errorf("%w: %w", f.Err, cause)
	}
	return f
}

// followPlan moves the local plan ref to the remote's where that is a
// fast-forward; the local one may be ahead; diverged is refused.
func (s *session) followPlan(ctx context.Context) error {
	here, there := s.planTip, s.remote.plan
	if there == "" || there == here || s.remote.err != nil {
		return nil
	}
	if here != "" {
		behind, err := s.Git.IsAncestor(ctx, here, there)
		if err != nil {
			return err
		}
		if !behind {
			return s.planAhead(ctx)
		}
	}
	if err := s.Git.UpdateRefs(ctx, s.why("fetch", ""), object.RefUpdate{Name: PlanRef(s.run), Old: here, New: there}); err != nil {
		return err
	}
	s.planTip = there
	return nil
}

func (s *session) planAhead(ctx context.Context) error {
	ahead, err := s.Git.IsAncestor(ctx, s.remote.plan, s.planTip)
	if err != nil || ahead {
		return err
	}
	return failf("PLAN_DIVERGED", ExitPerson, "%s is at %s here and at %s on %q; neither contains the other",
		PlanRef(s.run), short(s.planTip), short(s.remote.plan), s.remote.name).
		hint("git diff %s:%s %s:%s", short(s.planTip), planFile, short(s.remote.plan), planFile).
		hint("git branch plan-%s-%s %[2]s && git update-ref %[3]s %[4]s %[2]s   # follow the remote; yours stays on that branch",
			s.run, short(s.planTip), PlanRef(s.run), s.remote.plan)
}

// why is the reflog text of a ref move.
func (s *session) why(verb, step string) string {
	if step == "" {
		return fmt.Sprintf("git-agent: %s %s", verb, s.run)
	}
	return fmt.Sprintf("git-agent: %s %s/%s", verb, s.run, step)
}
