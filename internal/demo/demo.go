// Package demo shows git agent at work: a small project, a plan of five steps,
// a SIGKILL in the middle of one, and a fresh clone that goes on. Everything is
// real (the repositories, the checks, the killed process) and lies in one
// scratch folder; every command is shown as it is run, so that a person can
// repeat it.
//
// It never touches a repository, a configuration or a state folder of the
// person who runs it, needs no network and no identity, and it does not believe
// what it shows: each scene is compared with what had to happen, and a surprise
// is an error.
//
//	err := demo.Run(ctx, demo.Options{Exe: exe, Dir: dir, Env: getenv, Out: os.Stdout})
package demo

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// limit is for the whole demo; it takes a few seconds, and up to half a minute
// where Go has to compile its standard library first.
const limit = 2 * time.Minute

// Options is the world of a demo.
type Options struct {
	Exe  string // this binary; the demo's commands find it on their PATH
	Dir  string // an empty folder, which the caller makes and removes
	Copy bool   // the folder outlives Exe: copy it instead of linking to it
	Env  func(name string) string
	Out  io.Writer
	// Narrate and Command dress a line of narration and a command line.
	Narrate, Command func(string) string
}

// Run plays the demo in opts.Dir. An error says what was expected and what was
// there instead.
func Run(ctx context.Context, opts Options) error {
	dir, err := filepath.EvalSymlinks(opts.Dir)
	if err != nil {
		return err
	}
	opts.Dir = dir
	ctx, cancel := context.WithTimeout(ctx, limit)
	s := &stage{Options: opts, ctx: ctx}
	defer s.quiet()
	defer cancel()
	if err := s.build(); err != nil {
		return fmt.Errorf("set up the demo: %w", err)
	}
	for _, scene := range []func() error{s.begin, s.certify, s.kill, s.elsewhere, s.preserved, s.finish} {
		if err := scene(); err != nil {
			return err
		}
	}
	return nil
}
