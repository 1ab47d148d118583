package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// session is what one command knows about one run. It is read with a constant
// number of git children and read again where the command moved something.
type session struct {
	*Engine
	run    string
	branch string // full ref name
	head   object.Head

	planTip           string // newest commit of the plan ref
	planRead, tipRead string // where plan and history were read
	chain             plan.Chain
	plans             map[int]*plan.Plan
	plan              *plan.Plan // today's
	version           int
	base              string

	tip    string // of the run branch, here
	ledger *ledger.Ledger

	stashes []object.Ref
	remote  remoteState
	local   localState

	// completed are the steps that a killed command had certified.
	completed map[string]bool

	prepared map[string]bool     // checkouts in which setup ran
	outcomes map[string]outcome  // of phase B, where it ran
	flaky    map[string]tally    // by step: a check failed and then passed on one tree
	seen     []object.FileStatus // the last look at the working tree
	looked   bool
	hold     hold // the lease, and whether it is ours
	takeover bool // --takeover
	sharing  bool // preserved work goes to the remote, whatever the plan says
}

// remoteState is what is known about the remote.
type remoteState struct {
	name    string // "" where there is none
	asked   bool
	err     error // it did not answer
	branch  string
	plan    string
	lease   string
	partial map[string]string // preserved work of the run, by ref name
	tracked map[string]string // our mirror refs, by name
}

