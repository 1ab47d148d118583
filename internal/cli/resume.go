package cli

import (
	"github.com/git-agent/git-agent/pkg/run"
)

type resumeCmd struct {
	ID        string `arg:"" optional:"" name:"run" help:"The run."`
	Trust     bool   `help:"Trust this plan in this clone: its commands are executed." xor:"trust"`
	TrustPlan string `help:"Trust the plan with this digest." placeholder:"SHA256" xor:"trust"`
	Recheck   bool   `help:"Run every check again, also where the tree proves it need not."`
	Stray     string `help:"Changes outside the touches of the step in flight: refuse, set-aside or include." enum:",refuse,set-aside,include" default:"" placeholder:"POLICY"`
	NoPush    bool   `help:"Keep the run in this clone (remembered)."`
	DryRun    bool   `short:"n" help:"Say what is known; run and move nothing."`
	JSON      bool   `name:"json" help:"Report as JSON."`
}

func (c *resumeCmd) Run(a *app) error {
	a.json = c.JSON
	e, err := a.engine(!c.DryRun)
	if err != nil {
		return err
	}
	id, err := a.which(e, c.ID)
	if err != nil {
		return err
	}
	r, err := e.Resume(a.ctx, run.ResumeRequest{Run: id, Trust: run.TrustRequest{Trust: c.Trust, Digest: c.TrustPlan},
		Stray: c.Stray, Recheck: c.Recheck, NoPush: c.NoPush, DryRun: c.DryRun})
	return a.reported(r, err, func() error {
		if err := a.showReport(r); err != nil {
			return err
		}
		return a.showNext(r)
	})
}

// which is the run that an argument or --run names, else the one around here.
func (a *app) which(e *run.Engine, arg string) (string, error) {
	if arg == "" {
		arg = a.grammar.Run
	}
	return e.WhichRun(a.ctx, arg)
}
