package run

import (
	"context"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
)

// Foreign are commits that a landing brings and that are no step's: those below
// the run's base that the target does not have.
type Foreign struct {
	Count   int             `json:"count"`
	Commits []ForeignCommit `json:"commits"` // the oldest of them
}

// ForeignCommit is one of them.
type ForeignCommit struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
}

// foreignNamed is how many of them are named; the rest is counted.
const foreignNamed = 5

// bring finds what comes along. Where the plan itself names the target it is its
// author's decision, and told; another branch that somebody names is refused.
func (l *lander) bring(ctx context.Context) error {
	l.report.Foreign = nil
	if l.target.tip == l.base || l.squashedBefore() >= 0 {
		return nil // an earlier part brought them
	}
	found, err := l.Git.Scan(ctx, l.target.tip, l.base, defaultScan)
	if err != nil || len(found) == 0 {
		return err
	}
	if err := l.isWhole(ctx, found); err != nil {
		return err
	}
	l.report.Foreign = &Foreign{Count: len(found)}
	for _, c := range found[:min(len(found), foreignNamed)] {
		subject, _, _ := strings.Cut(c.Message, "\n")
		l.report.Foreign.Commits = append(l.report.Foreign.Commits, ForeignCommit{c.ID, subject})
	}
	if l.target.branch == l.targetName("") {
		return nil
	}
	return l.refuseForeign()
}

// isWhole: where the history here is cut, what the target has may be missing.
func (l *lander) isWhole(ctx context.Context, found []object.Commit) error {
	cut, err := l.isCut(ctx, &scan{commits: found})
	if err == nil && cut {
		return failf("HISTORY_TRUNCATED", ExitUnknown, "history truncated: whether %s has all below the run's base cannot be told here; nothing was landed", l.target.branch).
			hint("git fetch --unshallow %s", quoteArg(first(l.remote.name, "origin")))
	}
	return err
}

func (l *lander) refuseForeign() error {
	var names []string
	for _, c := range l.report.Foreign.Commits {
		names = append(names, short(c.Commit)+" "+c.Subject)
	}
	more := ""
	if n := l.report.Foreign.Count - len(names); n > 0 {
		more = ", …"
	}
	return failf("FOREIGN_COMMITS", ExitPerson, "%s lacks commits that the run began from, which are no step's and would land with it (%d): %s%s; nothing was landed",
		l.target.branch, l.report.Foreign.Count, strings.Join(names, ", "), more).
		hint("git log --oneline %s..%s", short(l.target.tip), short(l.base)).
		hint("git agent plan show %s   # with target: %s they land there: git agent plan amend %s <file>; from what is there: git agent start <file> --base %s",
			l.run, l.target.branch, l.run, short(l.target.tip))
}

// tellForeign is for who did not ask for a landing.
func (s *session) tellForeign(r *LandReport) {
	if r.Foreign != nil {
		s.Notify("and commits from below the run's base, which %s did not have (%d), from %s %s on", r.Target, r.Foreign.Count,
			short(r.Foreign.Commits[0].Commit), r.Foreign.Commits[0].Subject)
	}
}
