package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// publish moves target and plan ref together, or neither. The marker is shown
// to nobody, here neither, before the target holds what it names: whoever is
// killed in between and comes again finds the target as it was, or the landing.
func (l *lander) publish(ctx context.Context, made *integrated) (done bool, err error) {
	marker, err := l.markerCommit(ctx, l.marker(made), last(l.steps), l.upTo.Commit.ID)
	if err != nil {
		return false, err
	}
	l.report.Marker, err = landing.FormatMarker(l.marker(made))
	if err != nil {
		return false, err
	}
	l.Fault("land-marker")
	if l.landsHere() {
		err = l.moveHere(ctx, made, marker)
	} else if done, err = l.pushBoth(ctx, made, marker); err != nil || !done {
		return false, err
	}
	if err != nil {
		return false, err
	}
	l.report.Verdict, l.report.Pushed = string(landing.Landed), !l.landsHere()
	l.report.Text = "landed as " + short(made.commit) + " on " + l.target.branch
	if err := l.keepLanded(made); err != nil {
		return true, err
	}
	l.Fault("land-noted")
	return true, l.comment(ctx, true)
}

// keepLanded remembers what everybody else has to ask for.
func (l *lander) keepLanded(made *integrated) error {
	if !containsAll(l.steps, l.itself().allSteps()) || l.target.branch != l.targetName("") {
		return nil
	}
	p := &Preflight{Format: 1, Run: l.run, Verdict: string(landing.AlreadyLanded), How: landing.ByMarker, Text: l.report.Text,
		Evidence: Evidence{Target: l.target.branch, TargetTip: made.commit, Marker: l.report.Marker, Commits: []string{made.commit}}}
	return l.keepWhole(p)
}

// moveHere lands where nothing is pushed: one transaction, unless a working tree
// has the target checked out, whose files would then be behind it.
func (l *lander) moveHere(ctx context.Context, made *integrated, marker string) error {
	branch, err := l.Git.LeadsTo(ctx, l.target.ref())
	if err != nil {
		return err
	}
	places, err := l.Git.CheckedOutAt(ctx, branch)
	if err != nil {
		return err
	}
	if l.head.Branch == branch {
		places = append(places, object.Worktree{Path: l.Place.Top})
	}
	if len(places) > 0 && places[0].Gone {
		return failf("CHECKED_OUT", ExitPerson, "branch %s is checked out in %s, which is not there any more; nothing was landed", l.target.branch, places[0].Path).
			hint("%s   # then: %s", forgetTree(places[0]), l.again())
	}
	if len(places) > 0 && places[0].End != "" {
		return failf("CHECKED_OUT", ExitPerson, "branch %s is being rebased or bisected in %s; nothing was landed", l.target.branch, places[0].Path).
			hint("git -C %s status", quoteArg(places[0].Path)).
			hint("git -C %s %s   # or finish it; then: %s", quoteArg(places[0].Path), places[0].End, l.again())
	}
	if len(places) > 0 {
		return failf("CHECKED_OUT", ExitPerson, "branch %s is checked out in %s, whose files would be behind it; nothing was landed", l.target.branch, places[0].Path).
			hint("git -C %s checkout --detach   # then: %s", quoteArg(places[0].Path), l.again())
	}
	updates := l.unlessCancelled(object.RefUpdate{Name: PlanRef(l.run), Old: l.planTip, New: marker})
	updates = append(updates, object.RefUpdate{Name: l.target.ref(), Old: l.target.tip, New: made.commit})
	if err := l.Git.UpdateRefs(ctx, l.why("land", ""), updates...); err != nil {
		return l.notMoved(ctx, err)
	}
	l.Fault("land-pushed")
	l.planTip = marker
	return l.readPlan(ctx)
}

// notMoved tells of a cancel in this repository that came before; any other
// cause stands.
func (l *lander) notMoved(ctx context.Context, cause error) error {
	if err := l.stillOpen(ctx); err != nil {
		return err
	}
	return cause
}

// stillOpen looks for a cancel that came meanwhile, in this repository too.
func (l *lander) stillOpen(ctx context.Context) (err error) {
	if l.leaseHere, err = l.Git.Ref(ctx, lease.Ref(l.run)); err != nil {
		return err
	}
	l.takeover = false // it was for what stood at the beginning
	return l.needNotCancelled(ctx, openAgain)
}

// movedOn looks once more, right before the push or before a pull request is
// opened: checks take their time, and a cancel, an undo or another plan that came
// meanwhile counts. A target that was taken back would be fast-forwarded to what
// it lost.
func (l *lander) movedOn(ctx context.Context) (bool, error) {
	plan, branch := l.remote.plan, l.remote.branch
	if err := l.ask(ctx); err != nil {
		return false, err
	}
	if err := l.answeredToLand(); err != nil {
		return false, err
	}
	if err := l.stillOpen(ctx); err != nil {
		return false, err
	}
	now, err := l.lookTarget(ctx, l.req.Onto, false)
	switch {
	case err != nil:
		return false, err
	case now.doubt != nil:
		l.remote.err = errors.New(now.doubt.Text)
		return false, l.answeredToLand()
	case l.remote.plan != plan:
		l.moved = "the plan"
	case l.remote.branch != branch:
		l.moved = "the run's branch"
	case now.tip != l.target.tip:
		l.moved = l.target.branch
	default:
		return false, nil
	}
	return true, l.catchUpPlan(ctx)
}

