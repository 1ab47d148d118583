package forgetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

// bin is the folder that holds the git-agent that is tried.
var bin string

func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "glab":
		os.Exit(standIn(glab))
	case "tea":
		os.Exit(standIn(tea))
	}
	os.Exit(built(m))
}

// built runs the tests with the real binary, in processes of its own.
func built(m *testing.M) int {
	flag.Parse()
	if testing.Short() || runtime.GOOS == "windows" {
		fmt.Fprintln(os.Stderr, "forgetest: nothing of it is short, and its commands are shell scripts")
		return 0
	}
	return gittest.Prepared(m, func(dir string) error {
		bin = dir
		return gittest.Build(dir)
	})
}
