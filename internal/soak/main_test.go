package soak

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-agent/git-agent/internal/cli"
	"github.com/git-agent/git-agent/internal/git/gittest"
)

// lanes run at the same time, each with its share of the histories.
const lanes = 2

// TestMain lets the test binary be git-agent, which dies by SIGKILL at the
// KILL_NTH of its named points that it reaches.
func TestMain(m *testing.M) {
	testscript.Main(histories{gittest.InMemory(m)}, map[string]func(){"git-agent": func() {
		os.Exit(cli.Main(cli.World{Args: os.Args[1:], Env: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit, Fault: dieAtNth()}))
	}})
}

// soakVar says how many histories are tried.
const soakVar = "GIT_AGENT_SOAK"

// histories tries so many of them, else a few; with -short one a lane,
// because there is nothing in real processes for the race detector to see.
type histories struct{ gittest.M }

func (h histories) Run() int {
	flag.Parse()
	n, err := strconv.Atoi(os.Getenv(soakVar))
	switch {
	case testing.Short():
		n = 5 * lanes // rapid takes a fifth of it then
	case err != nil:
		n = 10
	}
	if done, err = openDone(); err != nil {
		panic(err)
	}
	set("rapid.checks", strconv.Itoa(max(1, (n-len(done.before)+lanes-1)/lanes)))
	set("rapid.nofailfile", "true")
	// What a submission is judged by is the same each time; `make soak` is not.
	if n < 1000 && flag.Lookup("rapid.seed").Value.String() == "0" {
		set("rapid.seed", "1")
	}
	return h.M.Run()
}

// done are the histories that held, here or in an earlier run.
var done *held

func openDone() (*held, error) {
	program, err := thisProgram()
	if err != nil {
		return nil, err
	}
	return openHeld(os.Getenv(logVar), program)
}

func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic(err)
	}
}

func dieAtNth() func(string) {
	left, _ := strconv.Atoi(os.Getenv("KILL_NTH"))
	return func(string) {
		if left--; left == 0 {
			gittest.Die()
		}
	}
}
