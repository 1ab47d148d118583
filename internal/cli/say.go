package cli

import (
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/journal"
	"github.com/git-agent/git-agent/pkg/run"
)

type sayCmd struct {
	remoteFlag
	Text     []string `arg:"" help:"What to say; several words are joined."`
	Step     string   `help:"The step; else the one of the newest attempt here." placeholder:"STEP"`
	Stray    string   `help:"What to do with changes outside the step's touches: refuse, set-aside or include." enum:",refuse,set-aside,include" default:"" placeholder:"POLICY"`
	Takeover bool     `help:"Go on also where the run was cancelled, or is held by somebody else."`
	NoPush   bool     `help:"Push nothing, now and from now on in this clone, until git agent resume --push."`
	JSON     bool     `name:"json" help:"Print one JSON object."`
}

// Help is what the grammar cannot say.
func (c *sayCmd) Help() string {
	return `A new attempt follows the earlier one up: the same command does the step again, from the same start, and finds the text in its brief. As long as the earlier attempt is under way, or what it left was not taken back, that is refused (RUN_BUSY).`
}

func (c *sayCmd) Run(a *app) error {
	a.remote = c.Remote
	a.json = c.JSON
	e, id, err := a.onRun(true, "")
	if err != nil {
		return err
	}
	r, err := e.Say(a.ctx, run.SayRequest{Run: id, Step: c.Step, Text: strings.Join(c.Text, " "), Stray: c.Stray, NoPush: c.NoPush, Takeover: c.Takeover})
	return a.reported(r, err, func() error { return a.print(r.Brief) })
}

// showChains tells how attempts of this clone followed each other up.
func (a *app) showChains(r *run.Report) error {
	var b strings.Builder
	for _, s := range r.Steps {
		made := map[string]run.AttemptHere{}
		for _, at := range s.Here {
			made[at.ID] = at
			if at.After != "" {
				fmt.Fprintf(&b, "%s: attempt %d, %s, %s: %s\n", s.ID, at.Attempt, following(made[at.After]), jobState(at), ui.Escape(clipped(at.Said)))
			}
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return a.print("\n" + b.String())
}

// following says which attempt was followed up.
func following(earlier run.AttemptHere) string {
	after := fmt.Sprintf("after attempt %d", earlier.Attempt)
	if earlier.End != nil && earlier.End.Kind == journal.Cancelled {
		after += " (cancelled)"
	}
	return after
}

func jobState(at run.AttemptHere) string {
	if at.End == nil {
		return string(at.State)
	}
	return ended(*at.End)
}

// clipped is a text on one line of a terminal.
func clipped(text string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
