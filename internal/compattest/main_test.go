// Package compattest runs each command in each shape of clone that people have,
// with the real program, and writes docs/compatibility.md of what it saw. It is
// tests only.
package compattest

import (
	"flag"
	"os"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

var update = flag.Bool("update", false, "write docs/compatibility.md anew from what was seen")

// bin is the folder with the program.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(gittest.Prepared(m, func(dir string) error {
		bin = dir
		return gittest.Build(dir)
	}))
}
