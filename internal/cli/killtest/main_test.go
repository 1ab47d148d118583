// Package killtest kills git-agent at its named points, its runners and its
// supervisors, and asks an oracle outside the program what is left. It is tests
// only.
package killtest

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-agent/git-agent/internal/cli"
	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestMain lets the test binary be git-agent, which dies at the point that a
// test names.
func TestMain(m *testing.M) {
	testscript.Main(gittest.InMemory(m), map[string]func(){"git-agent": func() {
		os.Exit(cli.Main(cli.World{Args: os.Args[1:], Env: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit, Fault: gittest.Fault()}))
	}})
}
