package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// ResumeRequest reconciles a run with what the tree says.
type ResumeRequest struct {
	Run     string
	Trust   TrustRequest
	Stray   string
	Recheck bool
	// Takeover fences whoever holds the lease, without watching it first.
	Takeover bool
	NoPush   bool
	Push     bool // takes an earlier NoPush back
	DryRun   bool

	// foresee is what else is judged before a cancelled run is opened; Loop's.
	foresee func(ctx context.Context, inFlight bool) error
}

// Resume goes through the design, section 7: follow the remote, finish what a
// kill left under way, decide the step in flight (phase A), then every step in
// plan order (phase B), and push what that certified.
func (e *Engine) Resume(ctx context.Context, req ResumeRequest) (r *Report, err error) {
	defer func() { err = e.orDiskFull(req.Run, err) }()
	if req.DryRun {
		return e.Status(ctx, req.Run)
	}
	s, unlock, err := e.begin(ctx, req.Run, "resume", req.NoPush)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := s.needTrust(ctx, req.Trust); err != nil {
		return nil, err
	}
	s.takeover, s.vouched = req.Takeover, req.Trust.asDigest()
	if req.Push {
		if err := s.pushAgain(ctx); err != nil {
			return nil, err
		}
	}
	defer s.release(ctx) // of a job that was adopted
	heeding, done := s.heed(ctx, s.run)
	defer done()
	err = s.orCancelled(heeding, s.reconcile(heeding, req))
	r, errReport := s.report()
	return r, errors.Join(err, errReport)
}

func (s *session) reconcile(ctx context.Context, req ResumeRequest) error {
	if err := s.needNotCancelled(ctx, leaveCancelled); err != nil {
		return s.refusedCancelled(ctx, err)
	}
	s.keepPlan()
	defer s.letGoPlan()
	if err := s.settleAttempts(ctx, adoptAlive); err != nil {
		return err
	}
	if gone, err := s.landedAndGone(ctx); err != nil {
		return err
	} else if gone {
		return s.needNotCancelled(ctx, openAgain)
	}
	lost, err := s.followBranch(ctx, req)
	if err != nil {
		return err
	}
	if err := s.openJudged(ctx, req); err != nil {
		return err
	}
	if err := s.finishEarlier(ctx, req.Stray); err != nil {
		return err
	}
	if err := s.inFlight(ctx, req.Stray); err != nil {
		if s.unmended(err) {
			return err
		}
		return errors.Join(err, s.pushFailures(ctx))
	}
	s.Fault("phaseA")
	err = s.recheckAll(ctx, req.Recheck)
	s.Fault("phaseB")
	if s.unmended(err) {
		return err
	}
	if errPush := s.pushAndTidy(ctx); err == nil {
		err = errPush
	}
	s.letGoPlan()
	if err == nil {
		err = s.afterReconcile(ctx)
	}
	if err == nil {
		err = lost
	}
	return err
}

// openSynced reads a run after asking the remote and following its plan: in a
// brand-new clone there is nothing yet but the remote.
func (e *Engine) openSynced(ctx context.Context, run string) (*session, error) {
	s, err := e.lookAround(ctx, run, true)
	if err != nil {
		return nil, err
	}
	if err := s.followPlan(ctx); err != nil {
		return nil, err
	}
	if s.planTip == "" && (s.remote.plan == "" || s.remote.err != nil) {
		return nil, s.noSuchRun()
	}
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	return s, s.fetchPartial(ctx)
}

func (s *session) noSuchRun() error {
	if s.remote.err != nil {
		return fail("UNKNOWN", ExitUnknown, fmt.Errorf("run %q is not here and %w", s.run, s.remote.err), "git ls-remote "+quoteArg(s.remote.name))
	}
	if s.remote.name == "" {
		return failf("NO_RUN", ExitFatal, "there is no run %q here", s.run).hint("git for-each-ref %s", planPrefix)
	}
	return failf("NO_RUN", ExitFatal, "there is no run %q here or on %q", s.run, s.remote.name).
		hint("git for-each-ref %s", planPrefix).hint("git ls-remote %s '%s*'", quoteArg(s.remote.name), planPrefix)
}

// samePlace refuses the enclosing repository where the run's own working tree,
// below this one, lost its .git: git would answer for the wrong project.
func (s *session) samePlace() error {
	was := string(s.local.Top)
	inside := was != "" && was != s.Place.Top && strings.HasPrefix(was, s.Place.Top+string(filepath.Separator))
	cwd := lookup(s.Env, "PWD")
	if !inside || cwd != was && !strings.HasPrefix(cwd, was+string(filepath.Separator)) {
		return nil
	}
	return failf("WRONG_PLACE", ExitPerson, "%s was the run's working tree and is none any more: git answers for %s; nothing was touched", was, s.Place.Top).
		hint("cd %s && git status", quoteArg(s.Place.Top))
}
