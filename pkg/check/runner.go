package check

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

const (
	// DefaultGrace lies between SIGTERM and SIGKILL where Runner.Grace is 0.
	DefaultGrace = 5 * time.Second
	// shell is named by path: a PATH that begins with "." must not choose it.
	shell = "/bin/sh"
	// markVariable is in the environment of every supervised process, with a
	// value of its own for each run; by it a runner whose supervisor was
	// killed finds what is left.
	markVariable = "GIT_AGENT_SUPERVISED"
)

// Runner runs commands, any number at the same time. It holds no state.
type Runner struct {
	// Supervisor is how the supervisor is started: the binary and the
	// words before the options of [Supervise]; the path is absolute.
	Supervisor []string
	// Successor is how a successor is started ([Runner.Succeed]), as Supervisor;
	// nil: there is none.
	Successor []string
	// Grace lies between SIGTERM and SIGKILL; 0 is [DefaultGrace].
	Grace time.Duration
	// Now is the clock that durations are read from.
	Now func() time.Time
	// Terminal is what a command with TTY gets as its three streams, open
	// for reading and writing; nil opens /dev/tty.
	Terminal *os.File
}

// Run runs c to its end and reports what became of it. When it returns, no
// process of the command is left.
//
// live gets both streams, merged as they come, whole whatever their size; nil
// discards them. An error of live ends only what live gets. A live that
// blocks holds the command up, as a terminal does.
//
// An error means that the outcome is unknown: it could not be started, the
// supervisor was killed, or processes could not be ended. It is never a pass.
// That the command failed, timed out or was cancelled is no error.
func (r Runner) Run(ctx context.Context, c Command, live io.Writer) (Result, error) {
	if len(r.Supervisor) == 0 || r.Now == nil {
		return Result{}, errors.New("run command: the runner has no supervisor or no clock")
	}
	if err := c.validate(); err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{Outcome: Outcome{Kind: Cancelled}}, nil //nolint:nilerr // cancelled is an outcome
	}
	if r.Grace <= 0 {
		r.Grace = DefaultGrace
	}
	return r.run(ctx, c, live)
}
