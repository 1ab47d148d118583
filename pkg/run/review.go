package run

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/stash"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// Review is everything that is known about a run, for whoever looks at it as a
// whole: fields are only added.
type Review struct {
	Format int     `json:"format"`
	Status *Report `json:"status"`
	// Steps are the plan's, in its order, with what was asked for.
	Steps []StepPlan `json:"plan"`
	// Attempts are those that ended with evidence or a record, and those that
	// are open here, oldest first.
	Attempts []AttemptReview `json:"attempts"`
	// Commits are the branch's above the base, oldest first.
	Commits  []CommitReport  `json:"commits"`
	Partial  []PartialReport `json:"partial"`
	Landings []LandingReport `json:"landings"`
	Plans    []PlanVersion   `json:"plans"`
	// Squash is the block that a squash of the run carries, "" where nothing
	// is certified.
	Squash string `json:"squash,omitempty"`
}

// StepPlan is what the plan asks of a step.
type StepPlan struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Item    string   `json:"item,omitempty"`
	Touches []string `json:"touches"`
	Reads   []string `json:"reads,omitempty"`
	Checks  []string `json:"checks"`
	Landed  string   `json:"landed,omitempty"` // the commit on the target
}

// AttemptReview is one try at a step, as far as it left something durable.
type AttemptReview struct {
	Step    string `json:"step"`
	Attempt int    `json:"attempt,omitempty"` // 0 where the evidence does not say
	// Outcome is certified, failed, refuted (a certificate's check failed
	// later) or running.
	Outcome string `json:"outcome"`
	// Commit is the certificate or the failure record.
	Commit string `json:"commit,omitempty"`
	Tree   string `json:"tree,omitempty"`
	// Began is known where the attempt's log is in this clone, zero elsewhere.
	Began       time.Time     `json:"began,omitzero"`
	Ended       time.Time     `json:"ended,omitzero"` // zero while it runs
	Checks      []CheckReport `json:"checks"`
	PlanVersion int           `json:"plan_version,omitempty"`
	Refutes     string        `json:"refutes,omitempty"`
	Paths       []string      `json:"paths,omitempty"` // that the certificate changed
	Strays      []string      `json:"strays,omitempty"`
	Dirty       int           `json:"dirty,omitempty"`
	Notes       []string      `json:"notes,omitempty"`
	Valid       bool          `json:"valid"`
	Newest      bool          `json:"newest"`           // no later certificate of the step
	Undone      string        `json:"undone,omitempty"` // the commit that took the work back
}

// CommitReport is one commit of the run's branch. Kind is certificate, undo,
// claim (evidence that cannot be used) or other.
type CommitReport struct {
	Commit  string    `json:"commit"`
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
	Kind    string    `json:"kind"`
	Step    string    `json:"step,omitempty"`
}

// PartialReport is work that is kept at a ref.
type PartialReport struct {
	Ref     string    `json:"ref"`
	Commit  string    `json:"commit"`
	Step    string    `json:"step"`
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
}

// LandingReport is one marker of the plan ref.
type LandingReport struct {
	Text   string    `json:"text"`
	Verb   string    `json:"verb,omitempty"`
	Commit string    `json:"commit,omitempty"` // on the target
	Branch string    `json:"branch,omitempty"`
	PR     int       `json:"pr,omitempty"`
	Step   string    `json:"step,omitempty"` // the last one that landed, "" for all
	Time   time.Time `json:"time"`
}

// PlanVersion is one version of the plan.
type PlanVersion struct {
	Version int       `json:"version"`
	Commit  string    `json:"commit"`
	Time    time.Time `json:"time"`
}

// Review looks at a run as a whole. It takes no lock, asks no remote, runs
// nothing.
func (e *Engine) Review(ctx context.Context, run string) (*Review, error) {
	s, err := e.open(ctx, run)
	if err != nil {
		return nil, err
	}
	r := &Review{Format: 1, Steps: []StepPlan{}, Attempts: []AttemptReview{}, Commits: []CommitReport{}, Partial: []PartialReport{}, Landings: []LandingReport{}}
	if r.Status, err = s.report(); err != nil {
		return nil, err
	}
	if r.Attempts, err = s.attemptReports(); err != nil {
		return nil, err
	}
	if r.Partial, err = s.partialReports(ctx); err != nil {
		return nil, err
	}
	for _, c := range s.ledger.Chain {
		r.Commits = append(r.Commits, s.commitReport(c))
	}
	for _, v := range s.chain.Versions {
		r.Plans = append(r.Plans, PlanVersion{v.Number, v.Commit, v.Time.UTC()})
	}
	for _, m := range s.chain.Markers {
		r.Landings = append(r.Landings, landingReport(m))
	}
	r.Steps, r.Squash = s.stepPlans(r.Landings), s.squashBlock()
	return r, nil
}

