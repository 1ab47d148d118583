package cli

import (
	"time"

	"github.com/git-agent/git-agent/pkg/run"
)

type runCmd struct {
	remoteFlag
	ID          string  `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	Agent       string  `help:"The command that does each step, for sh; else agent.command, else the step's do." placeholder:"COMMAND"`
	MaxAttempts fromOne `help:"How many failed attempts a step may have, wherever they were made; else agent.maxAttempts, else 5." placeholder:"N"`
	Until       string  `help:"Stop when this step is certified." placeholder:"STEP"`
	BudgetTime  lasting `help:"Stop after this time, such as 5h30m: what is under way is ended as by SIGTERM." placeholder:"DURATION"`
	Trust       bool    `help:"Trust the plan in this clone: its commands may run." xor:"trust"`
	TrustPlan   string  `help:"Trust the plan if it has this digest, for this command only." placeholder:"SHA256" xor:"trust"`
	Takeover    bool    `help:"Take the run over from whoever holds it, without watching first whether it lives."`
	JSON        bool    `name:"json" help:"Print one JSON object."`
}

// Help is what the grammar cannot say.
func (c *runCmd) Help() string {
	return `git agent run does one step after the other with nobody watching: it reconciles as resume does, hands each step's brief to the agent on standard input, runs the checks, commits and pushes what passes. A failed attempt is preserved, rolled back, counted on the plan ref and tried again. The exit status says what a scheduler should do: 0 stop, 3 ask a person, 75 run it again, anywhere.`
}

func (c *runCmd) Run(a *app) error {
	a.remote = c.Remote
	a.json = c.JSON
	e, id, err := a.onRun(true, c.ID)
	if err != nil {
		return err
	}
	view := a.watch(e)
	r, err := e.Loop(a.ctx, run.LoopRequest{Run: id, Trust: run.TrustRequest{Trust: c.Trust, Digest: c.TrustPlan}, Agent: c.Agent,
		MaxAttempts: int(c.MaxAttempts), Until: c.Until, Budget: time.Duration(c.BudgetTime), Takeover: c.Takeover, Progress: view.begin})
	view.close()
	return a.summed(r, err)
}

// summed ends with the whole picture, also where something stopped the loop.
func (a *app) summed(r *run.Report, err error) error {
	if r != nil && err != nil && !a.json {
		if errShow := a.showReport(r); errShow == nil {
			_ = a.print("\n")
		}
	}
	return a.reported(r, err, func() error {
		if err := a.showReport(r); err != nil {
			return err
		}
		return a.showNext(r)
	})
}
