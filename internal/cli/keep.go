package cli

import (
	"flag"
	"io"

	"github.com/git-agent/git-agent/pkg/check"
)

// keepJob is the hidden command that a runner starts beside a job: it sleeps
// while the runner lives, and shows the job's signs of life after its death.
const keepJob = "__keep"

// succeed is it: __keep --run=… --attempt=… --remote=….
func (a *app) succeed(args []string) error {
	var id, attempt string
	fs := flag.NewFlagSet(keepJob, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&id, "run", "", "")
	fs.StringVar(&attempt, "attempt", "", "")
	fs.StringVar(&a.remote, "remote", "", "")
	if err := fs.Parse(args); err != nil || fs.NArg() > 0 || id == "" || attempt == "" {
		return usageFor("step", "%s: only git agent itself starts this command", keepJob)
	}
	if !check.Bereft(a.In) {
		return nil
	}
	e, err := a.openEngine(true) // a job that runs outlives a mistake in the configuration
	if err != nil {
		return err
	}
	return e.KeepJob(a.ctx, id, attempt)
}
