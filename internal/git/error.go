package git

import (
	"errors"
	"fmt"
	"strings"
)

// Error is a git child that ended in a way its caller did not list as an
// answer. What it means is unknown: it is never read as "no".
type Error struct {
	Args     []string // without the hardening flags
	Dir      string
	ExitCode int    // -1 where a signal ended it or it never started
	Signal   string // "" unless a signal ended it
	Stderr   string // first and last 32 KiB
	Cause    error  // why it never started or was cut short; may be nil
}

// Error is `git <subcommand>: <git's last fatal line>`.
func (e *Error) Error() string {
	return fmt.Sprintf("git %s: %s", e.subcommand(), e.reason())
}

// Unwrap gives the cause, so that errors.Is sees a cancelled context.
func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) subcommand() string {
	if len(e.Args) == 0 {
		return ""
	}
	return e.Args[0]
}

func (e *Error) reason() string {
	line := lastFatal(e.Stderr)
	var late *overdue
	switch {
	case errors.As(e.Cause, &late) && line != "":
		return late.Error() + ": " + line
	case line != "":
		return line
	case e.Cause != nil:
		return e.Cause.Error()
	case e.Signal != "":
		return "ended by " + e.Signal
	default:
		return fmt.Sprintf("exit status %d", e.ExitCode)
	}
}

// RemoteSaid is what the other side of a push or fetch printed about a
// failure: its errors, else its last line; "" where it said nothing.
func (e *Error) RemoteSaid() string {
	var errs []string
	last := ""
	for line := range strings.Lines(e.Stderr) {
		said, ok := strings.CutPrefix(strings.TrimSpace(line), "remote: ")
		if said = strings.TrimSpace(said); !ok || said == "" {
			continue
		}
		last = said
		if strings.HasPrefix(said, "error: ") || strings.HasPrefix(said, "fatal: ") {
			errs = append(errs, said)
		}
	}
	if len(errs) == 0 {
		return last
	}
	return strings.Join(errs, "; ")
}

// lastFatal picks what a person wants to read: the first and the last "fatal:"
// or "error:" line (the cause, and what git made of it), else the last line
// that says anything; as a part of a sentence of ours, without its full stop.
func lastFatal(stderr string) string {
	var fatal []string
	last := ""
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		last = line
		for _, prefix := range []string{"fatal: ", "error: "} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				fatal = append(fatal, strings.TrimSuffix(rest, "."))
			}
		}
	}
	switch n := len(fatal); n {
	case 0:
		return strings.TrimSuffix(last, ".")
	case 1:
		return fatal[0]
	default:
		return fatal[0] + "; " + fatal[n-1]
	}
}

// ExitCode is the exit status of the git child behind err, or -1.
func ExitCode(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.ExitCode
	}
	return -1
}

// OwnedError is for a repository of somebody else: git does not go near
// it (git-config(1), safe.directory). Trust is the command that git names.
type OwnedError struct {
	Err   error
	Trust string
}

func (e *OwnedError) Error() string {
	return "this repository belongs to another user, and git does not go near it: " + e.Err.Error()
}

func (e *OwnedError) Unwrap() error { return e.Err }

// Sentinels for the states in which there is nothing to work on.
var (
	// ErrNotARepository: no repository contains the folder.
	ErrNotARepository = errors.New("not a git repository")
	// ErrBare: the repository has no working tree.
	ErrBare = errors.New("this repository is bare: there is no working tree to run steps in")
	// ErrInside: the folder is inside a repository's git folder.
	ErrInside = errors.New("this folder is inside the repository's git folder, not in its working tree")
	// ErrTooOld: the installed git is older than [MinVersion].
	ErrTooOld = errors.New("git is too old")
	// ErrMissing: the object, ref or revision does not exist.
	ErrMissing = errors.New("does not exist")
	// ErrMoved: a compare-and-swap found another value.
	ErrMoved = errors.New("the ref has moved")
)
