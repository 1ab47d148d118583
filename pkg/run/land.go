package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/ledger"
)

// The modes of landing (the design, section 10).
const (
	LandFF     = "ff"     // the target moves to the certificate
	LandMerge  = "merge"  // a merge commit
	LandSquash = "squash" // one commit that keeps every step's evidence
	LandPR     = "pr"     // a pull request, through agent.forge
)

// LandRequest integrates certified steps into the target.
type LandRequest struct {
	Run     string
	Through string // the last step to land; "": every step of the plan
	Mode    string // "": agent.landMode, else ff where it is one, else merge
	Onto    string // "": the plan's target
	Comment bool   // tell the item on the forge, and close it
	Again   bool   // a person has seen the stale marker
	DryRun  bool
	Trust   TrustRequest
}

// LandReport is what became of it. Fields are only added.
type LandReport struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	// Verdict is landed, opened, or the frozen word of the preflight that left
	// nothing to do.
	Verdict     string   `json:"verdict"`
	How         string   `json:"how"`
	Text        string   `json:"text"`
	Mode        string   `json:"mode"`
	Target      string   `json:"target"`
	Commit      string   `json:"commit"`      // on the target
	Certificate string   `json:"certificate"` // on the run's branch
	Steps       []string `json:"steps"`       // that landed
	Marker      string   `json:"marker"`
	Pushed      bool     `json:"pushed"`
	DryRun      bool     `json:"dry_run"`
	PR          int      `json:"pr,omitempty"`
	URL         string   `json:"url,omitempty"`
	Told        []string `json:"told,omitempty"` // items, on the forge
	// Foreign is what lands beside the steps' commits; nil for nothing.
	Foreign *Foreign `json:"foreign,omitempty"`
}

// Land verifies every step that lands at the commit that lands, integrates
// without the person's checkout, checks again what moved, and pushes target and
// marker together. Killed anywhere and run again, it lands once.
func (e *Engine) Land(ctx context.Context, req LandRequest) (*LandReport, error) {
	s, unlock, err := e.begin(ctx, req.Run, "land", false)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := s.mayLand(ctx, req.Trust); err != nil {
		return nil, err
	}
	s.vouched = req.Trust.asDigest()
	if !req.DryRun {
		if err := s.pushEarlier(ctx); err != nil {
			return nil, err
		}
	}
	return s.land(ctx, req)
}

// mayLand is asked before each attempt. Nothing is recorded after an accepted
// cancel, a marker neither.
func (s *session) mayLand(ctx context.Context, trust TrustRequest) error {
	if err := s.needTrust(ctx, trust); err != nil {
		return err
	}
	if err := s.needNotCancelled(ctx, openAgain); err != nil {
		return err
	}
	if err := s.answeredToLand(); err != nil {
		return err
	}
	if err := s.newestToLand(ctx); err != nil {
		return err
	}
	return s.needVersions()
}

func (s *session) answeredToLand() error {
	if s.remote.err == nil || s.local.NoPush {
		return nil
	}
	return fail("NO_ANSWER", ExitUnknown, fmt.Errorf("nothing was landed: %w", s.remote.err), "git ls-remote "+quoteArg(s.remote.name))
}

// newestToLand is atNewest, unless the branch here and the remote's have parted.
func (s *session) newestToLand(ctx context.Context) error {
	if err := s.needBranchThere(ctx); err != nil {
		return err
	}
	if s.tip != "" && s.remote.branch != "" && s.tip != s.remote.branch {
		ahead, err := s.holds(ctx, s.remote.branch)
		if err != nil {
			return err
		}
		behind, err := s.Git.IsAncestor(ctx, s.tip, s.remote.branch)
		if err != nil {
			return err
		}
		if !ahead && !behind {
			return s.lost(map[string]string{s.branch: s.remote.branch})
		}
	}
	return s.atNewest(ctx)
}

// landTries is how often a target that moves on meanwhile is followed.
const landTries = 5

// lander is one landing under way.
type lander struct {
	*session
	req     LandRequest
	mode    string
	wanted  []string              // that are to land
	steps   []string              // that land
	answers map[string]*Preflight // by item, what others made of it
	marked  string                // the run's newest marker, where some of it landed
	upTo    *ledger.Record
	target  target
	pad     *scratchpad
	proven  string // what the checks that passed were about, "" where none ran
	moved   string // what moved on meanwhile, so that it is tried once more
	report  *LandReport
}

func (s *session) land(ctx context.Context, req LandRequest) (*LandReport, error) {
	l := &lander{session: s, req: req, mode: req.Mode, pad: s.scratchpad()}
	defer l.pad.remove()
	l.report = &LandReport{Format: 1, Run: s.run, Steps: []string{}, DryRun: req.DryRun}
	if err := l.choose(); err != nil {
		return nil, err
	}
	if err := l.leaveSkipped(ctx); err != nil {
		return nil, err
	}
	for range landTries {
		done, err := l.attempt(ctx)
		if err != nil || done {
			return l.report, errors.Join(err, interruptedAs(ctx, err))
		}
		s.Notify("%s moved on meanwhile, once more", l.moved)
		if err := l.afresh(ctx); err != nil {
			return l.report, errors.Join(err, interruptedAs(ctx, err))
		}
	}
	return l.report, failf("NOT_PUSHED", ExitNotPushed, "nothing was landed: %s moved on %d times while it was tried", l.moved, landTries).
		hint("%s", l.again())
}

// afresh: another plan, a cancel or an undo may be what came meanwhile. Of what
// was given by flag only a digest counts, which is of one plan.
func (l *lander) afresh(ctx context.Context) error {
	if err := l.mayLand(ctx, l.vouched); err != nil {
		return err
	}
	if err := l.choose(); err != nil {
		return err
	}
	return l.leaveSkipped(ctx)
}

// toProve is what the checks are about. The plan ref is in it: what a check is,
// and what refutes a certificate, comes by it.
func (l *lander) toProve() string {
	return fmt.Sprint(l.upTo.Commit.ID, l.tip, l.planTip, l.steps)
}

// interruptedAs gives an interrupt its place in the contract.
func interruptedAs(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return interrupted(ctx)
}

// attempt is one try against the target as it is now. done is false where it
// moved on meanwhile.
func (l *lander) attempt(ctx context.Context) (done bool, err error) {
	if l.target, err = l.lookTarget(ctx, l.req.Onto, true); err != nil {
		return false, err
	}
	l.report.Target = l.target.branch
	l.Fault("land-fetched")
	if l.target.tip == "" && l.target.doubt == nil {
		return false, l.noTarget(ctx)
	}
	p, err := l.judgeLanding(ctx)
	if err != nil {
		return false, err
	}
	if skip, err := l.nothingToLand(ctx, p); err != nil || skip {
		return skip, err
	}
	if l.upTo == nil {
		return false, l.notCertified(l.steps[0], "it has no certificate")
	}
	if err := l.bring(ctx); err != nil {
		return false, err
	}
	if err := l.verify(ctx); err != nil {
		return false, err
	}
	l.Fault("land-verified")
	if l.mode == LandPR {
		return l.offer(ctx)
	}
	made, err := l.integrate(ctx)
	if err != nil {
		return false, err
	}
	l.Fault("land-integrated")
	if err := l.recheck(ctx, made); err != nil {
		return false, err
	}
	l.Fault("land-checked")
	if l.req.DryRun {
		l.report.Verdict, l.report.Text = string(landing.Landed), "would land"
		return true, nil
	}
	return l.publish(ctx, made)
}
