package run

import (
	"context"
	"slices"

	"github.com/git-agent/git-agent/pkg/landing"
)

// PreflightRequest asks whether work is still to be done: of a run, of one step
// of it, or of an item, whatever run has it.
type PreflightRequest struct {
	Run, Step, Item string
	Onto            string // the branch it would land on; "": the plan's
}

// Preflight is the answer (the design, section 10). Fields are only added.
type Preflight struct {
	Format  int    `json:"format"`
	Run     string `json:"run,omitempty"`
	Step    string `json:"step,omitempty"`
	Item    string `json:"item"`
	Verdict string `json:"verdict"`
	// How is a frozen word: what the verdict rests on; "" for dispatch.
	How string `json:"how"`
	// Text is the verdict for a person.
	Text     string   `json:"text"`
	Evidence Evidence `json:"evidence"`
}

// Evidence is what a preflight saw. Ids are full.
type Evidence struct {
	Target    string `json:"target,omitempty"`
	TargetTip string `json:"target_tip,omitempty"`
	// Marker is the newest landing marker for the target, as written.
	Marker string `json:"marker,omitempty"`
	// Landed are the steps whose work is in the target.
	Landed      []LandedStep `json:"landed,omitempty"`
	Commits     []string     `json:"commits,omitempty"` // of the target
	RevertedBy  string       `json:"reverted_by,omitempty"`
	Newer       []string     `json:"newer,omitempty"`
	Unexplained []string     `json:"unexplained,omitempty"`
	PR          int          `json:"pr,omitempty"`
	Rival       string       `json:"rival,omitempty"` // a run
	RivalRef    string       `json:"rival_ref,omitempty"`
	Doubts      []string     `json:"doubts,omitempty"`
}

// LandedStep is one step that is in the target.
type LandedStep struct {
	Step   string `json:"step"`
	Commit string `json:"commit"`
	How    string `json:"how"`
}

// Token is the verdict.
func (p *Preflight) Token() landing.Token { return landing.Token(p.Verdict) }

// Preflight looks at everything afresh and changes nothing but our mirror of
// the remote.
func (e *Engine) Preflight(ctx context.Context, req PreflightRequest) (*Preflight, error) {
	if req.Item != "" {
		return e.preflightItem(ctx, req.Item, nil)
	}
	s, err := e.openSynced(ctx, req.Run)
	if err != nil {
		return nil, err
	}
	if err := s.atNewest(ctx); err != nil {
		return nil, err
	}
	t, err := s.lookTarget(ctx, req.Onto, false)
	if err != nil {
		return nil, err
	}
	return s.preflight(ctx, t, req.Step)
}

// preflight judges the whole run, or one step of it with its item.
func (s *session) preflight(ctx context.Context, t target, step string) (*Preflight, error) {
	o := s.itself()
	steps, item := o.allSteps(), ""
	if step != "" {
		found, err := s.step(step)
		if err != nil {
			return nil, err
		}
		steps, item = []string{step}, found.Item
	}
	g, err := s.scanTarget(ctx, t, o.base)
	if err != nil {
		return nil, err
	}
	p, facts, err := s.judge1(ctx, g, o, steps)
	if err != nil {
		return nil, err
	}
	switch {
	case step != "":
		facts.PR = 0 // one's own goes on
	case facts.PR > 0 && s.asksForge():
		if err := s.pullNow(ctx, o, p, &facts); err != nil {
			return nil, err
		}
	}
	p.Step, p.Item = step, item
	if item != "" && landing.Decide(facts).Token == landing.Dispatch {
		if facts.Rival, facts.Closed, err = s.others(ctx, o, item, p, &facts); err != nil {
			return nil, err
		}
	}
	return p.decided(facts), nil
}

// decided writes the verdict on the facts into the answer.
func (p *Preflight) decided(f landing.Facts) *Preflight {
	v := landing.Decide(f)
	p.Format, p.Verdict, p.How, p.Text = 1, string(v.Token), v.How, v.Text
	for _, d := range f.Doubts {
		p.Evidence.Doubts = append(p.Evidence.Doubts, d.How)
		if d.Commit != "" {
			p.Evidence.Commits = append(p.Evidence.Commits, d.Commit)
		}
	}
	if f.Rival != nil {
		p.Evidence.Rival, p.Evidence.RivalRef = f.Rival.Run, f.Rival.Ref
		p.Evidence.PR = max(p.Evidence.PR, f.Rival.PR)
	}
	return p
}

func containsAll(have, want []string) bool {
	return !slices.ContainsFunc(want, func(id string) bool { return !slices.Contains(have, id) })
}

// strength orders the ways in which a landing is known.
var strength = []string{landing.ByPatch, landing.ByTree, landing.ByTrailers, landing.ByAncestry}

// weaker is the weaker of two ways: what all of it rests on.
func weaker(a, b string) string {
	if a == "" || slices.Index(strength, b) < slices.Index(strength, a) {
		return b
	}
	return a
}

func (f *finder) evidence(p *Preflight, facts landing.Facts, marks []mark) {
	for _, id := range f.o.allSteps() {
		if at, ok := f.found[id]; ok && at.back == "" {
			p.Evidence.Landed = append(p.Evidence.Landed, LandedStep{id, at.commit, at.how})
		}
	}
	if facts.Found != nil {
		p.Evidence.Commits, p.Evidence.RevertedBy, p.Evidence.Newer = facts.Found.Commits, facts.Found.RevertedBy, facts.Found.Newer
	}
	if m := facts.Marker; m != nil {
		p.Evidence.RevertedBy, p.Evidence.Newer, p.Evidence.Unexplained = m.RevertedBy, m.Newer, m.Unexplained
		if facts.Found == nil {
			p.Evidence.Commits = []string{m.SHA}
		}
	}
	if len(marks) == 0 {
		return
	}
	for _, id := range marks[len(marks)-1].steps {
		known := slices.ContainsFunc(p.Evidence.Landed, func(l LandedStep) bool { return l.Step == id })
		if k := marks[len(marks)-1]; !known && f.has(k.SHA) && f.reverts.Of(k.SHA) == "" {
			p.Evidence.Landed = append(p.Evidence.Landed, LandedStep{id, k.SHA, landing.ByMarker})
		}
	}
}
