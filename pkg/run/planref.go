package run

import (
	"context"
	"errors"
	"slices"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

func newCommit(tree, parent, message string) object.NewCommit {
	c := object.NewCommit{Tree: tree, Message: message}
	if parent != "" {
		c.Parents = []string{parent}
	}
	return c
}

// planTree writes a tree that holds a plan's text.
func (e *Engine) planTree(ctx context.Context, scratch string, text []byte) (string, error) {
	blob, err := e.Git.WriteBlob(ctx, text)
	if err != nil {
		return "", err
	}
	return e.Git.WriteTree(ctx, scratch, []object.Entry{{Path: planFile, Mode: object.ModeFile, ID: blob}})
}

// append adds a commit to the plan ref by compare-and-swap. build is asked
// again where the ref had moved; an error of it ends the attempt.
func (s *session) append(ctx context.Context, verb string, build func() (object.NewCommit, error)) error {
	for {
		c, err := build()
		if err != nil {
			return err
		}
		c.Parents = []string{s.planTip}
		id, err := s.writeCommit(ctx, c)
		if err != nil {
			return err
		}
		err = s.Git.UpdateRefs(ctx, s.why(verb, ""), object.RefUpdate{Name: PlanRef(s.run), Old: s.planTip, New: id})
		if err == nil {
			s.planTip = id
			return s.readPlan(ctx)
		}
		if err := s.followMoved(ctx, err); err != nil {
			return err
		}
	}
}

// followMoved reads the plan ref again after a lost compare-and-swap; any
// other error stands.
func (s *session) followMoved(ctx context.Context, cause error) error {
	now, err := s.Git.Ref(ctx, PlanRef(s.run))
	if err != nil {
		return errors.Join(cause, err)
	}
	if now == s.planTip || now == "" {
		return cause
	}
	s.planTip = now
	return s.readPlan(ctx)
}

// failure is what a failure record says.
type failure struct {
	step    string
	attempt int
	id      string // of the attempt, or of the try, where nobody opened one
	tree    string
	checks  []trailers.Check
	version int    // of the plan that has these checks, 0: the one in force
	refutes string // the certificate whose check failed, "" where it only counts
}

// record puts a failure record on the plan ref, once per attempt, so that a
// limit survives this container.
func (s *session) record(ctx context.Context, f failure) error {
	if s.hasFailure(f) {
		return nil
	}
	return s.append(ctx, "failure", func() (object.NewCommit, error) {
		tree, err := s.Git.TreeOf(ctx, s.planTip)
		if err != nil {
			return object.NewCommit{}, err
		}
		message, err := plan.FailureMessage(s.failureEvidence(f))
		return object.NewCommit{Tree: tree, Message: message}, err
	})
}

// failureEvidence is what a failure record says. A number that another clone's
// attempt has meanwhile is followed by the next.
func (s *session) failureEvidence(f failure) trailers.Evidence {
	e := trailers.Evidence{Run: s.run, Step: f.step, Checks: f.checks, PlanVersion: s.version, Tree: f.tree, Attempt: f.attempt, Refutes: f.refutes}
	if s.plans[f.version] != nil {
		e.PlanVersion = f.version
	}
	if f.id != "" {
		e.Other = []trailers.Trailer{{Key: plan.KeyAttemptID, Value: f.id}}
	}
	for _, old := range s.chain.Failures {
		if old.Step == f.step && f.refutes == "" && old.Refutes == "" && old.Attempt >= e.Attempt {
			e.Attempt = old.Attempt + 1
		}
	}
	return e
}

// hasFailure: an attempt is counted once, by its id. By its number only where
// neither side has an id: two clones make attempts of one number.
func (s *session) hasFailure(f failure) bool {
	return slices.ContainsFunc(s.chain.Failures, func(old plan.Failure) bool {
		switch {
		case old.Step != f.step, (f.refutes == "") != (old.Refutes == ""):
			return false
		case f.refutes != "":
			return old.Refutes == f.refutes
		case f.id != "" || old.AttemptID != "":
			return old.AttemptID == f.id
		}
		return old.Attempt == f.attempt
	})
}

// refuted lists the certificates that a failure record refutes.
func (s *session) refuted() map[string]bool {
	out := map[string]bool{}
	for _, f := range s.chain.Failures {
		if f.Refutes != "" {
			out[f.Refutes] = true
		}
	}
	return out
}

// nextAttempt is the number of what is recorded next of a step: what failed or
// was certified before counts, wherever it happened.
func (s *session) nextAttempt(step string) int { return s.attemptsOf(step) + 1 }

// openNumber is the number of an attempt that is opened here: also above those
// that were never recorded (cancelled, cut off, nothing changed), whose logs stay.
func (s *session) openNumber(step string) int {
	return max(s.attemptsOf(step), job.Highest(s.State, s.run, step)) + 1
}

func (s *session) attemptsOf(step string) int {
	n := 0
	for _, f := range s.chain.Failures {
		if f.Step == step && f.Refutes == "" {
			n = max(n, f.Attempt)
		}
	}
	for _, r := range s.ledger.Of(step) {
		n = max(n, r.Evidence.Attempt)
	}
	return n
}
