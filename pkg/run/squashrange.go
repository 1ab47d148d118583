package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	found, err := evidenceIn(ids[0], commits)
	if err != nil {
		return "", err
	}
	runs := slices.Sorted(maps.Keys(found))
	switch len(runs) {
	case 0:
		return "", failf("NO_RECORD", ExitNo, "%s..%s: there is no certificate in it", from, to).hint("git agent help message")
	case 1:
	default:
		return "", severalRuns(from+".."+to, runs)
	}
	text, err := landing.SquashMessage("run "+runs[0], found[runs[0]])
	if err != nil {
		return "", failf("NO_RECORD", ExitNo, "%s..%s: %w", from, to, err).hint("git agent help message")
	}
	return text, nil
}

// severalRuns: a block is one run's, and a run that it left out would be built
// again. A landing knows every run of a message that has one block below the other.
func severalRuns(where string, runs []string) error {
	return failf("WHICH_RUN", ExitUsage, "%s holds evidence of several runs (%s), and a message is about one; a commit of them all takes the message of each, one below the other",
		where, strings.Join(runs, ", ")).hint("git agent message --squash %s", runs[0])
}

// evidenceIn are the certificates of a range that nothing in it took back, by run.
// Of what was squashed there before none is left, and it is evidence all the same.
func evidenceIn(base string, commits []object.Commit) (map[string][]*ledger.Record, error) {
	found := map[string][]*ledger.Record{}
	for run, squashed := range runsIn(commits) {
		stand, err := reconcile.StandingOf(nil, ledger.Read(run, base, commits))
		if err != nil {
			return nil, err
		}
		if all := stand.Records(); squashed || len(all) > 0 {
			found[run] = all
		}
	}
	return found, nil
}

// runsIn are the runs of a range, and whether a squash is about them.
func runsIn(commits []object.Commit) map[string]bool {
	runs := map[string]bool{}
	for _, c := range commits {
		switch r := trailers.Read(c.Message); r.Kind {
		case trailers.Certificate:
			if _, known := runs[r.Evidence.Run]; !known {
				runs[r.Evidence.Run] = false
			}
		case trailers.Squash:
			runs[r.Groups[0].Run] = true
		}
	}
	return runs
}
