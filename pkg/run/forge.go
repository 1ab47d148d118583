package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/pkg/forge"
	"github.com/git-agent/git-agent/pkg/landing"
)

// forgeCommand is the command that speaks to the forge, with the person's own
// credentials: only the person or the machine names it, never the repository,
// whose configuration every check and job can write.
func (s *session) forgeCommand() string {
	command, _ := s.Config.UserConfig("agent.forge")
	return command
}

// asksForge reports whether a preflight asks the forge too.
func (s *session) asksForge() bool {
	return s.forgeCommand() != "" && s.Config.ConfigBool("agent.preflightforge")
}

// forgeFacts adds what the forge knows about an item: that it is closed, or that
// a pull request for it is open. It is asked where nothing else is against the
// work; without its answer that is a doubt, unless another run has the item
// anyway. own is the run that asks, nil where none does.
func (s *session) forgeFacts(ctx context.Context, own *subject, item string, rival *landing.Rival, facts *landing.Facts) (*landing.Rival, string, error) {
	if !s.asksForge() || landing.Decide(*facts).Token != landing.Dispatch {
		return rival, "", nil
	}
	state, err := s.askForge(ctx, forge.Question{Op: forge.ItemState, Item: item})
	if state.State == forge.Closed {
		return rival, item, nil
	}
	if rival != nil || s.ownGoesOn {
		return rival, "", s.forgeDoubts(ctx, rival, facts, err)
	}
	open, errPRs := s.pullFor(ctx, own, item)
	if open != nil {
		return open, "", nil
	}
	return nil, "", s.forgeDoubts(ctx, nil, facts, err, errPRs)
}

// forgeDoubts makes a doubt of an answer that did not come, where something
// depends on it. That the item is none of the forge's is an answer.
func (s *session) forgeDoubts(ctx context.Context, rival *landing.Rival, facts *landing.Facts, errs ...error) error {
	for _, err := range errs {
		if err != nil && !isForeign(err) && rival == nil {
			facts.Doubts = append(facts.Doubts, landing.Doubt{How: landing.NoRemote, Text: err.Error()})
			break
		}
	}
	return ctx.Err()
}

// pullFor is an open pull request for an item that is not the run's own: of
// another run's branch, or one that says that it closes the item. One that only
// mentions it is none.
func (s *session) pullFor(ctx context.Context, own *subject, item string) (*landing.Rival, error) {
	answer, err := s.askForge(ctx, forge.Question{Op: forge.ListPRs, Item: item})
	if err != nil {
		return nil, err
	}
	for _, pr := range answer.PRs {
		of, isRun := strings.CutPrefix(pr.Branch, s.branchPrefix())
		if !pr.IsOpen() || own != nil && isRun && of == own.run || !isRun && !pr.Closes {
			continue
		}
		rival := &landing.Rival{PR: pr.Number}
		if isRun {
			rival.Run, rival.Ref = of, s.BranchRef(of)
		}
		return rival, nil
	}
	return nil, nil
}

// pullNow corrects what the marker says about the run's own pull request: one
// that was closed without being merged keeps nobody from anything. One that was
// merged while the target does not have the change is a doubt. An answer that
// does not come changes nothing: the marker stands.
func (s *session) pullNow(ctx context.Context, o *subject, p *Preflight, facts *landing.Facts) error {
	target := p.Evidence.Target
	answer, err := s.askForge(ctx, forge.Question{Op: forge.ListPRs, Branch: ShortBranch(s.BranchRef(o.run)), Target: target})
	if err != nil {
		return ctx.Err()
	}
	merged := 0
	for _, pr := range answer.PRs {
		if pr.IsOpen() {
			facts.PR, p.Evidence.PR = pr.Number, pr.Number
			return nil
		}
		if pr.State == forge.Merged {
			merged = pr.Number
		}
	}
	facts.PR, p.Evidence.PR = 0, 0
	if merged > 0 {
		facts.Doubts = append(facts.Doubts, landing.Doubt{How: landing.NotAncestor,
			Text: fmt.Sprintf("the forge says that pull request #%d was merged, and %s does not have the change", merged, target)})
	}
	return nil
}

// seeForge is doctor's look at the command; whether the forge answers is not
// tried.
func (e *Engine) seeForge(context.Context) []Finding {
	ours, ok := e.Config.UserConfig("agent.forge")
	theirs, set := e.Config.Config("agent.forge")
	switch {
	case ok && ours != "":
		return []Finding{fine("forge", "`%s` speaks to it", ours)}
	case set:
		return []Finding{wrong("forge", "git config --global agent.forge "+quoteArg(theirs), "agent.forge in the repository's configuration counts for nothing")}
	}
	return nil
}
