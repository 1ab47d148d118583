package cli

import (
	"fmt"
	"strings"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

type landCmd struct {
	remoteFlag
	ID        string `arg:"" optional:"" name:"run" help:"The run; else as for --run."`
	Through   string `help:"The last step to land; else every step of the plan." placeholder:"STEP"`
	Mode      string `help:"How: ff, merge, squash or pr; else agent.landMode, else ff where that is possible and merge where it is not." enum:",ff,merge,squash,pr" default:"" placeholder:"MODE"`
	Onto      string `help:"The branch to land on; else the plan's target." placeholder:"BRANCH"`
	Comment   bool   `help:"Tell the item on the forge, through agent.forge, and close it."`
	Again     bool   `help:"Land although a marker is stale, or a commit of the target reads like it: a person has looked at it."`
	Trust     bool   `help:"Trust the plan in this clone: its commands may run." xor:"trust"`
	TrustPlan string `help:"Trust the plan if it has this digest, for this command only." placeholder:"SHA256" xor:"trust"`
	DryRun    bool   `short:"n" help:"Verify and integrate, and push nothing."`
	JSON      bool   `name:"json" help:"Print one JSON object."`
}

func (c *landCmd) Run(a *app) error {
	a.remote, a.json = c.Remote, c.JSON
	e, id, err := a.onRun(true, c.ID)
	if err != nil {
		return err
	}
	r, err := e.Land(a.ctx, run.LandRequest{Run: id, Through: c.Through, Mode: c.Mode, Onto: c.Onto, Comment: c.Comment, Again: c.Again,
		DryRun: c.DryRun, Trust: run.TrustRequest{Trust: c.Trust, Digest: c.TrustPlan}})
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(r)
	} else {
		err = a.print(landedText(r))
	}
	if isBroken(err) {
		return nil
	}
	return err
}

func landedText(r *run.LandReport) string {
	var b strings.Builder
	if r.DryRun && strings.HasPrefix(r.Text, "would ") {
		return "run " + ui.Escape(r.Run) + ": " + ui.Escape(r.Text) + certifiedText(r) + foreignText(r)
	}
	b.WriteString("run " + ui.Escape(r.Run) + ": ")
	switch {
	case r.How == "" && strings.HasPrefix(r.Text, r.Verdict+" "):
		b.WriteString(ui.Escape(r.Text)) // it begins with the verdict
	default:
		b.WriteString(r.Verdict)
		if r.How != "" {
			b.WriteString(" (" + r.How + ")")
		}
		if r.Text != "" {
			b.WriteString(": " + ui.Escape(r.Text))
		}
	}
	b.WriteString(certifiedText(r) + foreignText(r))
	for _, line := range []string{r.URL, r.Marker} {
		if line != "" {
			b.WriteString("  " + ui.Escape(line) + "\n")
		}
	}
	if len(r.Told) > 0 {
		b.WriteString("  told: " + ui.Escape(strings.Join(r.Told, ", ")) + "\n")
	}
	return b.String()
}

// certifiedText ends the line, and says what lands.
func certifiedText(r *run.LandReport) string {
	if len(r.Steps) == 0 || r.Certificate == "" {
		return "\n"
	}
	return "\n  " + strings.Join(r.Steps, " ") + " up to " + git.Short(r.Certificate) + ", by " + r.Mode + "\n"
}

// foreignText names what lands beside the steps.
func foreignText(r *run.LandReport) string {
	if r.Foreign == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  and commits from below the run's base, which %s did not have (%d):\n", ui.Escape(r.Target), r.Foreign.Count)
	for _, c := range r.Foreign.Commits {
		b.WriteString("    " + git.Short(c.Commit) + " " + ui.Escape(c.Subject) + "\n")
	}
	if more := r.Foreign.Count - len(r.Foreign.Commits); more > 0 {
		fmt.Fprintf(&b, "    and %d more\n", more)
	}
	return b.String()
}
