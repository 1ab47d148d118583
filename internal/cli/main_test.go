package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// TestMain lets the test binary be git-agent: scripts find it on PATH under
// that name, its supervisor is the same binary, and it dies by SIGKILL at the
// point that KILL_AT names, or runs DO at the point that DO_AT names.
func TestMain(m *testing.M) {
	testscript.Main(gittest.InMemory(m), map[string]func(){"git-agent": func() {
		os.Exit(Main(World{Args: os.Args[1:], Env: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit, Fault: doAt(os.Getenv("DO_AT"), os.Getenv("DO"), dieAt(os.Getenv("KILL_AT")))}))
	}})
}

// dieAt ends this process, and nothing else, at the named point.
func dieAt(point string) func(string) {
	return func(reached string) {
		if point != "" && reached == point {
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Kill()
			}
			select {}
		}
	}
}
