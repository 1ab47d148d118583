package check

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// AttemptVariable names the attempt in the environment of its job and checks.
const AttemptVariable = agentPrefix + "ATTEMPT"

var (
	errNoAttempt = errors.New("look for leftovers: no attempt is named")
	errNoCommand = errors.New("look for leftovers: no command is named")
)

// ClaimVariable names, in the environment of a job, the claim of the run's
// lease that it works under.
const ClaimVariable = agentPrefix + "CLAIM"

// AtWork lists the processes on this machine that work under a claim, in
// whatever clone, those of the same user. Linux only, as [KillLeftovers].
func AtWork(claim string) ([]int, error) {
	if claim == "" {
		return nil, nil
	}
	return marked(ClaimVariable + "=" + claim)
}

// KillLeftovers ends the processes that carry GIT_AGENT_ATTEMPT=<attempt> in
// their environment, without the caller and its ancestors: SIGTERM and SIGCONT,
// grace, SIGKILL, until a pass finds none. The error names the pids that remain; no
// new attempt may start then. It is the last resort for what both a runner and
// its supervisor left behind; a process that emptied or overwrote its
// environment is not found. Linux only: elsewhere there is nothing to read and
// nothing is found.
func KillLeftovers(ctx context.Context, attempt string, grace time.Duration) error {
	if attempt == "" {
		return errNoAttempt
	}
	return endMarked(ctx, AttemptVariable+"="+attempt, grace)
}

// CommandVariable names, in the environment of what may not outlive the command
// that runs it, that command.
const CommandVariable = agentPrefix + "COMMAND"

// EndCommand ends, as [KillLeftovers], what a dead command ran.
func EndCommand(ctx context.Context, command string, grace time.Duration) error {
	if command == "" {
		return errNoCommand
	}
	return endMarked(ctx, CommandVariable+"="+command, grace)
}

func remain(pids []int) error {
	words := make([]string, len(pids))
	for i, pid := range pids {
		words[i] = strconv.Itoa(pid)
	}
	return fmt.Errorf("processes could not be ended: pid %s", strings.Join(words, ", "))
}
