package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
)

// remoteRuns tells of each run what the remote has, and adds those that only it
// has. Objects are fetched, no ref of this clone moves.
func (e *Engine) remoteRuns(ctx context.Context, found map[string]*Listed) error {
	name, err := pickRemote(e.Git, e.Config, e.Remote)
	if err != nil {
		return err
	}
	if name == "" {
		return noRemote()
	}
	there, err := e.Git.RemoteRefs(ctx, name, planPrefix+"*", planBranchPrefix+"*", headsPrefix+e.branchPrefix()+"*", lease.Prefix+"*")
	if err != nil {
		return fail("NO_ANSWER", ExitUnknown, fmt.Errorf("remote %q did not answer: %w", name, err), "git ls-remote "+quoteArg(name))
	}
	f := (&session{Engine: e}).fleetOf(there)
	for run := range f.plans {
		if found[run] == nil {
			found[run] = &Listed{Format: 1, Run: run, Branch: e.BranchRef(run)}
		}
	}
	if err := e.fetchNew(ctx, name, there, slices.Sorted(maps.Keys(found))); err != nil {
		return err
	}
	leases, err := e.Git.Refs(ctx, lease.Prefix)
	if err != nil {
		return err
	}
	here := map[string]string{}
	for _, r := range leases {
		here[strings.TrimPrefix(r.Name, lease.Prefix)] = r.ID
	}
	for run, entry := range found {
		if err := e.describeThere(ctx, f, entry); err != nil {
			return err
		}
		entry.RemoteHead = f.branches[run]
		if entry.RemoteHead == "" && f.plans[run] != "" {
			if err := e.describeGone(ctx, entry); err != nil {
				return err
			}
		}
		entry.compare(ctx, &session{Engine: e})
		e.describeHolder(ctx, here[run], f.leases[run], entry)
	}
	return nil
}

// describeHolder says who works on a run by the remote's lease. What only this
// clone can know stays: a cancel that could not be pushed, a run that is kept here,
// and that a run cannot be read.
func (e *Engine) describeHolder(ctx context.Context, here, there string, entry *Listed) {
	s, err := e.newSession(entry.Run)
	if err != nil || s.leaseAlone() {
		return
	}
	s.leaseHere, s.remote.lease, s.remote.asked = here, there, true
	if l, err := s.cancelStands(ctx); err == nil && l != nil {
		entry.Cancelled = first(l.By, "somebody")
		return
	}
	entry.Held, entry.Step, entry.Since, entry.Cancelled = "", "", time.Time{}, ""
	if there != "" {
		e.describeLease(ctx, s, entry)
	}
}

// fetchNew brings what the remote has of these runs and this clone lacks, in
// one go.
func (e *Engine) fetchNew(ctx context.Context, remote string, there map[string]string, runs []string) error {
	have, err := e.Git.Peel(ctx, slices.Sorted(maps.Values(there)))
	if err != nil {
		return err
	}
	var names []string
	for _, run := range runs {
		for _, ref := range []string{PlanRef(run), planBranchPrefix + run, e.BranchRef(run), lease.Ref(run)} {
			if id := there[ref]; id != "" && have[id] == "" {
				names = append(names, ref)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return e.Git.FetchMany(ctx, remote, names)
}

// describeThere is how far a run is where the remote has more than this clone.
// What cannot be told is said and counts as nothing.
func (e *Engine) describeThere(ctx context.Context, f *fleet, entry *Listed) error {
	s, err := e.readNewer(ctx, entry.Run, f.plans[entry.Run], f.branches[entry.Run])
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		entry.cannotTell(err)
	case s != nil:
		entry.progress(s)
	}
	return nil
}

// readNewer reads a run at the newer of here and there, plan and branch; nil
// where this clone has all of it.
func (e *Engine) readNewer(ctx context.Context, run, plan, branch string) (*session, error) {
	s, err := e.newSession(run)
	if err == nil {
		err = s.readRefs(ctx)
	}
	if err != nil {
		return nil, err
	}
	hadPlan, hadTip := s.planTip, s.tip
	s.remote.asked = true // so that a cut history may be deepened
	if s.planTip, err = s.newer(ctx, s.planTip, plan); err != nil {
		return nil, err
	}
	if s.tip, err = s.newer(ctx, s.tip, branch); err != nil {
		return nil, err
	}
	if s.planTip == hadPlan && s.tip == hadTip {
		return nil, nil
	}
	return s, s.read(ctx)
}

// newer is the tip that contains the other one; the remote's, where neither
// does: it is the one that others go on from.
func (s *session) newer(ctx context.Context, here, there string) (string, error) {
	if here == "" || there == "" || here == there {
		return first(there, here), nil
	}
	ahead, err := s.Git.IsAncestor(ctx, there, here)
	if err != nil {
		return "", fmt.Errorf("whether %s or %s is newer cannot be told: %w", short(here), short(there), err)
	}
	if ahead {
		return here, nil
	}
	return there, nil
}
