package run

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
)

// Listed is one run as `runs` lists it: fields are only added.
type Listed struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	Title  string `json:"title,omitempty"`
	// Branch is the run's branch, Head its tip here, RemoteHead its tip there; ""
	// where it is not.
	Branch     string `json:"branch"`
	Head       string `json:"head"`
	RemoteHead string `json:"remote_head"`
	// Tip is where Certified was counted: Head or, where the remote was asked and
	// has more, RemoteHead.
	Tip string `json:"tip"`
	// Ahead counts commits of Head that RemoteHead lacks, Behind the others; both
	// are absent where that cannot be told.
	Ahead  *int `json:"ahead,omitempty"`
	Behind *int `json:"behind,omitempty"`
	// Certified of Steps have a valid record: in this clone or, where the remote
	// was asked, there. Steps is 0 where that cannot be told.
	Certified int  `json:"certified"`
	Steps     int  `json:"steps"`
	Known     bool `json:"known"` // the run is in this clone
	// Landed says how a run is known to have landed whose branch is gone from the
	// remote, where that was asked: all its steps count as certified.
	Landed string `json:"landed,omitempty"`
	// Held says who works on it: by the lease last seen, else this machine where
	// an attempt is under way here.
	Held  string    `json:"held,omitempty"`
	Step  string    `json:"step,omitempty"`
	Since time.Time `json:"since,omitzero"` // the lease's last sign of life, by its maker's clock
	// Cancelled says by whom the run was, "" where it was not.
	Cancelled string `json:"cancelled,omitempty"`
}

// Runs lists the runs of this clone and, with remote, those of the remote.
func (e *Engine) Runs(ctx context.Context, remote bool) ([]Listed, error) {
	found := map[string]*Listed{}
	refs, err := e.Git.Refs(ctx, planPrefix)
	if err != nil {
		return nil, err
	}
	for _, r := range refs {
		run := strings.TrimPrefix(r.Name, planPrefix)
		entry, err := e.knownRun(ctx, run)
		if err != nil {
			return nil, err
		}
		found[run] = entry
	}
	if remote {
		if err := e.remoteRuns(ctx, found); err != nil {
			return nil, err
		}
	}
	out := make([]Listed, 0, len(found))
	for _, run := range slices.Sorted(maps.Keys(found)) {
		out = append(out, *found[run])
	}
	return out, nil
}

// knownRun describes a run of this clone; one that cannot be read is listed
// with why.
func (e *Engine) knownRun(ctx context.Context, run string) (*Listed, error) {
	entry := &Listed{Format: 1, Run: run, Branch: e.BranchRef(run), Known: true}
	s, err := e.open(ctx, run)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		entry.cannotTell(err)
		return entry, nil
	}
	if !s.elsewhere {
		entry.Head = s.tip
	}
	entry.progress(s)
	branches, _ := s.seenThere()
	entry.RemoteHead = s.stands(ctx, s.tip, s.tip, branches).there
	entry.compare(ctx, s)
	if l, err := s.cancelStands(ctx); err == nil && l != nil {
		entry.Cancelled = first(l.By, "somebody")
	} else if id := s.remote.tracked[trackLease(s.remote.name, run)]; id != "" {
		s.remote.lease = id
		e.describeLease(ctx, s, entry)
	}
	for step := range s.runningSteps() {
		if entry.Held == "" { // no lease says so: there is no remote, or nothing is pushed to it
			entry.Held, entry.Step = first(e.Host, "an unnamed host"), step
		}
	}
	return entry, nil
}

// progress is how far a run is that was read.
func (r *Listed) progress(s *session) {
	r.Title, r.Tip, r.Steps, r.Certified = s.plan.Title, s.tip, len(s.plan.Steps), 0
	for i := range s.plan.Steps {
		if s.standing(s.plan.Steps[i].ID) != nil {
			r.Certified++
		}
	}
}

// compare counts what one of both has and the other one lacks.
func (r *Listed) compare(ctx context.Context, s *session) {
	r.Ahead, r.Behind = nil, nil
	if r.Head == "" || r.RemoteHead == "" {
		return
	}
	if ahead, behind, err := s.Git.AheadBehind(ctx, r.Head, r.RemoteHead); err == nil {
		r.Ahead, r.Behind = &ahead, &behind
	}
}

// cannotTell says why in the title's place.
func (r *Listed) cannotTell(err error) {
	r.Title, r.Tip, r.Steps, r.Certified = "("+err.Error()+")", "", 0, 0
}

func (e *Engine) describeLease(ctx context.Context, s *session, entry *Listed) {
	l, err := s.readLease(ctx)
	if err != nil {
		entry.Held = "(" + err.Error() + ")"
		return
	}
	if l.State == lease.Cancelled {
		entry.Cancelled = first(l.By, "somebody")
		return
	}
	if l.State == lease.Released || l.ID == "" {
		return
	}
	entry.Held, entry.Step = first(l.Host, "an unnamed host"), l.Step
	if c, err := e.Git.ReadCommit(ctx, l.ID); err == nil {
		entry.Since = c.Time.UTC()
	}
}
