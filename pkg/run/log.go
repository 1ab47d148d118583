package run

import (
	"context"
	"slices"
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
	// Undone is the commit of the run's branch that took the work back.
	Undone string `json:"undone,omitempty"`
	// Landed is the commit on the target, where a marker says that it landed.
	Landed string `json:"landed,omitempty"`
}

// Log lists the run's certificates, oldest first. It takes no lock, asks no
// remote and runs nothing.
func (e *Engine) Log(ctx context.Context, run string) ([]*LogEntry, error) {
	s, err := e.openBare(ctx, run)
	if err != nil {
		return nil, err
	}
	entries, err := s.logEntries(ctx)
	if err != nil {
		return nil, err
	}
	landed, err := s.landedNow(ctx)
	if err != nil || len(landed) == 0 {
		return entries, err
	}
	for _, one := range entries {
		if one.Newest {
			one.Landed = landed[one.Step]
		}
	}
	return entries, nil
}

// logEntries makes each entry while git still prints older commits. It asks for
// messages and nothing that a status needs: what each commit changed takes git
// ten times as long.
func (s *session) logEntries(ctx context.Context) ([]*LogEntry, error) {
	var entries []*LogEntry
	var taken doubt
	err := s.history(ctx, func(ctx context.Context, base, tip string) (oldest object.Commit, err error) {
		entries, taken = []*LogEntry{}, doubt{}
		var reader trailers.Reader
		newer := map[string]bool{} // steps of which a newer certificate was seen
		undone := map[string]string{}
		err = s.Git.BareChain(ctx, base, tip, func(c object.Commit) {
			oldest = c
			reading := reader.Read(c.Message)
			r, ok := ledger.RecordOf(s.run, c, reading)
			taken.see(c, ok && r.Valid())
			if ok {
				one := logEntry(s.run, &r, !newer[r.Evidence.Step])
				one.Undone = undone[one.Step]
				taken.found = taken.found || one.Newest && one.Undone != ""
				newer[one.Step] = true
				entries = append(entries, one)
			} else if reading.Kind == trailers.Undo && reading.Evidence.Run == s.run {
				undone[reading.Undo] = c.ID
			}
		})
		return oldest, err
	})
	slices.Reverse(entries)
	if err == nil && taken.found {
		err = s.takenBack(ctx, entries)
	}
	return entries, err
}

func logEntry(run string, r *ledger.Record, newest bool) *LogEntry {
	return &LogEntry{Format: 1, Run: run, Step: r.Evidence.Step, Title: subjectTitle(r.Commit.Message, r.Evidence.Step),
		Commit: r.Commit.ID, Tree: r.Commit.Tree, PlanVersion: r.Evidence.PlanVersion, Checks: checkReports(r.Evidence.Checks),
		Time: r.Commit.Time.UTC(), Transplanted: r.Transplanted, Attempt: r.Evidence.Attempt, Notes: r.Evidence.Notes, Valid: r.Valid(), Newest: newest}
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

// openBare reads what a run's history begins and ends with, and not the history.
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
	if by := s.records().TakenBackBy(r); by != "" {
		return "", failf("NO_RECORD", ExitNo, "step %q has no certificate any more: %s took %s back", step, short(by), short(r.Commit.ID)).
			hint("git agent log %s", run)
	}
	return r.Commit.ID, nil
}
