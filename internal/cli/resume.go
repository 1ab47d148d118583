package cli

import (
	"github.com/git-agent/git-agent/pkg/run"
)

type resumeCmd struct {
	remoteFlag
	ID        string `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	Trust     bool   `help:"Trust the plan in this clone: its commands may run." xor:"trust"`
	TrustPlan string `help:"Trust the plan if it has this digest, for this command only." placeholder:"SHA256" xor:"trust"`
	Recheck   bool   `help:"Run every check again, also where the tree proves it need not."`
	Stray     string `help:"What to do with changes outside the touches of the step in flight: refuse, set-aside or include." enum:",refuse,set-aside,include" default:"" placeholder:"POLICY"`
	Takeover  bool   `help:"Take the run over from whoever holds it, without watching first whether it lives."`
	NoPush    bool   `help:"Push nothing, now and from now on in this clone, until git agent resume --push." xor:"push"`
	Push      bool   `help:"Push again in this clone, after an earlier --no-push." xor:"push"`
	DryRun    bool   `short:"n" help:"Say what is known without it; run nothing, move nothing."`
	JSON      bool   `name:"json" help:"Print one JSON object."`
}

func (c *resumeCmd) Run(a *app) error {
	a.remote = c.Remote
	a.json = c.JSON
	e, id, err := a.onRun(!c.DryRun, c.ID)
	if err != nil {
		return err
	}
	r, err := e.Resume(a.ctx, run.ResumeRequest{Run: id, Trust: run.TrustRequest{Trust: c.Trust, Digest: c.TrustPlan},
		Stray: c.Stray, Recheck: c.Recheck, NoPush: c.NoPush, Push: c.Push, Takeover: c.Takeover, DryRun: c.DryRun})
	return a.reported(r, err, func() error {
		if err := a.showReport(r); err != nil {
			return err
		}
		return a.showNext(r)
	})
}
