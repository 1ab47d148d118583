package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/pkg/landing"
	"github.com/git-agent/git-agent/pkg/object"
)

// openPR asks the forge for a pull request, once, and writes its marker. The
// issue stays open.
func (l *lander) openPR(ctx context.Context) error {
	l.report.Mode, l.report.Steps = LandPR, l.steps
	if l.landsHere() {
		return failf("NO_REMOTE", ExitNo, "a pull request needs a remote; nothing was opened").hint("git remote -v")
	}
	if l.forgeCommand() == "" {
		return l.noForge("no pull request was opened")
	}
	if l.req.DryRun {
		l.report.Verdict, l.report.Text = "opened", "would open a pull request"
		return nil
	}
	body, err := landing.SquashMessage(l.plan.Title, l.landingRecords(-1))
	if err != nil {
		return err
	}
	q := forgeQuestion{Verb: "find", Branch: ShortBranch(l.branch), Target: l.target.branch, Title: l.plan.Title, Body: body, Commit: l.upTo.Commit.ID, Item: first(append(l.items(), "")...)}
	answer, err := l.askForge(ctx, q) // one that was opened before a kill is not opened twice
	if err == nil && answer.Number == 0 {
		q.Verb = "open"
		answer, err = l.askForge(ctx, q)
	}
	l.Fault("land-opened")
	if err == nil && answer.Number == 0 {
		err = errors.New("it named no pull request")
	}
	if err != nil {
		return fail("FORGE", ExitUnknown, fmt.Errorf("open a pull request: %w", err), l.landCommand(l.target.branch)+" --mode pr")
	}
	m := landing.Marker{Verb: landing.OpenedPR, PR: answer.Number, Run: l.run}
	if err := l.append(ctx, "land", func() (object.NewCommit, error) { return l.markerOn(ctx, m, last(l.steps), l.upTo.Commit.ID) }); err != nil {
		return err
	}
	l.report.Verdict, l.report.PR, l.report.URL = "opened", answer.Number, answer.URL
	l.report.Text = fmt.Sprintf("opened pull request #%d", answer.Number)
	if l.report.Marker, err = landing.FormatMarker(m); err != nil {
		return err
	}
	if err := l.push(ctx); err != nil {
		return err
	}
	l.report.Pushed = true
	if l.req.Comment {
		return l.tell(ctx, "comment")
	}
	return nil
}

// comment tells each item on the forge what happened, and closes it: the work
// is verified and integrated. Only where it was asked for.
func (l *lander) comment(ctx context.Context) error {
	if !l.req.Comment {
		return nil
	}
	if l.forgeCommand() == "" {
		return l.noForge("it landed, and no item was told")
	}
	if err := l.tell(ctx, "comment"); err != nil {
		return err
	}
	return l.tell(ctx, "close")
}

func (l *lander) tell(ctx context.Context, verb string) error {
	for _, item := range l.items() {
		q := forgeQuestion{Verb: verb, Item: item, Marker: l.report.Marker, Commit: l.report.Commit, Target: l.target.branch, Title: l.plan.Title}
		if _, err := l.askForge(ctx, q); err != nil {
			return fail("FORGE", ExitUnknown, fmt.Errorf("tell item %q: %w", item, err), l.landCommand(l.target.branch)+" --comment")
		}
		l.Fault("land-told")
	}
	return nil
}

func (l *lander) noForge(what string) error {
	return failf("NO_FORGE", ExitPerson, "%s: agent.forge names no command that speaks to the forge", what).
		hint("git agent message --squash %s   # the text for a pull request opened by hand", l.run).
		hint("git config agent.forge /path/to/contrib/forge/github   # then run this again")
}
