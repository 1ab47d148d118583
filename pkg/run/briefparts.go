package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/plan"
)

// howItEnds is the end of the essentials: the one command that ends a step, and
// what must not be done by hand. It is never cut.
func (s *session) howItEnds(step *plan.Step, a *attempt) string {
	how := fmt.Sprintf("judged and certified: `git agent step %s%s`", step.ID, s.toRemote())
	if step.Do != "" && (a == nil || !a.Job) {
		how = fmt.Sprintf("done by the plan's `do`, %s; once done by hand and committed: `git agent resume %s%s`", how, s.run, s.toRemote())
	}
	return "\nTo have it " + how + ". It writes the evidence (`Agent-…` trailers) and pushes.\n" +
		"Do not write evidence by hand, do not push, never `--no-verify`.\n\n"
}

// toRemote is the remote that was named by flag, for a command that is to be
// typed: without it another one would be pushed to.
func (s *session) toRemote() string {
	if s.Remote == "" {
		return ""
	}
	return " --remote " + quoteArg(s.Remote)
}

// clipEssentials keeps the essentials within what the narrowest client shows:
// a plan with very many checks loses the last of them, not the command.
func clipEssentials(text, end string) string {
	if len(text) <= briefFirst {
		return text
	}
	return clipBytes(strings.TrimSuffix(text, end), briefFirst-len(end)) + end
}

// fitBrief joins the sections, most important first, and cuts the last ones
// where they are too long together.
func fitBrief(head string, sections ...string) string {
	return ClipBrief(strings.TrimRight(head+strings.Join(sections, ""), "\n")+"\n", briefMax)
}

// ClipBrief cuts a brief at a line, so that most bytes are not exceeded; what
// is lost is the end, where the least important is. Nothing is longer than
// 8,000 bytes, whatever most is; 0 is that limit.
func ClipBrief(text string, most int) string {
	if most <= 0 || most > briefMax {
		most = briefMax
	}
	return clipBytes(text, most)
}

func whatToKnow(step *plan.Step) string {
	if step.Brief == "" {
		return ""
	}
	return "## What to know\n\n" + indent(clip(step.Brief, 2500)) + "\n"
}

// inTree is what is there and not certified: files of the step, files elsewhere,
// commits above the last certificate.
func (s *session) inTree(step *plan.Step) string {
	mine, elsewhere := s.dirty(step)
	var lines []string
	if len(mine) > 0 {
		lines = append(lines, "- changed, of this step: "+codeList(mine, 500))
	}
	if len(elsewhere) > 0 {
		lines = append(lines, "- changed, outside what it may touch: "+codeList(elsewhere, 300))
	}
	lines = append(lines, s.uncertifiedCommits()...)
	if len(lines) == 0 {
		return ""
	}
	return "## Here, not certified (quoted)\n\n" + firstLines(lines, 8) + "\n"
}

// dirty sorts what differs from HEAD into the step's and the rest.
func (s *session) dirty(step *plan.Step) (mine, elsewhere []string) {
	status, err := s.status(context.Background())
	if err != nil {
		return nil, nil // a brief without it is better than none
	}
	touches, err := plan.CompilePaths(step.Touches)
	if err != nil {
		return nil, nil
	}
	for _, f := range status {
		switch {
		case f.Untracked() && s.olderThanJobs(f.Path):
		case touches.Match(f.Path):
			mine = append(mine, oneLine(f.Path))
		default:
			elsewhere = append(elsewhere, oneLine(f.Path))
		}
	}
	return mine, elsewhere
}

// uncertifiedCommits lie above the last certificate and the last undo of ours.
func (s *session) uncertifiedCommits() []string {
	above, _ := s.ledger.Place(s.ledger.Boundary())
	for _, i := range s.ledger.Undone {
		above = max(above, i)
	}
	var lines []string
	for i := above + 1; i < len(s.ledger.Chain); i++ {
		c := s.ledger.Chain[i]
		lines = append(lines, fmt.Sprintf("- commit %s without a certificate: %s", short(c.ID), quoted(strings.SplitN(c.Message, "\n", 2)[0], 100)))
	}
	return lines
}

func (s *session) whereToLook() string {
	return fmt.Sprintf("## Where to look\n\n`git agent status %s --json`, `git agent log %s`, `git agent plan show %s`, `git agent logs`, `git agent stash list`.\n", s.run, s.run, s.run)
}
