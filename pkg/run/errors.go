package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-agent/git-agent/pkg/object"
	ondisk "github.com/git-agent/git-agent/pkg/stash/place"
)

// Exit statuses (the design, section 13): what a scheduler does with each is
// part of the contract.
const (
	ExitDone        = 0
	ExitNo          = 1  // the answer is no
	ExitPerson      = 3  // stopped for a person
	ExitLost        = 4  // the run moved on elsewhere
	ExitNotPushed   = 5  // certified here, not pushed
	ExitBusy        = 6  // a live process owns the run
	ExitUnknown     = 7  // git, the disk or the remote did not answer
	ExitInterrupted = 75 // state saved, run it again
	ExitFatal       = 128
	ExitUsage       = 129
)

// Failure is a refusal or a failure that has a place in the contract: a
// frozen code for scripts, an exit status, and commands that go on.
type Failure struct {
	Code  string // e.g. RUN_BUSY
	Exit  int
	Err   error
	Hints []string // each can be pasted
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// fail makes a Failure; hints are commands that go on.
func fail(code string, exit int, err error, hints ...string) error {
	return &Failure{Code: code, Exit: exit, Err: err, Hints: hints}
}

func failf(code string, exit int, format string, args ...any) *Failure {
	return &Failure{Code: code, Exit: exit, Err: fmt.Errorf(format, args...)}
}

func (f *Failure) hint(format string, args ...any) *Failure {
	f.Hints = append(f.Hints, fmt.Sprintf(format, args...))
	return f
}

// ExitOf is the exit status that an error stands for: what nobody gave a
// meaning is unknown, never "no".
func ExitOf(err error) int {
	if err == nil {
		return ExitDone
	}
	var f *Failure
	switch {
	case lockedBy(err) != nil:
		return ExitPerson
	case errors.As(err, &f):
		return f.Exit
	}
	return ExitUnknown
}

// CodeOf is the frozen code of an error, "UNKNOWN" where it has none.
func CodeOf(err error) string {
	var f *Failure
	switch {
	case lockedBy(err) != nil:
		return "GIT_LOCKED"
	case errors.As(err, &f):
		return f.Code
	}
	return "UNKNOWN"
}

// HintsOf lists the commands that go on after an error.
func HintsOf(err error) []string {
	if l := lockedBy(err); l != nil {
		return []string{removeLock(l.Path) + "; then the same command again"}
	}
	var f *Failure
	if errors.As(err, &f) {
		return f.Hints
	}
	var unread *object.UnreadError
	if errors.As(err, &unread) {
		return unreadHints(unread)
	}
	var unstorable *object.UnstorableError
	if errors.As(err, &unstorable) {
		return unstorableHints(unstorable)
	}
	return deniedHints(err)
}

// unreadHints open what could not be looked at, or tell git that it is nothing
// to look at (lost+found). git looks at what it tracks all the same.
func unreadHints(e *object.UnreadError) []string {
	full := quoteArg(filepath.Join(e.Top, filepath.FromSlash(e.Path)))
	if filepath.IsAbs(e.Path) {
		full = quoteArg(e.Path)
	}
	hints := []string{"ls -ld " + full, "chmod u+rwX " + full + "   # if it is yours; then the same command again"}
	if dir := strings.TrimSuffix(e.Path, "/"); e.Exclude != "" && dir != e.Path && quoteArg(dir) == dir {
		hints = append(hints, fmt.Sprintf("echo /%s/ >> %s   # if nothing below it belongs to this repository", dir, quoteArg(e.Exclude)))
	}
	return hints
}

func unstorableHints(e *object.UnstorableError) []string {
	disk := ondisk.Disk{Top: e.Top}
	return []string{
		fmt.Sprintf("git -C %s check-attr -a -- %s   # what it is asked to be; once it is: the same command again", quoteArg(e.Top), quoteArg(e.Path)),
		fmt.Sprintf("mv -- %s %s   # or without it", quoteArg(filepath.Join(e.Top, filepath.FromSlash(e.Path))), quoteArg(disk.Aside(e.Path))),
	}
}
