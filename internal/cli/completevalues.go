package cli

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/git-agent/git-agent/pkg/plan"
)

func (a *app) wordOffers(at typedSoFar) []offer {
	var found []offer
	for _, child := range at.node.Children {
		if at.args == 0 && child.Type == kong.CommandNode && !child.Hidden {
			found = append(found, offer{child.Name, child.Help})
		}
	}
	if p := at.positional(); p != nil {
		found = append(found, a.values(at, p)...)
	}
	return found
}

// values are what an argument or a flag may be, by its enum or its name.
func (a *app) values(at typedSoFar, v *kong.Value) []offer {
	var found []offer
	for _, word := range v.EnumSlice() {
		if word != "" {
			found = append(found, offer{word, ""})
		}
	}
	if len(found) > 0 {
		return found
	}
	for kind := range strings.SplitSeq(strings.ReplaceAll(v.Name, "|", "-or-"), "-or-") {
		switch kind {
		case "run":
			found = append(found, a.runOffers()...)
		case "step", "until", "through":
			found = append(found, a.stepOffers(at.run)...)
		case "remote":
			found = append(found, a.remoteOffers()...)
		case "ref":
			found = append(found, a.stashOffers(at.run)...)
		case "command":
			found = append(found, a.commandOffers()...)
		}
	}
	return found
}

func (a *app) runOffers() []offer {
	e, err := a.engine(false)
	if err != nil {
		return nil
	}
	ids, err := e.RunIDs(a.ctx)
	if err != nil {
		return nil
	}
	found := make([]offer, 0, len(ids))
	for _, id := range ids {
		found = append(found, offer{id, ""})
	}
	return found
}

func (a *app) stepOffers(named string) []offer {
	e, id, err := a.onRun(false, named)
	if err != nil {
		return nil
	}
	text, _, err := e.PlanText(a.ctx, id, 0)
	if err != nil {
		return nil
	}
	p, err := plan.Parse("plan.yaml", text)
	if err != nil {
		return nil
	}
	found := make([]offer, 0, len(p.Steps))
	for i := range p.Steps {
		found = append(found, offer{p.Steps[i].ID, p.Steps[i].Title})
	}
	return found
}

func (a *app) remoteOffers() []offer {
	repo, err := a.repo()
	if err != nil {
		return nil
	}
	var found []offer
	for _, name := range repo.Remotes() {
		found = append(found, offer{name, ""})
	}
	return found
}

func (a *app) stashOffers(named string) []offer {
	e, id, err := a.onRun(false, named)
	if err != nil {
		return nil
	}
	kept, err := e.Stashes(a.ctx, id)
	if err != nil {
		return nil
	}
	var found []offer
	for _, s := range kept {
		found = append(found, offer{strings.TrimPrefix(s.Ref, "refs/agent-stash/"), s.Subject})
	}
	return found
}

func (a *app) commandOffers() []offer {
	var found []offer
	parser, err := a.newParser()
	if err != nil {
		return nil
	}
	for _, n := range parser.Model.Children {
		if n.Type == kong.CommandNode && !n.Hidden {
			found = append(found, offer{n.Name, n.Help})
		}
	}
	return found
}
