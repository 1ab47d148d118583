package remotetest

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// full asks for all rounds and all bytes: minutes instead of seconds.
var full = os.Getenv("GIT_AGENT_MACHINES") == "full"

// bin is the folder that holds the git-agent that is tried.
var bin string

func TestMain(m *testing.M) { os.Exit(built(m)) }

// built runs the tests with the real binary, in processes of its own. That is
// why there is nothing to see here for the race detector, whose run is -short.
func built(m *testing.M) int {
	flag.Parse()
	if testing.Short() {
		fmt.Fprintln(os.Stderr, "remotetest: nothing of it is short")
		return 0
	}
	return gittest.Prepared(m, func(dir string) error {
		bin = dir
		return gittest.Build(dir)
	})
}
