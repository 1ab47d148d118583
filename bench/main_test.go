package bench

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// full asks for the sizes of the design and for a verdict: minutes.
var full = os.Getenv("GIT_AGENT_BENCH") == "full"

var update = flag.Bool("update", false, "write docs/performance.md")

// bin is the folder with the program, and with one that does nothing.
var bin string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if run, ok := processes[os.Args[1]]; ok {
			os.Exit(alone(run))
		}
	}
	os.Exit(built(m))
}

// alone is this binary as one of the processes that are measured.
func alone(run func(args []string) error) int {
	if err := run(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func built(m *testing.M) int {
	flag.Parse()
	if testing.Short() {
		fmt.Fprintln(os.Stderr, "bench: nothing of it is short")
		return 0
	}
	return gittest.Prepared(m, func(dir string) error {
		bin = dir
		return build(dir)
	})
}

const hello = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello, world\") }\n"

func build(dir string) error {
	source := filepath.Join(dir, "hello.go")
	if err := os.WriteFile(source, []byte(hello), 0o600); err != nil {
		return err
	}
	for name, what := range map[string]string{"hello": source, "git-agent": "github.com/git-agent/git-agent/cmd/git-agent"} {
		child := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(dir, name), what)
		child.Env = append(os.Environ(), "CGO_ENABLED=0") // as a release is
		if out, err := child.CombinedOutput(); err != nil {
			return fmt.Errorf("go build %s: %w\n%s", what, err, out)
		}
	}
	return nil
}
