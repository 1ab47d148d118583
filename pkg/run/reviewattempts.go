package run

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// attemptReports joins what is durable about attempts: certificates, failure
// records and, in this clone, open attempts and the folders of logs. The
// oldest comes first; what runs now is last.
func (s *session) attemptReports() ([]AttemptReview, error) {
	began, err := s.beginnings()
	if err != nil {
		return nil, err
	}
	out := []AttemptReview{}
	newest := map[string]string{}
	for _, r := range s.ledger.Records {
		newest[r.Evidence.Step] = r.Commit.ID
	}
	for _, r := range s.ledger.Records {
		e := r.Evidence
		one := AttemptReview{Step: e.Step, Attempt: e.Attempt, Outcome: "certified", Commit: r.Commit.ID, Tree: r.Commit.Tree, Ended: r.Commit.Time.UTC(), Checks: checkReports(e.Checks), PlanVersion: e.PlanVersion,
			Strays: e.Strays, Dirty: e.Dirty, Notes: e.Notes, Valid: r.Valid(), Newest: newest[e.Step] == r.Commit.ID, Undone: s.records().TakenBackBy(r)}
		if at := began[begun{step: e.Step, number: e.Attempt}]; !at.Truncate(time.Second).After(one.Ended) {
			one.Began = at
		}
		for _, c := range r.Span {
			one.Paths = append(one.Paths, c.Path)
		}
		out = append(out, one)
	}
	for _, f := range s.chain.Failures {
		out = append(out, failedReport(f, began))
	}
	slices.SortStableFunc(out, func(a, b AttemptReview) int { return a.Ended.Compare(b.Ended) })
	return append(out, s.openReports()...), nil
}

func failedReport(f plan.Failure, began map[begun]time.Time) AttemptReview {
	one := AttemptReview{Step: f.Step, Attempt: f.Attempt, Outcome: "failed", Commit: f.Commit, Tree: f.Tree, Ended: f.Time.UTC(),
		Checks: checkReports(f.Checks), PlanVersion: f.PlanVersion, Refutes: f.Refutes}
	if f.Refutes != "" {
		one.Outcome = "refuted"
		return one
	}
	if one.Began = began[begun{step: f.Step, id: f.AttemptID}]; f.AttemptID == "" {
		one.Began = began[begun{step: f.Step, number: f.Attempt}]
	}
	return one
}

// openReports are the attempts that a live process of this clone works on.
func (s *session) openReports() []AttemptReview {
	var out []AttemptReview
	open, err := s.attempts(s.run)
	if err != nil {
		return nil // their file is torn: nothing is known of them
	}
	running := s.runningSteps()
	for _, a := range open {
		if running[a.Step] {
			out = append(out, AttemptReview{Step: a.Step, Attempt: a.Number, Outcome: "running", Began: a.Opened.UTC(), Checks: []CheckReport{}})
		}
	}
	return out
}

// begun names an attempt as failure records do, by its id, or as certificates
// do, by its number: one that did not fail.
type begun struct {
	step   string
	id     string
	number int
}

// beginnings are when attempts were opened, where this clone has their logs.
func (s *session) beginnings() (map[begun]time.Time, error) {
	found, failed := map[begun]time.Time{}, map[string]bool{}
	for _, f := range s.chain.Failures {
		failed[f.AttemptID] = f.AttemptID != ""
	}
	names, err := s.State.List(s.run + "/logs")
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var a struct {
			Step    string    `json:"step"`
			Attempt string    `json:"attempt"`
			Number  int       `json:"number"`
			Opened  time.Time `json:"opened"`
		}
		if err := readJSON(s.State, s.run+"/logs/"+name+"/attempt.json", &a); err != nil {
			return nil, err
		}
		if trailers.ValidID(a.Step) == nil && !a.Opened.IsZero() {
			found[begun{step: a.Step, id: a.Attempt}] = a.Opened.UTC()
			if !failed[a.Attempt] {
				found[begun{step: a.Step, number: a.Number}] = a.Opened.UTC()
			}
		}
	}
	return found, nil
}
