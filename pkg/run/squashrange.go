package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/reconcile"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// MessageOf is the one message for a squash of a run's certificates, or of those
// of a range of commits: title, steps, and every step's evidence in one block.
func (e *Engine) MessageOf(ctx context.Context, run string) (string, error) {
	s, err := e.open(ctx, run)
	if err != nil {
		return "", err
	}
	text, err := landing.SquashMessage(s.plan.Title, s.records().Records())
	if err != nil {
		return "", failf("NO_RECORD", ExitNo, "run %s: %w", run, err).hint("git agent status %s", run)
	}
	return text, nil
}

// MessageOfRange is the same for <from>..<to>, whatever branch that is on.
func (e *Engine) MessageOfRange(ctx context.Context, from, to string) (string, error) {
	ids := []string{from, to}
	for i, rev := range ids {
		id, err := e.Git.Resolve(ctx, rev)
		if err != nil {
			return "", fail("USAGE", ExitUsage, fmt.Errorf("revision %q: %w", rev, err), "git agent help message")
		}
		ids[i] = id
	}
	commits, err := e.Git.Chain(ctx, ids[0], ids[1])
	if err != nil {
		return "", err
	}
	text, err := squashOf(ids[0], commits)
	if err != nil {
		return "", failf("NO_RECORD", ExitNo, "%s..%s: %w", from, to, err).hint("git agent help message")
	}
	return text, nil
}

func squashOf(base string, commits []object.Commit) (string, error) {
	run := runIn(commits)
	if run == "" {
		return "", errors.New("there is no certificate in it")
	}
	stand, err := reconcile.StandingOf(nil, ledger.Read(run, base, commits))
	if err != nil {
		return "", err
	}
	return landing.SquashMessage("run "+run, stand.Records())
}

// runIn is the run of the newest certificate in a range, "" where there is none.
func runIn(commits []object.Commit) string {
	run := ""
	for _, c := range commits {
		if r := trailers.Read(c.Message); r.Kind == trailers.Certificate {
			run = r.Evidence.Run
		}
	}
	return run
}
