package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/plan"
)

// skip is why a step is not to be done.
type skip struct {
	token, text string
}

// keptVerdict is the last answer of a preflight, and what it was the answer to.
type keptVerdict struct {
	Key    string     `json:"key"`
	Plan   string     `json:"plan"` // the plan ref then
	Answer *Preflight `json:"answer"`
}

// wholeRun is what a verdict about a run is kept under; no step has that id.
const wholeRun = "(run)"

// beforeAttempt asks whether a step is still to be done, before anything is
// done for it. skipped: it is not, and nothing is wrong. The answer is used
// again while target and run stand still; without the remote the last one is.
func (s *session) beforeAttempt(ctx context.Context, step *plan.Step) (skipped bool, err error) {
	p, err := s.cachedPreflight(ctx, step.ID, step.Item != "")
	if err != nil || p == nil {
		return false, err
	}
	if p.Token().Skips() {
		s.skipStep(step.ID, p)
		return true, nil
	}
	return false, s.stopFor(ctx, p)
}

// stopFor is the refusal where a verdict is neither to go on nor to skip.
func (s *session) stopFor(ctx context.Context, p *Preflight) error {
	what := "run " + first(p.Run, s.run)
	if p.Step != "" {
		what = "step " + p.Step
	}
	switch p.Token() {
	case landing.MarkerStale:
		f := failf("LANDED_MARKER_STALE", ExitPerson, "%s: %s (%s); nothing was done, and nothing is built again", what, p.Text, p.How)
		if p.Evidence.RevertedBy != "" {
			f = f.hint("git show --no-patch %s", short(p.Evidence.RevertedBy))
		}
		return f.hint("git agent preflight %s", first(p.Run, s.run)).
			hint("%s --again   # once a person decided that it lands as it is now", s.landOf(p))
	case landing.Unknown:
		f := failf("PREFLIGHT_UNKNOWN", ExitUnknown, "%s: whether it landed cannot be told: %s; nothing was done", what, p.Text)
		if slices.Contains(p.Evidence.Doubts, landing.Truncated) {
			f = f.hint("git fetch --unshallow %s   # where this clone is shallow", quoteArg(first(s.remote.name, "origin")))
		}
		if slices.Contains(p.Evidence.Doubts, landing.NoTarget) && p.Run == s.run {
			f = s.targetHints(ctx, f, p.Evidence.Target, false)
		}
		if p.onlyAlike() {
			f = f.hint("git show %s", short(p.Evidence.Commits[0])).
				hint("%s --again   # once a person saw that it is not done there", s.landOf(p))
		}
		if p.Item != "" {
			return f.hint("git agent preflight --item %s", quoteArg(p.Item))
		}
		return f.hint("git agent preflight %s", first(p.Run, s.run))
	}
	return nil
}

// landOf is the command that lands the run of an answer; another run may have
// answered the item.
func (s *session) landOf(p *Preflight) string {
	if p.Run != "" && p.Run != s.run {
		return "git agent land " + p.Run
	}
	return s.landCommand(p.Evidence.Target)
}

// onlyAlike: all that is in doubt is whether commits of the target make the same
// change. A person who reads them can tell.
func (p *Preflight) onlyAlike() bool {
	return len(p.Evidence.Doubts) > 0 && !slices.ContainsFunc(p.Evidence.Doubts, func(how string) bool { return how != landing.ByPatch })
}

func (s *session) skipStep(step string, p *Preflight) {
	if s.skips == nil {
		s.skips = map[string]skip{}
	}
	if _, known := s.skips[step]; !known {
		s.Notify("%s: %s: %s", step, p.Verdict, p.Text)
	}
	s.skips[step] = skip{p.Verdict, p.Text}
}

// takeStep notes of a run that is not made yet that a step is done, or under way,
// elsewhere.
func (s *session) takeStep(step string, p *Preflight) {
	if s.takenSteps == nil {
		s.takenSteps = map[string]*Preflight{}
	}
	answer := *p
	answer.Step = step
	s.takenSteps[step] = &answer
}

// noteTaken makes last verdicts of that once the run is there, for whoever looks
// at it before the next attempt, which asks again.
func (s *session) noteTaken() {
	for step, p := range s.takenSteps {
		s.notePreflight(step, "", p)
	}
}

// cachedPreflight is a preflight, or the one that was made while everything
// stood as it does now. nil: there is nothing to ask.
func (s *session) cachedPreflight(ctx context.Context, step string, fleet bool) (*Preflight, error) {
	t, err := s.lookTarget(ctx, "", false)
	if err != nil {
		return nil, err
	}
	name := first(step, wholeRun)
	kept, have := s.local.Preflights[name]
	if t.doubt != nil {
		if have {
			return kept.Answer, nil
		}
		return nil, nil // nothing is known to be against it
	}
	if t.branch == "" && !fleet {
		return nil, nil
	}
	key := s.preflightKey(t)
	if have && kept.Key == key && !fleet {
		return kept.Answer, nil
	}
	if !fleet && s.nothingThere(t, step) {
		return nil, nil
	}
	p, err := s.preflight(ctx, t, step)
	if err != nil {
		return nil, err
	}
	return p, s.keepPreflight(name, s.preflightKey(t), p)
}

// nothingThere: nothing of it can have landed on the target.
func (s *session) nothingThere(t target, step string) bool {
	if s.tip == "" || len(s.chain.Markers) > 0 || s.remote.lacks != "" {
		return false
	}
	o := s.itself()
	steps := o.allSteps()
	if step != "" {
		steps = []string{step}
	}
	return t.tip == s.base || t.tip == "" && !o.mayHaveLanded(steps)
}

// keepPreflight remembers an answer that is one.
func (s *session) keepPreflight(name, key string, p *Preflight) error {
	if p.Token() == landing.Unknown {
		return nil
	}
	s.notePreflight(name, key, p)
	return s.saveLocal()
}

func (s *session) notePreflight(name, key string, p *Preflight) {
	if s.local.Preflights == nil {
		s.local.Preflights = map[string]keptVerdict{}
	}
	s.local.Preflights[name] = keptVerdict{key, s.planTip, p}
}

// lastVerdict is the last answer about a step or the run, nil where there is none
// or the plan has moved on since.
func (s *session) lastVerdict(name string) *Preflight {
	if kept := s.local.Preflights[name]; kept.Answer != nil && kept.Plan == s.planTip && !s.reopenedSince(kept.Answer, name) {
		return kept.Answer
	}
	return nil
}

// keepWhole remembers a verdict about the whole run after its marker was written.
func (s *session) keepWhole(p *Preflight) error {
	t := target{branch: p.Evidence.Target, tip: p.Evidence.TargetTip}
	return s.keepPreflight(wholeRun, s.preflightKey(t), p)
}

// preflightKey is everything that an answer rests on.
func (s *session) preflightKey(t target) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s\n%s\n%s\n%s\n%s\n%d%s", t.branch, t.tip, s.planTip, s.tip, s.remote.branch, s.scanLimit(), s.remote.lacks)
	return hex.EncodeToString(h.Sum(nil))
}
