package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/forge"
	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/object"
)

// offer opens the pull request, unless something moved on meanwhile.
func (l *lander) offer(ctx context.Context) (done bool, err error) {
	if moved, err := l.movedOn(ctx); err != nil || moved {
		return false, err
	}
	return true, l.openPR(ctx)
}

// openPR asks the forge for a pull request, once, and writes its marker. The
// issue stays open.
func (l *lander) openPR(ctx context.Context) error {
	l.report.Mode, l.report.Steps = LandPR, l.steps
	if err := l.mayOpen(); err != nil {
		return err
	}
	if l.req.DryRun {
		l.report.Verdict, l.report.Text = "opened", "would open a pull request"
		return nil
	}
	pr, err := l.pull(ctx)
	l.Fault("land-opened")
	if err != nil {
		return fail("FORGE", ExitUnknown, fmt.Errorf("whether a pull request is open is not known: %w", err), l.again())
	}
	m := landing.Marker{Verb: landing.OpenedPR, PR: pr.Number, Run: l.run}
	if err := l.append(ctx, "land", func() (object.NewCommit, error) { return l.markerOn(ctx, m, last(l.steps), l.upTo.Commit.ID) }); err != nil {
		return err
	}
	l.report.Verdict, l.report.PR, l.report.URL = "opened", pr.Number, pr.URL
	l.report.Text = fmt.Sprintf("pull request #%d is open", pr.Number)
	if l.report.Marker, err = landing.FormatMarker(m); err != nil {
		return err
	}
	if err := l.push(ctx); err != nil {
		return err
	}
	l.report.Pushed = true
	return l.comment(ctx, false)
}

// mayOpen refuses what no forge could be asked, and a pull request that would
// hold more than was asked for.
func (l *lander) mayOpen() error {
	if l.landsHere() {
		return failf("NO_REMOTE", ExitNo, "a pull request needs a remote; nothing was opened").hint("git remote -v")
	}
	if l.forgeCommand() == "" {
		return l.noForge("no pull request was opened")
	}
	for _, r := range slices.Backward(l.ledger.Records) {
		if r.Valid() && r.Index > l.upTo.Index && len(r.Span) > 0 {
			return failf("HOLDS_MORE", ExitNo, "a pull request holds the whole branch %s, on which %s is certified above %s; nothing was opened",
				ShortBranch(l.branch), r.Evidence.Step, last(l.steps)).hint("%s --through %s --mode pr", l.session.landCommand(l.target.branch), r.Evidence.Step)
		}
	}
	return nil
}

// pull is the branch's open pull request, or a new one. One that was opened
// before a kill, or by an answer that was lost, is not opened twice.
func (l *lander) pull(ctx context.Context) (forge.PR, error) {
	if pr, err := l.openPull(ctx); err != nil || pr.Number > 0 {
		return pr, err
	}
	body, err := l.pullBody()
	if err != nil {
		return forge.PR{}, err
	}
	answer, err := l.askForge(ctx, forge.Question{Op: forge.OpenPR, Branch: ShortBranch(l.branch), Target: l.target.branch, Commit: l.upTo.Commit.ID,
		Title: l.plan.Title, Body: body, Items: l.items()})
	if err == nil {
		return answer.PRs[0], nil
	}
	if pr, errAgain := l.openPull(ctx); errAgain == nil && pr.Number > 0 {
		return pr, nil
	}
	return forge.PR{}, err
}

func (l *lander) openPull(ctx context.Context) (forge.PR, error) {
	answer, err := l.askForge(ctx, forge.Question{Op: forge.ListPRs, Branch: ShortBranch(l.branch), Target: l.target.branch})
	for _, pr := range answer.PRs {
		if pr.IsOpen() {
			return pr, nil
		}
	}
	return forge.PR{}, err
}

// pullBody is the message of a squash without its subject, which is the title: a
// forge that makes the commit of both keeps the evidence.
func (l *lander) pullBody() (string, error) {
	text, err := landing.SquashMessage(l.plan.Title, l.landingRecords(-1))
	if err != nil {
		return "", err
	}
	_, text, _ = strings.Cut(text, "\n")
	text = strings.TrimLeft(text, "\n")
	list, _, _ := strings.Cut(text, "\n\n")
	return forge.Body(text, list+"\n\nThe evidence is too long for here: git agent message --squash "+l.run+"\n"), nil
}

func (l *lander) noForge(what string) error {
	f := failf("NO_FORGE", ExitPerson, "%s: agent.forge names no command that speaks to the forge", what)
	if theirs, ok := l.Config.Config("agent.forge"); ok {
		f = failf("NO_FORGE", ExitPerson, "%s: agent.forge is in the repository's own configuration, which decides nothing: %q", what, theirs)
	}
	return f.hint("git agent message --squash %s   # the text for a pull request opened by hand", l.run).
		hint("git config --global agent.forge /path/to/contrib/forge/github   # then run this again")
}
