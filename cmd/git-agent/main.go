// Command git-agent is a git subcommand: `git agent …`. See the README.
package main

import (
	"os"
	"runtime/debug"

	"github.com/git-agent/git-agent/internal/cli"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // most commands are over before it would pay
	}
	os.Exit(cli.Main(cli.World{
		Args: os.Args[1:], Env: os.Environ(),
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit,
	}))
}
