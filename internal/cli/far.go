package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
	"github.com/git-agent/git-agent/pkg/run"
)

// farJob is the hidden command that another machine calls over ssh: it answers
// one question about a job of a clone here, and changes nothing.
const farJob = "__job"

// isFarJob reports whether this is such a question.
func isFarJob(args []string) bool { return len(args) > 1 && args[0] == farJob }

// answerJob answers: __job status|chunk --dir=… --run=… --step=… --name=… --stream=… --offset=….
func (a *app) answerJob(args []string) error {
	var where, runID, stream string
	req, q := run.AttemptRequest{}, job.Question{Ask: args[0]}
	fs := flag.NewFlagSet(farJob, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&where, "dir", "", "")
	fs.StringVar(&runID, "run", "", "")
	fs.StringVar(&req.Step, "step", "", "")
	fs.StringVar(&req.Name, "name", "", "")
	fs.StringVar(&stream, "stream", "", "")
	fs.Int64Var(&q.Offset, "offset", 0, "")
	if err := fs.Parse(args[1:]); err != nil || fs.NArg() > 0 || q.Ask != job.AskStatus && q.Ask != job.AskChunk {
		return usageFor("logs", "%s: not a question: %q", farJob, args)
	}
	q.Stream = map[string]journal.Stream{"stdout": journal.Stdout, "stderr": journal.Stderr}[stream]
	a.dir = where
	e, id, err := a.onRun(false, runID)
	if err != nil {
		return err
	}
	req.Run = id
	at, err := e.Attempt(req)
	if err != nil {
		return err
	}
	return job.Answer(a.ctx, a.Out, at, q)
}

// farPatience is how long a machine may be out of reach before that is said.
const farPatience = 2 * time.Minute

// farClient asks about a job on another machine. host is what ssh calls it,
// with the folder of the clone over there behind a colon, as scp has it;
// without one it lies where this clone does.
func (a *app) farClient(host, top, runID, step string) (*job.SSH, error) {
	dest, dir, named := strings.Cut(host, ":")
	if !named || dir == "" {
		dir = top
	}
	c := &job.SSH{Command: []string{"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"},
		Host: dest, Far: []string{"git-agent", farJob}, Args: []string{"--dir=" + dir, "--run=" + runID, "--step=" + step},
		Env: a.Env, Now: a.now,
		Note: func(err error) { a.notify("%s: %v; asking again", dest, err) }}
	st, err := c.Status(a.ctx)
	if err != nil {
		return nil, &run.Failure{Code: "NO_ANSWER", Exit: run.ExitUnknown, Err: fmt.Errorf("ask %q for its job: %w", dest, err),
			Hints: []string{"ssh " + dest + " git-agent version"}}
	}
	c.Patience = farPatience                                                  // it is there: from here on a broken connection is made again
	c.Args = []string{"--dir=" + dir, "--run=" + st.Run, "--name=" + st.Name} // this attempt, whatever comes after
	return c, nil
}