// WhichRun picks the run a command is about: the argument, GIT_AGENT_RUN, the
// run branch that HEAD is on, else the only run there is.
func (e *Engine) WhichRun(ctx context.Context, named string) (string, error) {
	if named == "" {
		named = lookup(e.Env, "GIT_AGENT_RUN")
	}
	if named != "" {
		if err := trailers.ValidID(named); err != nil {
			return "", fail("USAGE", ExitUsage, fmt.Errorf("run %q: %w", named, err), "git for-each-ref "+planPrefix)
		}
		return named, nil
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
	f := failf("NO_RUN", ExitFatal, "there is no run here").
		hint("git agent plan new > plan.yaml   # edit it, then: git agent start plan.yaml")
	if remote, err := pickRemote(e.Git, e.Config, e.Remote); err == nil && remote != "" {
		f.hint("git ls-remote %s 'refs/agent/*'   # the runs it has; then: git agent resume <run>", quoteArg(remote))
	}
	return f
}

// open reads everything about a run that is in this clone.
func (e *Engine) open(ctx context.Context, run string) (*session, error) {
	s, err := e.newSession(run)
	if err != nil {
		return nil, err
	}
	return s, s.reload(ctx)
}

// newSession knows which run and which remote, and nothing of them yet.
func (e *Engine) newSession(run string) (*session, error) {
	s := &session{Engine: e, run: run, branch: e.BranchRef(run), prepared: map[string]bool{}, completed: map[string]bool{}}
	var err error
	if s.remote.name, err = pickRemote(e.Git, e.Config, e.Remote); err != nil {
		return nil, err
	}
	s.local, err = e.readLocal(run)
	return s, err
}

// lookAround reads the refs here and asks the remote for its own.
func (e *Engine) lookAround(ctx context.Context, run string) (*session, error) {
	s, err := e.newSession(run)
	if err != nil {
		return nil, err
	}
	if err := s.readRefs(ctx); err != nil {
		return nil, err
	}
	return s, s.ask(ctx)
}

// begin is how every verb that may commit begins: a working tree in which git
// can, both locks, and the run as the remote has it.
func (e *Engine) begin(ctx context.Context, run, verb string) (s *session, unlock func(), err error) {
	if err := e.readyToCommit(ctx); err != nil {
		return nil, nil, err
	}
	unlock, err = e.lock(ctx, run, verb)
	if err != nil {
		return nil, nil, err
	}
	if s, err = e.openSynced(ctx, run); err != nil {
		unlock()
		return nil, nil, err
	}
	return s, unlock, nil
}

// reload reads the refs again, and plan and history where they moved.
func (s *session) reload(ctx context.Context) error {
	if err := s.readRefs(ctx); err != nil {
		return err
	}
	return s.read(ctx)
}

// read reads plan and history at the refs that are known, where they were not
// read before.
func (s *session) read(ctx context.Context) error {
	if s.planTip == "" {
		return failf("NO_RUN", ExitFatal, "run %q: there is no %s here", s.run, PlanRef(s.run)).
			hint("git agent resume %s   # where a remote has it", s.run)
	}
	if s.planRead != s.planTip {
		if err := s.readPlan(ctx); err != nil {
			return err
		}
	}
	if s.ledger != nil && s.tipRead == s.tip {
		return nil
	}
	return s.readLedger(ctx)
}

func (s *session) readRefs(ctx context.Context) error {
	s.forget()
	names := []string{PlanRef(s.run), s.branch, strings.TrimSuffix(stash.Root, "/") + "/" + s.run}
	if s.remote.name != "" {
		names = append(names, trackPlan(s.remote.name, s.run), trackBranch(s.remote.name, s.run), trackLease(s.remote.name, s.run))
	}
	found, err := s.Git.Refs(ctx, names...)
	if err != nil {
		return err
	}
	s.planTip, s.tip, s.stashes, s.remote.tracked = "", "", nil, map[string]string{}
	for _, r := range found {
		switch {
		case r.Name == PlanRef(s.run):
			s.planTip = r.ID
		case r.Name == s.branch:
			s.tip = r.ID
		case strings.HasPrefix(r.Name, stash.Root):
			s.stashes = append(s.stashes, r)
		default:
			s.remote.tracked[r.Name] = r.ID
		}
	}
	s.head, err = s.Git.Head(ctx)
	return err
}

// readPlan reads the chain of plan versions and the text of each version.
func (s *session) readPlan(ctx context.Context) error {
	commits, err := s.Git.Chain(ctx, "", s.planTip)
	if err != nil {
		return err
	}
	if s.chain, err = plan.ReadChain(commits); err != nil {
		return s.badPlanRef("plan ref %s: %w", PlanRef(s.run), err)
	}
	if len(s.chain.Versions) == 0 || s.chain.Base == "" {
		return s.badPlanRef("%s holds no plan version with a base", PlanRef(s.run))
	}
	if s.chain.Run != s.run {
		return s.badPlanRef("%s holds the plan of run %q", PlanRef(s.run), s.chain.Run)
	}
	s.base = s.chain.Base
	if err := s.readVersions(ctx); err != nil {
		return err
	}
	s.planRead = s.planTip
	return nil
}

func (s *session) readVersions(ctx context.Context) error {
	var names []string
	for _, v := range s.chain.Versions {
		names = append(names, v.Commit+":"+planFile)
	}
	texts, err := s.Git.Blobs(ctx, names)
	if err != nil {
		return err
	}
	s.plans = map[int]*plan.Plan{}
	for i, v := range s.chain.Versions {
		text, ok := texts[names[i]]
		if !ok {
			return s.badPlanRef("plan version %d (%s) holds no %s", v.Number, short(v.Commit), planFile)
		}
		p, err := plan.Parse(fmt.Sprintf("%s@v%d", planFile, v.Number), text)
		if err != nil {
			return fail("PLAN_INVALID", ExitUsage, err, "git log -p "+PlanRef(s.run)+" -- "+planFile, "git agent version")
		}
		s.plans[v.Number], s.plan, s.version = p, p, v.Number
	}
	return nil
}

// badPlanRef: somebody moved the plan ref to what is no plan; its reflog knows
// where it was.
func (s *session) badPlanRef(format string, args ...any) error {
	return failf("PLAN_REF", ExitUnknown, format+"; nothing was changed", args...).
		hint("git log --oneline %s", PlanRef(s.run)).hint("git reflog show %s   # where it was before", PlanRef(s.run))
}

// readLedger reads the run branch, where it is here.
func (s *session) readLedger(ctx context.Context) error {
	var chain []object.Commit
	if s.tip != "" {
		var err error
		if chain, err = s.history(ctx); err != nil {
			return err
		}
	}
	l := ledger.Read(s.run, s.base, chain)
	if l.Merges() {
		all, err := s.Git.History(ctx, s.base, s.tip)
		if err != nil {
			return err
		}
		l.OffChain(all)
	}
	s.ledger, s.tipRead = l, s.tip
	return nil
}

// history is base..tip on the first-parent chain, with proof that it is whole:
// the oldest commit's parent is the base. A cut history is deepened or refused.
func (s *session) history(ctx context.Context) ([]object.Commit, error) {
	for try := 0; ; try++ {
		chain, err := s.Git.Chain(ctx, s.base, s.tip)
		if err == nil && s.reachesBase(chain) {
			return chain, nil
		}
		whole, errWhole := s.wholeHistory(ctx)
		switch {
		case errWhole != nil:
			return nil, errors.Join(err, errWhole)
		case whole && err != nil:
			return nil, err
		case whole:
			return chain, s.baseIsBelow(ctx)
		}
		if err := s.deepen(ctx, try); err != nil {
			return nil, err
		}
	}
}

func (s *session) reachesBase(chain []object.Commit) bool {
	if len(chain) == 0 {
		return s.tip == s.base
	}
	return chain[0].FirstParent() == s.base
}

func (s *session) wholeHistory(ctx context.Context) (bool, error) {
	shallow, err := s.Git.IsShallow(ctx)
	return !shallow, err
}

// baseIsBelow tells a chain that reaches the base through a merge's other
// side from one that was moved onto something else.
func (s *session) baseIsBelow(ctx context.Context) error {
	below, err := s.Git.IsAncestor(ctx, s.base, s.tip)
	switch {
	case err != nil:
		return err
	case !below:
		return failf("WRONG_BASE", ExitPerson, "branch %s at %s does not contain the run's base %s; nothing was touched",
			ShortBranch(s.branch), short(s.tip), short(s.base)).
			hint("git log --oneline %s..%s", short(s.base), short(s.tip)).hint("git reflog show %s", ShortBranch(s.branch))
	}
	return nil
}

// step finds a step of today's plan.
func (s *session) step(id string) (*plan.Step, error) {
	step, _ := s.plan.Step(id)
	if step == nil {
		return nil, failf("NO_STEP", ExitNo, "the plan (version %d) has no step %q", s.version, id).
			hint("git agent plan show %s", s.run)
	}
	return step, nil
}

// stashRefs lists the refs that preserve a step's partial work.
func (s *session) stashRefs(step string) []string {
	var names []string
	for _, r := range s.stashes {
		if strings.HasPrefix(r.Name, stash.Root+s.run+"/"+step+"/") {
			names = append(names, r.Name)
		}
	}
	slices.Sort(names)
	return names
}

func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}

// status is the last look at the working tree; forget makes the next one fresh.
func (s *session) status(ctx context.Context) ([]object.FileStatus, error) {
	if s.looked {
		return s.seen, nil
	}
	if s.Place.Top == "" {
		return nil, nil // bare: what is certified can be told without a working tree
	}
	seen, err := s.Git.Status(ctx)
	if err != nil {
		return nil, err
	}
	s.seen, s.looked = seen, true
	return seen, nil
}

// forget: something may have changed the working tree, the index or HEAD.
func (s *session) forget() { s.looked = false }