// pushBoth is one atomic push, fast-forward only. Without a clean answer the
// remote is read back; only what it holds decides.
func (l *lander) pushBoth(ctx context.Context, made *integrated, marker string) (done bool, err error) {
	if moved, err := l.movedOn(ctx); err != nil || moved {
		return false, err
	}
	refs := []object.PushRef{{Name: l.target.ref(), ID: made.commit}, {Name: l.planThere(), ID: marker}}
	var verdicts []object.PushVerdict
	var errPush error
	for try := range pushTries {
		verdicts, errPush = l.sendBoth(ctx, refs, try)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		l.Fault("land-pushed")
		if errPush == nil {
			return true, l.landedThere(ctx, made, marker)
		}
		missing, moved, err := l.stillMissing(ctx, made, marker)
		switch {
		case err != nil:
			return false, l.notLanded(errors.Join(errPush, err))
		case moved:
			return false, l.follow(ctx)
		case len(missing) == 0:
			l.tellMirror(refs, verdicts, errPush)
			return true, l.landedThere(ctx, made, marker)
		case refusedHere(errPush) != "" && missing[0].Name == l.target.ref():
			return false, l.refusedByHook(refusedHere(errPush))
		case try == pushTries-1 && missing[0].Name == l.target.ref():
			return false, l.landRefused(verdicts, errPush)
		}
		refs = missing
		if err := backOff(ctx, try); err != nil {
			return false, err
		}
	}
	return false, l.notLanded(fmt.Errorf("the target moved, the marker was not taken: %s", whyRefused(verdicts, errPush)))
}

// stillMissing is what of both the remote does not hold: a server that failed
// in between has one, and the marker is true only once the target has followed.
// moved: somebody else was there.
func (l *lander) stillMissing(ctx context.Context, made *integrated, marker string) (missing []object.PushRef, moved bool, err error) {
	there, err := l.Git.RemoteRefs(ctx, l.remote.name, l.target.ref(), l.planThere())
	if err != nil {
		return nil, false, err
	}
	for _, ref := range []struct{ name, was, want, words string }{
		{l.target.ref(), l.target.tip, made.commit, l.target.branch}, {l.planThere(), l.remote.plan, marker, "the plan"},
	} {
		switch there[ref.name] {
		case ref.want:
		case ref.was:
			missing = append(missing, object.PushRef{Name: ref.name, ID: ref.want})
		default:
			l.moved = ref.words
			return nil, true, nil
		}
	}
	return missing, false, nil
}

// landRefused: a policy of the remote's, or a lock that is in its own way; else
// the push just did not come through.
func (l *lander) landRefused(verdicts []object.PushVerdict, cause error) error {
	if !refused(verdicts) {
		return l.notLanded(cause)
	}
	why := whyRefused(verdicts, cause)
	f := failf("PUSH_REFUSED", ExitPerson, "nothing was landed: %q refuses it: %s", l.remote.name, why)
	if lockedThere(why) {
		return f.hint("%s   # once that lock is gone there: of a git that was killed it stays until somebody removes it", l.again())
	}
	return f.hint("%s --mode pr   # where %s takes no push", l.landCommand(), l.target.branch)
}

// refusedByHook: nothing was sent at all.
func (l *lander) refusedByHook(why string) error {
	return failf("PUSH_REFUSED", ExitPerson, "nothing was landed: %s", why).
		hint("%s   # once the hook takes it", l.again()).
		hint("%s --mode pr   # where %s takes no push", l.landCommand(), l.target.branch)
}

// sendBoth is one push of both refs; where the server knows no atomic push, or
// would not take one so far, the target goes first: a marker must never say
// what is not there.
func (l *lander) sendBoth(ctx context.Context, refs []object.PushRef, try int) (verdicts []object.PushVerdict, err error) {
	if !l.local.BranchOnly && try < pushTries-1 || len(refs) == 1 {
		return l.Git.Push(ctx, l.remote.name, object.Push{Refs: refs})
	}
	for _, ref := range refs {
		if verdicts, err = l.Git.Push(ctx, l.remote.name, object.Push{Refs: []object.PushRef{ref}}); err != nil {
			return verdicts, err
		}
		l.Fault("land-pushed-one")
	}
	return verdicts, nil
}

// landedThere notes here what the remote has now.
func (l *lander) landedThere(ctx context.Context, made *integrated, marker string) error {
	plan, target := trackPlan(l.remote.name, l.run), trackTarget(l.remote.name, l.run)
	updates := []object.RefUpdate{{Name: PlanRef(l.run), Old: l.planTip, New: marker}}
	for track, id := range map[string]string{plan: marker, target: made.commit} {
		if l.remote.tracked[track] != id {
			updates = append(updates, object.RefUpdate{Name: track, Old: l.remote.tracked[track], New: id})
			l.remote.tracked[track] = id
		}
	}
	l.planTip, l.remote.plan, l.remote.target = marker, marker, made.commit
	if err := l.Git.UpdateRefs(ctx, l.why("land", ""), updates...); err != nil {
		return err
	}
	return l.readPlan(ctx)
}

// follow reads the remote again: the target or the plan moved on meanwhile.
func (l *lander) follow(ctx context.Context) error {
	if err := l.ask(ctx); err != nil {
		return err
	}
	if l.remote.err != nil {
		return l.notLanded(l.remote.err)
	}
	return l.catchUpPlan(ctx)
}

func (l *lander) catchUpPlan(ctx context.Context) error {
	if err := l.followPlan(ctx); err != nil {
		return err
	}
	return l.read(ctx)
}

func (l *lander) notLanded(cause error) error {
	return failf("NOT_PUSHED", ExitNotPushed, "whether it landed on %q is not known yet: %w", l.remote.name, cause).
		hint("%s   # finds out, and lands it once", l.again())
}
