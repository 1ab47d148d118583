package git

import (
	"errors"
	"slices"
	"strings"
)

// HookError is a push that the person's pre-push hook ended before anything was
// sent (githooks(5)).
type HookError struct {
	Err  error
	said string
}

// hookRefusal tells such an end by what git does not say: it exits with 1, which
// it does for nothing but a refusal, and reports on no ref.
func hookRefusal(err error, stdout string) error {
	var failure *Error
	if !errors.As(err, &failure) || failure.ExitCode != 1 {
		return err
	}
	lines := said(failure.Stderr)
	if len(lines) > 0 { // git's own, that the push failed
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		lines = said(stdout)
	}
	const most = 5
	return &HookError{err, strings.Join(lines[max(0, len(lines)-most):], "; ")}
}

func (e *HookError) Error() string {
	if e.said == "" {
		return "the pre-push hook refuses it, without a word"
	}
	return "the pre-push hook refuses it: " + e.said
}

func (e *HookError) Unwrap() error { return e.Err }

// RefusedHere tells it from what the remote does.
func (e *HookError) RefusedHere() string { return e.Error() }

// said are the lines that say anything.
func said(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}
