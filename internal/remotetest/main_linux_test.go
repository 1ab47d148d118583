package remotetest

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	dir, err := os.MkdirTemp("", "remotetest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, "git-agent"), "github.com/git-agent/git-agent/cmd/git-agent")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	bin = dir
	return gittest.InMemory(m).Run()
}
