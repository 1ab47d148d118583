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

// histories is how many each lane tries: of GIT_AGENT_SOAK, else of a few.
func histories() string {
	n, err := strconv.Atoi(os.Getenv("GIT_AGENT_SOAK"))
	if err != nil {
		n = 10
	}
	return strconv.Itoa(max(1, n/lanes))
}

// soaking: so many are wanted that they are not to be the same ones again.
var soaking = len(os.Getenv("GIT_AGENT_SOAK")) > 3

// TestMain lets the test binary be git-agent, which dies by SIGKILL at the
// KILL_NTH of its named points that it reaches.
func TestMain(m *testing.M) {
	flag.Parse()
	set("rapid.checks", histories())
	// What a submission is judged by is the same each time; `make soak` is not.
	if !soaking {
		set("rapid.seed", "1")
	}
	set("rapid.nofailfile", "true")
	if testing.Short() { // real processes: nothing for the race detector to see
		set("rapid.checks", "1")
	}
	testscript.Main(gittest.InMemory(m), map[string]func(){"git-agent": func() {
		os.Exit(cli.Main(cli.World{Args: os.Args[1:], Env: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit, Fault: dieAtNth()}))
	}})
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
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Kill()
			}
			select {}
		}
	}
}
