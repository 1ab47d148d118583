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
// only one; "" where there is none (that works, and is said). A name that is
// not a remote of this clone is a mistake, never a remote that does not answer;
// remote.pushDefault may be the person's for other clones.
func pickRemote(git remotes, config Config, named string) (string, error) {
	names := git.Remotes()
	if named == "" {
		named, _ = config.Config("agent.remote")
	}
	if named != "" {
		if !slices.Contains(names, named) {
			return "", failf("WHICH_REMOTE", ExitUsage, "%q is no remote of this clone; nothing was done", named).hint("git remote -v")
		}
		return named, nil
	}
	if name, _ := config.Config("remote.pushdefault"); slices.Contains(names, name) {
		return name, nil
	}
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
	if s.remote.name == "" {
		return nil
	}
	defer func() { s.remote.asked = true }()
	const tries = 3 // a ref that moved on between the look and the fetch: look again
	for try := 1; ; try++ {
		again, err := s.look(ctx)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if lockedBy(err) != nil {
			return err // it is not the remote that does not answer
		}
		s.remote.err = err
		if !again || try == tries {
			return nil
		}
	}
}

// look is one round trip, and a second one where something is new. again: it
// failed because the remote moved meanwhile.
func (s *session) look(ctx context.Context) (again bool, err error) {
	r, branch, held := &s.remote, s.branch, lease.Ref(s.run)
	names := []string{PlanRef(s.run), planBranchPrefix + s.run, branch, held, stash.Root + s.run + "/*"}
	if r.aimed = s.local.Target; r.aimed != "" {
		names = append(names, headsPrefix+r.aimed)
	}
	names = append(names, clashPatterns(s.shared())...)
	var there map[string]string
	err = together(func() (err error) { there, err = s.Git.RemoteRefs(ctx, r.name, names...); return err }, func() error {
		s.readAhead(ctx)
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("remote %q did not answer: %w", r.name, err)
	}
	if there[PlanRef(s.run)] == "" && there[planBranchPrefix+s.run] != "" {
		s.local.BranchOnly = true
	}
	plan := s.planThere()
	r.err, r.plan, r.branch, r.lease, r.partial = nil, there[plan], there[branch], there[held], map[string]string{}
	r.clash = s.clashing(there)
	r.target = there[headsPrefix+r.aimed]
	for name, id := range there {
		if strings.HasPrefix(name, stash.Root) {
			r.partial[name] = id
		}
	}
	tracks := map[string]string{plan: trackPlan(r.name, s.run), branch: trackBranch(r.name, s.run), held: trackLease(r.name, s.run)}
	if r.lacks, err = s.lacking(ctx, r.branch); err != nil {
		return false, err
	}
	if r.lacks != "" {
		delete(tracks, branch) // nothing else tells that it was there
	}
	return s.mirror(ctx, there, tracks)
}

// readAhead reads what is here while the remote answers; most often it has
// nothing new. What cannot be read now is read, and told, once it answered.
func (s *session) readAhead(ctx context.Context) {
	if !s.ahead || s.remote.asked {
		return
	}
	if s.read(ctx) == nil {
		_, _, _ = s.leaseAt(ctx, s.remote.tracked[trackLease(s.remote.name, s.run)])
	}
}

// mirror fetches what is new and brings our mirror refs to it, each by
// compare-and-swap: no fetch ever writes a ref.
func (s *session) mirror(ctx context.Context, there, tracks map[string]string) (again bool, err error) {
	var names []string
	var updates []object.RefUpdate
	for name, track := range tracks {
		id, have := there[name], s.remote.tracked[track]
		if id == have {
			continue
		}
		if id != "" {
			names = append(names, name)
		}
		updates = append(updates, object.RefUpdate{Name: track, Old: have, New: id})
	}
	if s.onlyLooks {
		names, updates = s.unknown(ctx, names, there), nil
	}
	if len(names) > 0 {
		slices.Sort(names)
		if err := s.Git.Fetch(ctx, s.remote.name, names); err != nil {
			return true, fmt.Errorf("fetch the run from %q: %w", s.remote.name, err)
		}
	}
	if len(updates) == 0 {
		return false, nil
	}
	updates = append(updates, s.copiedLease(updates)...)
	if err := s.Git.UpdateRefs(ctx, s.why("fetch", ""), updates...); err != nil {
		return true, err
	}
	for _, u := range updates {
		s.remote.tracked[u.Name] = u.New
	}
	return false, nil
}

// deepen brings more history: exactly the run's commits where the server can
// exclude the base branch, else by doubling. It ends where nothing more comes.
func (s *session) deepen(ctx context.Context, try int) error {
	if !s.remote.asked || s.remote.err != nil {
		return s.truncated(s.remote.err) // a reader asks no remote
	}
	spec := []string{s.branch}
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
	switch {
	case s.remote.name == "":
		f = f.hint("git remote -v   # none is here to fetch the rest from")
	case !s.remote.asked:
		f = f.hint("git agent resume %s   # fetches what it needs", s.run)
	default:
		f = f.hint("git fetch --unshallow %s", quoteArg(s.remote.name))
	}
	if cause != nil {
		f.Err = fmt.Errorf("%w: %w", f.Err, cause)
	}
	return f
}

// followPlan moves the local plan ref to the remote's where that is a
// fast-forward; the local one may be ahead; where both sides only gained
// failure records or markers ours go on top; versions that diverged are refused.
func (s *session) followPlan(ctx context.Context) error {
	here, there := s.planTip, s.remote.plan
	if there == "" || there == here || !s.remote.answers() {
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
	if done, err := s.reappend(ctx); err != nil || done {
		return err
	}
	return s.planDiverged(ctx)
}

// why is the reflog text of a ref move.
func (s *session) why(verb, step string) string {
	if step == "" {
		return fmt.Sprintf("git-agent: %s %s", verb, s.run)
	}
	return fmt.Sprintf("git-agent: %s %s/%s", verb, s.run, step)
}
