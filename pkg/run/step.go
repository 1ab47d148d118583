package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// StepRequest performs or certifies one step.
type StepRequest struct {
	Run, Step string // Step "": the next one
	Command   []string
	Notes     []string
	Stray     string
	Empty     bool
	TTY       bool
	Detach    bool // leave the job running and answer at once
	NoPush    bool
	Takeover  bool // fence whoever holds the lease, without watching it first
	Judge     bool // take what is in the tree, also where the plan has a `do`

	line       string // what performs the step, for sh -c; Loop's
	unattended bool   // nobody mends a failed attempt by hand: it is settled at once

	said  string       // to whoever does it; Say's
	after *job.Attempt // the attempt that this one follows up; Say's
}

// Step runs a step's job, if it has one, certifies what it made, and pushes
// (the design, section 6). Without a command and without the plan's `do` it
// certifies what is in the working tree.
func (e *Engine) Step(ctx context.Context, req StepRequest) (r *Report, err error) {
	defer func() { err = e.orDiskFull(req.Run, err) }()
	if inner, err := e.nested(req); err != nil || inner != nil {
		return e.inner(ctx, req, inner, err)
	}
	if err := req.validate(); err != nil {
		return nil, err
	}
	s, unlock, err := e.begin(ctx, req.Run, "step", req.NoPush)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s.takeover = req.Takeover
	s.keepPlan()
	if err := s.ready(ctx, req); err != nil {
		return nil, err
	}
	defer s.release(ctx)
	heeding, done := s.heed(ctx, s.run)
	defer done()
	err = s.orCancelled(heeding, s.stepAndPush(heeding, req))
	s.letGoPlan()
	r, errReport := s.report()
	if errors.Is(err, errDetached) {
		return r, errReport
	}
	if err == nil && errReport == nil {
		r.Brief, errReport = s.nextBrief()
	}
	return r, errors.Join(err, errReport)
}

func (req StepRequest) validate() error {
	if req.Detach && req.TTY {
		return fail("USAGE", ExitUsage, errors.New("--detach and --tty: a job that has the terminal cannot be left running"), "git agent help step")
	}
	if len(req.Command) > 0 && strings.TrimSpace(req.Command[0]) == "" {
		return fail("USAGE", ExitUsage, errors.New("the command behind -- is empty; nothing was done"), "git agent help step")
	}
	return validNotes(req.Notes)
}

// validNotes refuses, before anything runs, a note that no trailer can hold.
func validNotes(notes []string) error {
	probe := trailers.Message{Subject: "note"}
	for _, n := range notes {
		probe.Trailers = append(probe.Trailers, trailers.Trailer{Key: trailers.KeyNote, Value: n})
	}
	if _, err := trailers.Format(probe); err != nil {
		return fail("USAGE", ExitUsage, fmt.Errorf("--note: %w", err), "git agent help step")
	}
	return nil
}

func (s *session) stepAndPush(ctx context.Context, req StepRequest) error {
	step, err := s.chooseStep(ctx, req)
	switch {
	case err != nil:
		return errors.Join(err, s.pushFailures(ctx))
	case step == nil:
		return s.pushAndTidy(ctx)
	}
	_, err = s.stepOn(ctx, step, req)
	return err
}

// stepOn is rows 2 to 12 for one step. done: it is certified, pushed or not. All of
// them, the push too, go by the plan in force.
func (s *session) stepOn(ctx context.Context, step *plan.Step, req StepRequest) (done bool, err error) {
	done, err = s.doStep(ctx, step, req)
	if !done {
		return false, errors.Join(err, s.pushFailures(ctx))
	}
	s.Fault("row10-push")
	if req.unattended {
		longer, stop := outlasting(ctx)
		defer stop()
		ctx = longer
	}
	err = s.locksAfter(step.ID, s.pushAndTidy(ctx))
	s.letGoPlan() // the push may bring a newer one, which nobody let run
	if err == nil {
		err = s.landDue(ctx)
	}
	return true, errors.Join(err, s.retireStep(step.ID))
}

// pushFailures takes failure records, and what is certified, to the remote;
// where that does not work the next command does it, so its error is only told.
func (s *session) pushFailures(ctx context.Context) error {
	if err := s.pushTo(ctx, s.soundTip()); err != nil {
		s.Notify("%v", err)
	}
	return nil
}

// doStep is rows 2 to 10. done is false where there is no certificate; the
// error says why.
func (s *session) doStep(ctx context.Context, step *plan.Step, req StepRequest) (done bool, err error) {
	verb := "step " + step.ID
	j := s.job(step, req)
	if j == nil && req.Detach {
		return false, failf("USAGE", ExitUsage, "--detach: step %s has no job: name a command behind --, or give the plan a do", step.ID).hint("git agent help step")
	}
	if err := s.follows(req); err != nil {
		return false, err
	}
	open, err := s.attemptOf(step.ID)
	if err != nil {
		return false, err
	}
	if j != nil {
		if certified, err := s.readyForJob(ctx, step, open, req); err != nil || certified {
			return certified, err
		}
	}
	a, err := s.beginAttempt(ctx, step, open, j != nil, req)
	if err != nil {
		return false, err
	}
	s.Fault("row2")
	w, err := s.work(ctx, step, a, req.Stray, verb)
	if err != nil {
		return false, err
	}
	w.empty, w.unattended = req.Empty, req.unattended
	if j == nil && !w.empty {
		if w.empty, err = s.mayBeEmpty(a); err != nil {
			return false, err
		}
	}
	result, err := s.attempted(ctx, w, j)
	if err != nil {
		return false, err
	}
	return s.conclusion(ctx, w, result)
}

// readyForJob settles what an earlier attempt left, and takes the lease.
func (s *session) readyForJob(ctx context.Context, step *plan.Step, open *attempt, req StepRequest) (certified bool, err error) {
	if open != nil {
		if certified, err := s.clearGround(ctx, step, open, req); err != nil || certified {
			return certified, err
		}
	}
	return false, s.claim(ctx, step.ID, s.head.ID, "")
}

// attempted is rows 3 to 10, under the lease where there is a job: signs of
// life go out, and a holder that was fenced stops.
func (s *session) attempted(ctx context.Context, w *work, j *jobLine) (judged, error) {
	kept, stop := s.keep(ctx)
	result, err := s.jobAndChecks(kept, w, j)
	fenced, cancelled := errors.Is(context.Cause(kept), errFenced), wasCancelled(kept)
	stop()
	cancelled = cancelled || errors.Is(err, errCancelled)
	if cancelled && (err != nil || result.outcome != reconcile.Passed) {
		return result, s.stopped(ctx, w)
	}
	if fenced && (result.outcome != reconcile.Passed || cutShort(err)) {
		return result, s.fenced(ctx, w)
	}
	if ctx.Err() != nil && cutShort(err) {
		s.shareInterrupted(ctx, w)
	}
	return result, err
}

func (s *session) jobAndChecks(ctx context.Context, w *work, j *jobLine) (judged, error) {
	if j != nil {
		if err := s.runJob(ctx, w.step, w.attempt, *j); err != nil {
			return judged{outcome: reconcile.Unsettled}, err
		}
	}
	s.Fault("row3")
	return s.certify(ctx, w)
}
