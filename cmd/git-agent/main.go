// Command git-agent is a git subcommand: `git agent …`. See the README.
package main

import (
	"os"

	"github.com/git-agent/git-agent/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.World{
		Args: os.Args[1:], Env: os.Environ(),
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit,
	}))
}
