package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// AttemptRequest names an attempt that has a folder in this clone.
type AttemptRequest struct {
	Run  string
	Name string // of the folder; "": the newest of Step
	Step string // "": of any step
}

// Attempt finds an attempt that has a job. It reads only.
func (e *Engine) Attempt(req AttemptRequest) (*job.Attempt, error) {
	all, err := job.List(e.State, req.Run)
	for _, a := range slices.Backward(all) {
		if a.HasJob() && (req.Name == a.Name() || req.Name == "" && (req.Step == "" || req.Step == a.Step)) {
			return a, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return nil, failf("NO_ATTEMPT", ExitNo, "run %s has no attempt %q with a job here", req.Run, first(req.Name, req.Step)).
		hint("git agent status %s", req.Run)
}

// FarRequest brings the log of a job on another machine here.
type FarRequest struct {
	// From asks that machine; it names one attempt and no other.
	From job.Client
	Host string // for people
	// Live gets what comes, as it comes; nil: nobody.
	Live io.Writer
}

// DrainFar drains a job of another machine into a log of this clone, in a
// folder of the attempt's own name, until that log is complete: both streams
// byte for byte. Done again, it goes on where it stands. The job is left alone.
func (e *Engine) DrainFar(ctx context.Context, req FarRequest) (*job.Attempt, error) {
	st, err := req.From.Status(ctx)
	if err != nil {
		return nil, err
	}
	owner, err := check.Self()
	if err != nil {
		return nil, err
	}
	at, err := e.farFolder(st, req.Host, owner)
	if err != nil {
		return nil, err
	}
	fence, err := at.TryFence(job.Holder{Owner: owner, Verb: "logs"}, func() error { return at.Adopt(owner, req.Host) })
	var busy *BusyError
	if errors.As(err, &busy) {
		return at, failf("RUN_BUSY", ExitBusy, "somebody else is bringing the log of attempt %d of step %s here", st.Number, st.Step).hint("git agent logs %s --run %s", st.Step, st.Run)
	}
	if err != nil {
		return at, err
	}
	defer func() { _ = fence.Unlock() }()
	log, err := at.OpenCopy(ctx, req.From, e.Now)
	if err != nil {
		return at, err
	}
	_, err = job.Drain{From: req.From, Log: log, Live: req.Live}.Run(ctx)
	return at, errors.Join(err, log.Close())
}

// farFolder is the folder here of an attempt elsewhere.
func (e *Engine) farFolder(st job.Status, host string, owner check.Owner) (*job.Attempt, error) {
	facts := job.Facts{Run: st.Run, Step: st.Step, Attempt: st.Attempt, Number: st.Number, PlanVersion: st.Version,
		Host: host, Far: true, Opened: e.Now(), Owner: owner}
	for _, id := range []string{st.Run, st.Step, st.Attempt} { // they name folders here
		if err := trailers.ValidID(id); err != nil {
			return nil, fmt.Errorf("%q names an attempt: %q: %w", host, id, err)
		}
	}
	if facts.FolderName() != st.Name {
		return nil, fmt.Errorf("%q calls attempt %q by another name, %q", host, facts.FolderName(), st.Name)
	}
	at, err := job.Open(e.State, st.Run, st.Name)
	if errors.Is(err, fs.ErrNotExist) {
		at, err = job.Create(e.State, facts)
	}
	if err != nil {
		return nil, err
	}
	if !at.Far || at.Attempt != st.Attempt {
		return nil, failf("USAGE", ExitUsage, "attempt %q was made in this clone", st.Name).hint("git agent logs %s --run %s", st.Step, st.Run)
	}
	return at, nil
}