func (s *session) stepPlans(landings []LandingReport) []StepPlan {
	out := make([]StepPlan, 0, len(s.plan.Steps))
	landed := s.landedSteps(landings)
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		one := StepPlan{ID: step.ID, Title: step.Title, Item: step.Item, Touches: step.Touches, Reads: step.Reads}
		if s.ledger.Newest(step.ID) != nil {
			one.Landed = landed[step.ID]
		}
		for _, c := range step.Check {
			one.Checks = append(one.Checks, c.Run)
		}
		out = append(out, one)
	}
	return out
}

// landedSteps maps the steps that landed to the commit on the target: a marker
// holds for its step and all that come before it in the plan, if they have a
// certificate.
func (s *session) landedSteps(landings []LandingReport) map[string]string {
	landed := map[string]string{}
	for _, l := range landings {
		if l.Commit == "" {
			continue
		}
		last := len(s.plan.Steps) - 1
		if _, i := s.plan.Step(l.Step); l.Step != "" {
			last = i
		}
		for i := 0; i <= last && i < len(s.plan.Steps); i++ {
			if id := s.plan.Steps[i].ID; landed[id] == "" {
				landed[id] = l.Commit
			}
		}
	}
	return landed
}

// squashBlock is what ends the message of a squash: whoever pastes it into a
// merge keeps the evidence.
func (s *session) squashBlock() string {
	text, err := landing.SquashMessage(s.plan.Title, s.records().Records())
	if err != nil {
		return ""
	}
	paragraphs := strings.Split(strings.TrimRight(text, "\n"), "\n\n")
	return paragraphs[len(paragraphs)-1]
}

func landingReport(m plan.Marker) LandingReport {
	text := m.Landed
	if text == "" {
		text = m.Opened
	}
	l := LandingReport{Text: text, Step: m.Step, Time: m.Time.UTC()}
	if read, ok := landing.ParseValue(text); ok {
		l.Verb, l.Commit, l.Branch, l.PR = string(read.Verb), read.SHA, read.Branch, read.PR
	}
	return l
}

func (s *session) partialReports(ctx context.Context) ([]PartialReport, error) {
	kept, err := s.store.List(ctx, s.run)
	if err != nil {
		return nil, err
	}
	out := []PartialReport{}
	for _, k := range kept {
		out = append(out, PartialReport{k.Ref, k.Commit, k.Step, k.Subject, k.Time.UTC()})
	}
	slices.SortStableFunc(out, func(a, b PartialReport) int { return a.Time.Compare(b.Time) })
	return out, nil
}

func (s *session) commitReport(c object.Commit) CommitReport {
	one := CommitReport{Commit: c.ID, Subject: trailers.Parse(c.Message).Subject, Time: c.Time.UTC(), Kind: "other"}
	reading := trailers.Read(c.Message)
	switch {
	case slices.ContainsFunc(s.ledger.Records, func(r *ledger.Record) bool { return r.Commit.ID == c.ID }):
		one.Kind, one.Step = "certificate", reading.Evidence.Step
	case reading.Kind == trailers.Undo:
		one.Kind, one.Step = "undo", reading.Undo
	case slices.ContainsFunc(s.ledger.Claims, func(k ledger.Claim) bool { return k.Commit == c.ID }):
		one.Kind = "claim"
	}
	return one
}

// partialThere lists the remote's preserved work as refs.
func (s *session) partialThere() []object.Ref {
	var refs []object.Ref
	for name, id := range s.remote.partial {
		if strings.HasPrefix(name, stash.Root) {
			refs = append(refs, object.Ref{Name: name, ID: id})
		}
	}
	slices.SortFunc(refs, func(a, b object.Ref) int { return strings.Compare(a.Name, b.Name) })
	return refs
}
