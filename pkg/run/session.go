package run

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/stash"
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
	kept              *inForce // nil: the newest
	base              string

	tip string // of the run branch, here
	// elsewhere: the branch is not here; tip is where it was seen on the remote.
	elsewhere bool
	ledger    *ledger.Ledger
	brought   map[string]bool // merges on the branch of what the target had
	stand     stands

	stashes []object.Ref
	remote  remoteState
	local   localState
	// older is local.Older but for what a step of olderBy names; nil: to be made.
	older   map[string]bool
	olderBy *plan.Plan
	// takenSteps are those that were not to be done before the run was made.
	takenSteps map[string]*Preflight

	// completed are the steps that a killed command had certified.
	completed map[string]bool

	prepared  map[string]bool     // checkouts in which setup ran
	scratches map[string]string   // scratch checkouts, and the commit of each
	grounds   map[string]*ground  // as their checks are to find them
	outcomes  map[string]outcome  // of phase B, where it ran
	skips     map[string]skip     // steps that a preflight says are not to be done
	scans     map[string]*scan    // of targets, by branch, tip and base
	flaky     map[string]tally    // by step: a check failed and then passed on one tree
	seen      []object.FileStatus // the last look at the working tree
	looked    bool
	hold      hold // the lease, and whether it is ours
	// leaseHere is the lease ref in this repository: the one that counts where no
	// remote does, and a cancel that could not be pushed.
	leaseHere string
	takeover  bool // --takeover
	// onlyLooks: it moves no ref that a command at work here compares with.
	onlyLooks bool
	ahead     bool // plan and history are needed whatever the remote says
	sharing   bool // preserved work goes to the remote, whatever the plan says

	dropped  []DroppedReport
	setUp    []string        // paths that setup changed in the working tree
	fences   map[string]Lock // of the attempts that this command is at, by id
	detached bool            // the job goes on by itself: the lease stays held for it

	did string // what it did beside certifying, for whoever is told that it is not pushed

	ownGoesOn bool // it lands what it has: somebody else's open pull request is no obstacle

	vouched TrustRequest // how the caller vouches for the plan
	cleared string       // the digest of the plan that may run, "" where nobody asked
	limit   int          // of failed attempts at a step, 0: none (Loop)
	strays  string       // the policy where nobody said one, nor the plan (Loop)
}

// remoteState is what is known about the remote.
type remoteState struct {
	name    string // "" where there is none
	asked   bool
	err     error // it did not answer
	branch  string
	lacks   string // what the branch had there, where it has less now
	plan    string
	lease   string
	target  string            // tip of the branch that is landed on
	aimed   string            // which branch that is, "" where it was not asked for
	clash   []object.Ref      // beside which it can have none of the run's
	partial map[string]string // preserved work of the run, by ref name
	tracked map[string]string // our mirror refs, by name
}

// answers reports whether there is a remote and it answered so far.
func (r *remoteState) answers() bool { return r.name != "" && r.err == nil }

// open reads everything about a run that is in this clone. Where its branch is
// not, yet was seen on the remote, what was seen counts: never "nothing there".
func (e *Engine) open(ctx context.Context, run string) (*session, error) {
	s, err := e.newSession(run)
	if err != nil {
		return nil, err
	}
	if err := s.readRefs(ctx); err != nil {
		return nil, err
	}
	if seen := s.remote.tracked[trackBranch(s.remote.name, run)]; s.tip == "" && seen != "" {
		s.tip, s.elsewhere = seen, true
	}
	return s, s.read(ctx)
}

// newSession knows which run and which remote, and nothing of them yet.
func (e *Engine) newSession(run string) (*session, error) {
	s := &session{Engine: e, run: run, branch: e.BranchRef(run), prepared: map[string]bool{}, completed: map[string]bool{},
		scratches: map[string]string{}, grounds: map[string]*ground{}}
	var err error
	if run != noRun {
		err = validRun(run)
	}
	if err != nil {
		return nil, err
	}
	if s.remote.name, err = pickRemote(e.Git, e.Config, e.Remote); err != nil {
		return nil, err
	}
	s.local, err = e.readLocal(run)
	return s, err
}

// lookAround reads the refs here and asks the remote for its own; ahead: plan
// and history are read meanwhile, where they are here.
func (e *Engine) lookAround(ctx context.Context, run string, ahead bool) (*session, error) {
	s, err := e.newSession(run)
	if err != nil {
		return nil, err
	}
	s.ahead = ahead
	if err := s.readRefs(ctx); err != nil {
		return nil, err
	}
	if err := s.noClash(ctx); err != nil {
		return nil, err
	}
	return s, s.ask(ctx)
}

// begin is how every verb that may commit begins: a working tree in which git
// can, both locks, the run as the remote has it, and what was to be there already.
func (e *Engine) begin(ctx context.Context, run, verb string, noPush bool) (s *session, unlock func(), err error) {
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
	err = s.noClashThere(noPush)
	if err == nil {
		err = s.keepHere(noPush)
	}
	if err == nil {
		err = s.shareLeft(ctx)
	}
	if err != nil {
		unlock()
		return nil, nil, err
	}
	release := unlock // unlock is the answer itself by now
	return s, func() { s.letGoFences(); release() }, nil
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

// together does both at once and waits for both; a child of git takes longer to
// start than to answer.
func together(beside, here func() error) error {
	done := make(chan error, 1)
	go func() { done <- beside() }()
	err := here()
	return errors.Join(<-done, err)
}
