//go:build !linux && !darwin

package check

import (
	"context"
	"errors"
	"fmt"
	"io"
)

var errUnsupported = errors.New("running checks needs a POSIX system; use WSL")

func (Runner) run(context.Context, Command, io.Writer) (Result, error) {
	return Result{}, errUnsupported
}

// Full is the first of these directories on a full file system: nobody asks here.
func Full(...string) string { return "" }

// Supervise is the body of the hidden command; on this system it only refuses.
func Supervise(_, _ []string, stderr io.Writer) int {
	fmt.Fprintln(stderr, errUnsupported)
	return exitUsage
}
