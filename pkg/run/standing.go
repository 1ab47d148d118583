package run

import (
	"context"
	"slices"
)

// Sync says how this clone and the remote stand to each other: now where the
// remote was asked and answered, else at the last look.
type Sync struct {
	Remote string `json:"remote"` // "" where there is none
	// State is one of pushed (both have the same), behind (the remote has all
	// that is certified here, and more), ahead, diverged, unknown and none.
	State string `json:"state"`
	// Ahead counts commits up to the newest certificate here that the remote
	// lacks, Behind those that only it has: not on the branch here either.
	Ahead  int `json:"ahead"`
	Behind int `json:"behind"`
	// Plan is the same about the plan: the remote has it, a newer one, or lacks it.
	Plan   string `json:"plan"`
	NoPush bool   `json:"no_push,omitempty"` // this clone was told not to push
}

// The states of a Sync.
const (
	SyncPushed   = "pushed"
	SyncBehind   = "behind"
	SyncAhead    = "ahead"
	SyncDiverged = "diverged"
	SyncUnknown  = "unknown"
	SyncNone     = "none"
)

// Pushed reports whether everything that is certified here is there, and the plan.
func (s Sync) Pushed() bool { return s.branchThere() && (s.Plan == SyncPushed || s.Plan == SyncBehind) }

func (s Sync) branchThere() bool { return s.State == SyncPushed || s.State == SyncBehind }

// sync compares what is certified here, and the plan, with what the remote was
// seen to have.
func (s *session) sync(ctx context.Context) Sync {
	out := Sync{Remote: s.remote.name, State: SyncNone, Plan: SyncNone, NoPush: s.local.NoPush}
	if s.remote.name == "" {
		return out
	}
	branches, plans := s.seenThere()
	here := s.certifiedTip()
	branch := s.stands(ctx, here, s.tip, branches)
	out.State, out.Ahead, out.Behind = branch.state, branch.ahead, branch.behind
	out.Plan = s.stands(ctx, s.planTip, s.planTip, plans).state
	if _, ours := s.local.Certified[here]; ours && out.State == SyncUnknown {
		out.State = SyncAhead // made here, and nobody ever saw it there
	}
	return out
}

// seenThere are the values of branch and plan that the remote was seen to have,
// the best look first; "" for one that it lacks. git's own look at the branch
// counts where ours is older or was never made.
func (s *session) seenThere() (branches, plans []string) {
	r := s.remote
	if r.asked && r.err == nil {
		return []string{r.branch}, []string{r.plan}
	}
	for _, ref := range []string{trackBranch(r.name, s.run), theirBranch(r.name, s.branch)} {
		if id := r.tracked[ref]; id != "" {
			branches = append(branches, id)
		}
	}
	if id := r.tracked[trackPlan(r.name, s.run)]; id != "" {
		plans = append(plans, id)
	}
	return branches, plans
}

// theirBranch is where `git fetch` notes a remote's branch unless told.
func theirBranch(remote, branch string) string {
	return "refs/remotes/" + remote + "/" + ShortBranch(branch)
}

// certifiedTip is the newest certificate or undo of ours, else the base: what
// lies above on the branch passed no check, and is pushed with the next one.
func (s *session) certifiedTip() string {
	at, tip := -1, s.base
	if r := s.ledger.Certificate(); r != nil {
		at, tip = r.Index, r.Commit.ID
	}
	for _, undone := range s.ledger.Undone {
		if undone > at {
			at, tip = undone, s.ledger.Chain[undone].ID
		}
	}
	return tip
}

// stands compares one id here, and the tip above it, with the looks at the remote,
// which only moves forward: one by which everything is there counts before one by
// which it is not, and the newer one before the older. Where the best look is what
// the branch here is, one that lacks some of it is from before somebody replaced
// the remote's branch, and this one followed.
func (s *session) stands(ctx context.Context, here, tip string, looks []string) (best stance) {
	best.state = SyncUnknown
	for _, there := range slices.Compact(looks) {
		now := s.standsTo(ctx, here, tip, there)
		if now.lacks && looks[0] == tip {
			continue
		}
		if best.state == SyncUnknown || now.all() && !best.all() || now.all() == best.all() && now.behind > best.behind {
			best = now
		}
	}
	return best
}

// stance is how one id here stands to one there.
type stance struct {
	state         string
	ahead, behind int
	there         string
	lacks         bool // some of what lies above the id here
}

// all: everything here is there.
func (s stance) all() bool { return s.state == SyncPushed || s.state == SyncBehind }

func (s *session) standsTo(ctx context.Context, here, tip, there string) stance {
	switch there {
	case here:
		return stance{state: SyncPushed, there: there}
	case "":
		return stance{state: SyncAhead}
	}
	ahead, behind, err := s.Git.AheadBehind(ctx, here, there)
	lacks := 0
	if err == nil && behind > 0 && tip != here {
		lacks, behind, err = s.Git.AheadBehind(ctx, tip, there) // what lies above here is no news
	}
	found := stance{state: SyncDiverged, ahead: ahead, behind: behind, there: there, lacks: lacks > 0}
	switch {
	case err != nil: // what it has was never fetched, or history is cut
		return stance{state: SyncUnknown, there: there}
	case ahead == 0 && behind == 0:
		found.state = SyncPushed
	case ahead == 0:
		found.state = SyncBehind
	case behind == 0:
		found.state = SyncAhead
	}
	return found
}
