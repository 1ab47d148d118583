package check

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Command is what to run. Exactly one of Run and Argv is set.
type Command struct {
	// Run is a line for the shell: /bin/sh -c Run.
	Run string
	// Argv is executed directly: a job given after `--`. Its first word is
	// looked up in the PATH of the process environment that Env makes.
	Argv []string
	// Dir is the working directory; "" is the runner's own.
	Dir string
	// Env is the whole environment, see [Environ]; later entries win.
	Env []string
	// Timeout ends the command; 0 is none. It counts from the start.
	Timeout time.Duration
	// Stdin is the path of a file to read from, "" for /dev/null; a relative
	// one is the runner's, not Dir's.
	Stdin string
	// Input is what the command reads instead, from a pipe: it lies in no file.
	// A kept command cannot have it.
	Input []byte `json:"-"`
	// TTY shares the runner's terminal and its foreground group with the
	// command (an interactive job). Nothing is captured then.
	//
	// Terminal signals reach the command as if it had been started by
	// hand: Ctrl-Z stops job, supervisor and runner together and the shell's
	// `fg` continues them; for Ctrl-C and Ctrl-\ the supervisor and the
	// runner stand still while Run lasts, the command alone decides. So the
	// context given to Run must not be one that SIGINT cancels.
	TTY bool
	// Record gets each piece of both streams, in the order in which they are
	// read, before live does; nil: nobody. It must not keep the slice.
	Record func(stderr bool, p []byte) `json:"-"`
}

// argv is what the supervisor executes.
func (c Command) argv() []string {
	if c.Run != "" {
		return []string{shell, "-c", c.Run}
	}
	return c.Argv
}

// name is the command as an error shows it.
func (c Command) name() string {
	if c.Run != "" {
		return c.Run
	}
	return c.Argv[0]
}

func (c Command) validate() error {
	switch {
	case strings.TrimSpace(c.Run) == "" && (len(c.Argv) == 0 || c.Argv[0] == ""):
		return errors.New("run command: it is empty")
	case c.Run != "" && len(c.Argv) > 0:
		return errors.New("run command: both a shell line and an argument list are given")
	case c.TTY && (c.Stdin != "" || c.Input != nil):
		return errors.New("run command: an interactive job has the terminal as its input, nothing else")
	case c.Stdin != "" && c.Input != nil:
		return errors.New("run command: both a file and a text are given as its input")
	}
	return nil
}

// Kind says how a command ended.
type Kind string

// The kinds of an [Outcome]. Timeout and Cancelled are never exit codes: they
// stand whatever status the command ended with after it was told to.
const (
	Exit      Kind = "exit"      // ended by itself; Code is the exit code, 0 to 255
	Signal    Kind = "signal"    // ended by a signal that we did not send; Code is its number
	Timeout   Kind = "timeout"   // ended by us: it took longer than Command.Timeout
	NotFound  Kind = "not-found" // never started: the command's name is not found
	Cancelled Kind = "cancelled" // ended by us, or not started: the context was done
)

// Outcome is what became of a command. Its zero value is no outcome.
type Outcome struct {
	Kind Kind
	Code int // exit code or signal number, else 0
}

// Passed reports exit 0, the only pass there is.
func (o Outcome) Passed() bool { return o == Outcome{Kind: Exit} }

// SaysKilled reports the exit code with which a shell says that SIGKILL ended
// what it ran; a command's own code can be the same.
func (o Outcome) SaysKilled() bool { return o == Outcome{Kind: Exit, Code: 128 + 9} }

// String is the outcome as the design, section 4, writes it: exit=1, signal=9,
// timeout, not-found; cancelled has no place in a trailer.
func (o Outcome) String() string {
	switch o.Kind {
	case Exit, Signal:
		return string(o.Kind) + "=" + strconv.Itoa(o.Code)
	default:
		return string(o.Kind)
	}
}

// Result is what was observed of one command.
type Result struct {
	Outcome Outcome
	// Duration from the start to the command's own end, without the ending of
	// what it left behind; of a command that we ended, until all is gone.
	Duration time.Duration
	// Stdout and Stderr are the ends of the two streams, Merged the end of
	// both in the order in which the runner read them. Empty with TTY.
	Stdout, Stderr, Merged Tail
	// Environment reports that the failure says nothing about the tree
	// (the design, section 7): not found, SIGKILL from outside, no space
	// left. Reason is then one line for a person; it is also set where an
	// argument list could not be executed.
	Environment bool
	Reason      string
}

// Secs is the duration in seconds, for `secs=`.
func (res Result) Secs() float64 { return res.Duration.Seconds() }

func (res *Result) environment(reason string) { res.Environment, res.Reason = true, reason }
