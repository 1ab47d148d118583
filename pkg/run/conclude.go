package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/rollback"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// conclude decides what the rollback was: the newest certificate's check on the
// restored tree tells a step that failed from a machine that fails everything.
func (s *session) conclude(ctx context.Context, p *pending) error {
	if p.failure == nil {
		return s.settle(ctx, p)
	}
	sound, j, step, err := s.boundarySound(ctx)
	if err == nil {
		err = s.headKept(ctx, p.step) // whoever comes next finds the rollback under way
	}
	if err != nil {
		return err
	}
	if !sound {
		if err := s.putBack(ctx, p); err != nil {
			return err
		}
		return failf("ENVIRONMENT", ExitPerson, "step %s failed, but so does the newest certificate (%s) on its restored tree: this machine, not the work, is at fault; everything was put back%s",
			p.step, step, reasonOf(j)).hint("git agent resume %s   # once that is mended", s.run)
	}
	if err := s.record(ctx, *p.failure); err != nil {
		return err
	}
	s.Fault("rollback-recorded")
	return s.settle(ctx, p)
}

func reasonOf(j judged) string {
	if j.failed == nil {
		return ": " + j.reason
	}
	return fmt.Sprintf("\n--- `%s` ended with %s:\n%s", j.command, j.failed.Outcome, lastBytes(j.failed.Merged.Bytes, 2<<10))
}

// boundarySound runs the check of the newest certificate that counts, unless this
// clone made that certificate under the same fingerprint or there is none.
func (s *session) boundarySound(ctx context.Context) (sound bool, j judged, step string, err error) {
	r, found := s.witness()
	if r == nil {
		return true, j, "", nil
	}
	fingerprint, why, err := s.fingerprint(ctx, s.Place.Top)
	if err != nil || why != "" {
		return false, judged{reason: why}, found.ID, err
	}
	if under, here := s.local.Certified[r.Commit.ID]; here && under == fingerprint {
		return true, j, "", nil
	}
	pad := s.scratchpad()
	defer pad.remove()
	dir, err := s.whereWhole(ctx, found, pad)
	if err != nil {
		return false, j, found.ID, err
	}
	j, err = s.judge(ctx, found, place{dir: dir, step: found.ID})
	return j.outcome == reconcile.Passed, j, found.ID, err
}

// whereWhole is the working tree, or a scratch checkout where a sparse one lacks
// what a step's checks look at.
func (s *session) whereWhole(ctx context.Context, step *plan.Step, pad *scratchpad) (dir string, err error) {
	sees, err := seenBy(step)
	if err != nil {
		return "", err
	}
	lacks, err := s.leftOut(ctx, sees)
	if err != nil || len(lacks) == 0 {
		return s.Place.Top, err
	}
	return pad.at(ctx, s.head.ID)
}

// settle ends a rollback: pending becomes a number, the attempt is retired.
func (s *session) settle(ctx context.Context, p *pending) error {
	if err := s.wantShared(p.step, p.commit); err != nil {
		return err
	}
	ref, err := s.roller.Settle(ctx, s.run, p.step)
	if err != nil {
		return err
	}
	s.did = p.step + " rolled back"
	s.Notify("%s: rolled back to %s; partial work kept at %s", p.step, short(p.boundary), ref)
	if err := s.sharePartial(ctx, p.step, ref); err != nil {
		return err
	}
	a, err := s.attemptOf(p.step)
	if err != nil {
		return err
	}
	if err := s.retire(a); err != nil {
		return err
	}
	return s.reload(ctx)
}

// putBack is the way back: files and index as they were preserved, the branch
// where it was, pending deleted last.
func (s *session) putBack(ctx context.Context, p *pending) error {
	tmp, err := s.tmp()
	if err != nil {
		return err
	}
	if s.tip == p.boundary && p.head != p.boundary {
		if err := s.Git.UpdateRefs(ctx, s.why("rollback", p.step), object.RefUpdate{Name: s.branch, Old: p.boundary, New: p.head}); err != nil {
			return err
		}
	}
	s.forget()
	s.Fault("put-back")
	paths, err := s.roller.Paths(ctx, p.commit, p.boundary)
	if err != nil {
		return err
	}
	req := rollback.Request{Run: s.run, Step: stash.Lost, Stash: p.commit, Target: p.boundary, Paths: paths, Scratch: tmp}
	if _, err := s.roller.PutBack(ctx, req); err != nil {
		return asRefusal(err)
	}
	s.Fault("put-back-done")
	if err := s.Git.UpdateRefs(ctx, s.why("rollback", p.step), object.RefUpdate{Name: p.ref, Old: p.commit}); err != nil {
		return err
	}
	return s.reload(ctx)
}

// finishRollbacks completes every rollback that a kill left under way, before
// any check: a mixture of half-done and restored files can pass a check that
// the half-done ones failed.
func (s *session) finishRollbacks(ctx context.Context) error {
	for _, ref := range slices.Clone(s.stashes) {
		step, isPending := strings.CutSuffix(strings.TrimPrefix(ref.Name, stash.Root+s.run+"/"), "/pending")
		if !isPending {
			continue
		}
		p, err := s.readPending(ctx, ref, step)
		if err != nil {
			return err
		}
		s.Notify("%s: finishing the rollback that was under way", step)
		if err := s.carryOut(ctx, p); err != nil {
			return err
		}
		if err := s.conclude(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) readPending(ctx context.Context, ref object.Ref, step string) (*pending, error) {
	c, err := s.Git.ReadCommit(ctx, ref.ID)
	if err != nil {
		return nil, err
	}
	m := trailers.Parse(c.Message)
	p := &pending{ref: ref.Name, commit: ref.ID, step: step, head: c.FirstParent(), boundary: first(append(m.Values(stash.TrailerBoundary), c.FirstParent())...)}
	if r := trailers.Read(c.Message); r.Kind == trailers.FailureRecord {
		p.failure = &failure{step: step, attempt: r.Evidence.Attempt, id: plan.AttemptID(r.Evidence), tree: r.Evidence.Tree, checks: r.Evidence.Checks,
			version: r.Evidence.PlanVersion}
	}
	return p, nil
}
