package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestMain lets the test binary be git-agent: scripts find it on PATH under
// that name, its supervisor is the same binary, and it dies, or has something
// done, at the point that a test names.
func TestMain(m *testing.M) {
	testscript.Main(gittest.InMemory(m), map[string]func(){"git-agent": func() {
		os.Exit(Main(World{Args: os.Args[1:], Env: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit, Fault: gittest.Fault()}))
	}})
}
