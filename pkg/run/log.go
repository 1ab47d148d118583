package run

import (
	"context"
	"time"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// LogEntry is one certificate, for `log`: fields are only added.
type LogEntry struct {
	Format       int           `json:"format"`
	Run          string        `json:"run"`
	Step         string        `json:"step"`
	Title        string        `json:"title"`
	Commit       string        `json:"commit"`
	Tree         string        `json:"tree"`
	PlanVersion  int           `json:"plan_version"`
	Checks       []CheckReport `json:"checks"`
	Time         time.Time     `json:"time"`
	Transplanted bool          `json:"transplanted"`
	Attempt      int           `json:"attempt,omitempty"`
	Notes        []string      `json:"notes,omitempty"`
	// Valid: it parses, every check passed, and the tree is the one checked.
	Valid bool `json:"valid"`
	// Newest: no later certificate of the step is on the branch.
	Newest bool `json:"newest"`
	// Landed is the commit on the target, where a marker says that it landed.
	Landed string `json:"landed,omitempty"`
}

// Log lists the run's certificates, oldest first. It takes no lock, asks no
// remote and runs nothing.
func (e *Engine) Log(ctx context.Context, run string) ([]LogEntry, error) {
	s, err := e.openBare(ctx, run)
	if err != nil {
		return nil, err
	}
	entries := make([]LogEntry, 0, len(s.ledger.Records))
	newest := map[string]int{}
	landed, err := s.landedNow(ctx)
	if err != nil {
		return nil, err
	}
	for i, r := range s.ledger.Records {
		newest[r.Evidence.Step] = i
	}
	for i, r := range s.ledger.Records {
		title := subjectTitle(r.Commit.Message, r.Evidence.Step)
		entries = append(entries, LogEntry{Format: 1, Run: run, Step: r.Evidence.Step, Title: title, Commit: r.Commit.ID,
			Tree: r.Commit.Tree, PlanVersion: r.Evidence.PlanVersion, Checks: checkReports(r.Evidence.Checks),
			Time: r.Commit.Time.UTC(), Transplanted: r.Transplanted, Attempt: r.Evidence.Attempt, Notes: r.Evidence.Notes,
			Valid: r.Valid(), Newest: newest[r.Evidence.Step] == i})
		if last := &entries[i]; last.Newest {
			last.Landed = landed[last.Step]
		}
	}
	return entries, nil
}

// landedNow says of each step where a marker says that it landed. Only then the
// plan has to be read.
func (s *session) landedNow(ctx context.Context) (map[string]string, error) {
	if len(s.chain.Markers) == 0 {
		return nil, nil
	}
	if err := s.readVersions(ctx); err != nil {
		return nil, err
	}
	var landings []LandingReport
	for _, m := range s.chain.Markers {
		landings = append(landings, landingReport(m))
	}
	return s.landedSteps(landings), nil
}

// openBare reads what the certificates say and nothing that a status needs:
// what each changed takes git ten times as long as their messages.
func (e *Engine) openBare(ctx context.Context, run string) (*session, error) {
	s, err := e.newSession(run)
	if err != nil {
		return nil, err
	}
	if err := s.readRefs(ctx); err != nil {
		return nil, err
	}
	if s.planTip == "" {
		return nil, s.notHere()
	}
	if err := s.readPlanRef(ctx); err != nil {
		return nil, err
	}
	if s.tip == "" { // nothing is known, which is not nothing
		return nil, failf("BRANCH_GONE", ExitUnknown, "branch %s is not here", ShortBranch(s.branch)).hint("git agent resume %s", run)
	}
	var readings []*trailers.Reading // newest first, as git finds them
	chain, err := s.history(ctx, func(ctx context.Context, base, tip string) ([]object.Commit, error) {
		readings = readings[:0]
		return s.Git.BareChain(ctx, base, tip, func(c object.Commit) {
			r := trailers.Read(c.Message)
			readings = append(readings, &r)
		})
	})
	if err != nil {
		return nil, err
	}
	s.ledger = ledger.ReadBare(run, s.base, chain, func(i int) trailers.Reading { return *readings[len(readings)-1-i] })
	return s, nil
}

// Rev is the commit that certifies a step, for a person's own git.
func (e *Engine) Rev(ctx context.Context, run, step string) (string, error) {
	s, err := e.open(ctx, run)
	if err != nil {
		return "", err
	}
	r := s.ledger.Newest(step)
	if r == nil {
		return "", failf("NO_RECORD", ExitNo, "step %q has no certificate", step).hint("git agent log %s", run)
	}
	return r.Commit.ID, nil
}
