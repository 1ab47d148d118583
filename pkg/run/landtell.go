package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/go-multierror"

	"github.com/git-agent/git-agent/pkg/forge"
	"github.com/git-agent/git-agent/pkg/landing"
)

// comment tells each item on the forge what happened; where it landed, the item
// whose every step is in the target is closed at that moment. Only where it was
// asked for. One item that cannot be told keeps no other from it.
func (l *lander) comment(ctx context.Context, landed bool) error {
	if !l.req.Comment {
		return nil
	}
	if l.forgeCommand() == "" {
		return l.noForge("it is done, and no item was told")
	}
	var faults *multierror.Error
	for _, item := range l.items() {
		marker := l.markerOf(item)
		if marker == "" {
			l.Notify("item %q was not told: no marker says where it landed", item)
			continue
		}
		err := l.tell(ctx, item, marker, landed && containsAll(l.steps, l.itself().stepsFor(item)))
		switch {
		case isForeign(err):
			l.Notify("item %q is none of this forge's, nothing was told there", item)
		case err != nil:
			faults = multierror.Append(faults, fmt.Errorf("%s; item %q was not told: %w", l.report.Verdict, item, err))
		default:
			l.report.Told = append(l.report.Told, item)
		}
	}
	if faults == nil {
		return nil
	}
	faults.ErrorFormat = onePerLine
	return fail("FORGE", ExitUnknown, faults, l.again())
}

// markerOf is what an item is told: where it landed, whoever landed it.
func (l *lander) markerOf(item string) string {
	switch a := l.answers[item]; {
	case l.report.Verdict != string(landing.AlreadyLanded) || len(l.answers) == 0:
		return l.report.Marker
	case a != nil:
		return a.Evidence.Marker
	}
	return l.marked
}

func onePerLine(errs []error) string {
	lines := make([]string, 0, len(errs))
	for _, err := range errs {
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// commentOpen repeats the outward part where the run's own pull request is open
// already: a kill may have come in between.
func (l *lander) commentOpen(ctx context.Context, p *Preflight) (err error) {
	pr, _ := l.itself().opened()
	if !l.req.Comment || l.req.DryRun || p.Token() != landing.AlreadyOpen || pr == 0 || pr != p.Evidence.PR {
		return nil
	}
	l.report.Marker, err = landing.FormatMarker(landing.Marker{Verb: landing.OpenedPR, PR: pr, Run: l.run})
	if err != nil {
		return err
	}
	return l.comment(ctx, false)
}

func (l *lander) tell(ctx context.Context, item, marker string, closes bool) error {
	key := forge.CommentKey(l.run)
	_, err := l.askForge(ctx, forge.Question{Op: forge.Comment, Item: item, Key: key, Body: key + "\n" + marker + "\n", Marker: marker})
	l.Fault("land-told")
	if err != nil || !closes {
		return err
	}
	_, err = l.askForge(ctx, forge.Question{Op: forge.CloseIssue, Item: item})
	l.Fault("land-closed")
	return err
}
