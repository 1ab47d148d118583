package check

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"
)

// exitUsage is the supervisor's exit code when it was not started by a runner.
const exitUsage = 2

// orphanPolicy says what happens to the command when the runner is gone.
type orphanPolicy string

const (
	// orphanKill ends it. A check must not outlive its runner.
	orphanKill orphanPolicy = "kill"
	// orphanKeep lets it go on. A job is adopted by the next runner.
	orphanKeep orphanPolicy = "keep"
)

// options are the supervisor's words before `--`; argv is what follows.
type options struct {
	onOrphan orphanPolicy
	timeout  time.Duration // 0: none
	grace    time.Duration
	tty      bool
	argv     []string
}

// args is the inverse of parseOptions.
func (o options) args() []string {
	words := []string{
		"--on-orphan=" + string(o.onOrphan),
		"--timeout=" + o.timeout.String(),
		"--grace=" + o.grace.String(),
		fmt.Sprintf("--tty=%t", o.tty),
		"--",
	}
	return append(words, o.argv...)
}

func parseOptions(args []string) (options, error) {
	var o options
	fs := flag.NewFlagSet("__supervise", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	orphan := fs.String("on-orphan", "", "")
	fs.DurationVar(&o.timeout, "timeout", 0, "")
	fs.DurationVar(&o.grace, "grace", DefaultGrace, "")
	fs.BoolVar(&o.tty, "tty", false, "")
	if err := fs.Parse(args); err != nil {
		return options{}, err
	}
	o.onOrphan, o.argv = orphanPolicy(*orphan), fs.Args()
	if o.onOrphan != orphanKill && o.onOrphan != orphanKeep {
		return options{}, fmt.Errorf("--on-orphan=%q: kill and keep are known", *orphan)
	}
	if o.tty && o.onOrphan == orphanKeep {
		return options{}, errors.New("what has a terminal cannot be kept: the terminal is the runner's")
	}
	if len(o.argv) == 0 {
		return options{}, errors.New("no command is given")
	}
	return o, nil
}
