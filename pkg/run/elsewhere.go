package run

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// Holder is who works on a run elsewhere, by the lease on the remote.
type Holder struct {
	Host  string    `json:"host"`
	Step  string    `json:"step"`
	Since time.Time `json:"since,omitzero"` // the last sign of life, by its maker's clock
}

// StatusThere is Status of what the remote has, asked now: no branch of this
// clone, no working tree and nothing that this clone remembers plays a part, so
// any clone will do. It fetches what is new and moves no ref: a command that
// works here meanwhile compares our mirror refs with what it read.
func (e *Engine) StatusThere(ctx context.Context, run string) (*Report, error) {
	s, err := e.openThere(ctx, run)
	if err == nil {
		err = s.orGone(ctx)
	}
	if err != nil {
		return nil, err
	}
	r, err := s.report()
	if err != nil {
		return nil, err
	}
	return r, s.reportHolder(ctx, r)
}

// openThere reads a run as the remote has it.
func (e *Engine) openThere(ctx context.Context, run string) (*session, error) {
	there := *e
	there.Place.Top = ""
	there.State, there.Tree = forgetful{e.State}, forgetful{e.Tree}
	s, err := there.newSession(run)
	if err != nil {
		return nil, err
	}
	s.onlyLooks = true
	err = s.readRefs(ctx)
	if err == nil {
		err = s.ask(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case s.remote.name == "":
		return nil, noRemote()
	case s.remote.err != nil:
		return nil, fail("NO_ANSWER", ExitUnknown, s.remote.err, "git ls-remote "+quoteArg(s.remote.name))
	case s.remote.plan == "":
		return nil, failf("NO_RUN", ExitFatal, "run %q: there is no %s on %q", run, s.planThere(), s.remote.name).
			hint("git agent runs --remote")
	}
	s.elsewhere = s.tip == ""
	s.planTip, s.tip, s.stashes = s.remote.plan, s.remote.branch, s.partialThere()
	return s, s.read(ctx)
}

// unknown are those of the remote's refs whose objects are not here yet.
func (s *session) unknown(ctx context.Context, names []string, there map[string]string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		_, err := s.Git.ReadCommit(ctx, there[name])
		return err == nil
	})
}

func noRemote() error {
	return failf("NO_REMOTE", ExitNo, "there is no remote to ask").hint("git remote -v")
}

// reportHolder marks the step that somebody works on.
func (s *session) reportHolder(ctx context.Context, r *Report) error {
	if s.remote.lease == "" {
		return nil
	}
	l, err := s.readLease(ctx)
	if err != nil {
		return err
	}
	if l.State == lease.Released || l.ID == "" || r.Cancelled != nil {
		return nil
	}
	r.Held = &Holder{Host: first(l.Host, "an unnamed host"), Step: l.Step}
	if c, err := s.Git.ReadCommit(ctx, l.ID); err == nil {
		r.Held.Since = c.Time.UTC()
	}
	for i := range r.Steps {
		if one := &r.Steps[i]; one.ID == l.Step && one.Status != string(reconcile.Certified) {
			one.Status, one.Reason = string(reconcile.Running), ""
		}
	}
	return nil
}

// WhichRunThere is WhichRun for questions to the remote: where this clone has
// no run, the only one that the remote has is meant.
func (e *Engine) WhichRunThere(ctx context.Context, named string) (string, error) {
	run, err := e.WhichRun(ctx, named)
	if CodeOf(err) != "NO_RUN" {
		return run, err
	}
	name, errRemote := pickRemote(e.Git, e.Config, e.Remote)
	if errRemote != nil {
		return "", errRemote
	}
	if name == "" {
		return "", err
	}
	there, errAsk := e.Git.RemoteRefs(ctx, name, planPrefix+"*", planBranchPrefix+"*")
	if errAsk != nil {
		return "", fail("NO_ANSWER", ExitUnknown, fmt.Errorf("remote %q did not answer: %w", name, errAsk), "git ls-remote "+quoteArg(name))
	}
	var runs []string
	for ref, id := range there {
		run := strings.TrimPrefix(strings.TrimPrefix(ref, planBranchPrefix), planPrefix)
		if id != "" && trailers.ValidID(run) == nil {
			runs = append(runs, run)
		}
	}
	switch runs = sortedUnion(runs); len(runs) {
	case 0:
		return "", err
	case 1:
		return runs[0], nil
	}
	return "", failf("WHICH_RUN", ExitUsage, "%q has several runs (%s): name one", name, strings.Join(runs, ", ")).
		hint("git agent status --remote %s", runs[0])
}

// forgetful is a folder of which nothing is known: what this clone remembers
// says nothing about elsewhere.
type forgetful struct{ Folder }

func (forgetful) Read(string) ([]byte, error)   { return nil, fs.ErrNotExist }
func (forgetful) List(string) ([]string, error) { return nil, fs.ErrNotExist }
