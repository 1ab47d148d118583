package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/hashicorp/go-multierror"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
)

var errPipe = syscall.EPIPE

// errorJSON is an error with --json: one object on standard error.
type errorJSON struct {
	Format int       `json:"format"`
	Error  errorBody `json:"error"`
}

type errorBody struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Hints   []string `json:"hints"`
}

// failed prints an error, once, and answers the exit status it stands for.
func (a *app) failed(err error) int {
	if err == nil || isBroken(err) {
		return run.ExitDone
	}
	var answer answeredError
	if errors.As(err, &answer) {
		return answer.code
	}
	err = a.orDiskFull(placed(err))
	if a.json {
		hints := a.hintsOf(err)
		if hints == nil {
			hints = []string{}
		}
		_ = ui.WriteJSON(a.streams.Err, errorJSON{1, errorBody{run.CodeOf(err), err.Error(), hints}})
		return run.ExitOf(err)
	}
	a.explain(err)
	return run.ExitOf(err)
}

func (a *app) explain(err error) {
	var list *multierror.Error
	if errors.As(err, &list) {
		for _, one := range list.Errors {
			a.streams.Error(one)
		}
	} else {
		first, rest, _ := strings.Cut(err.Error(), "\n")
		a.streams.Error(errors.New(first))
		if rest != "" {
			_, _ = a.streams.Err.Write([]byte(ui.EscapeText(strings.TrimRight(rest, "\n")) + "\n"))
		}
	}
	var untrusted *run.UntrustedError
	if errors.As(err, &untrusted) {
		a.showCommands(untrusted)
	}
	if !a.advises(run.CodeOf(err)) {
		return
	}
	for _, hint := range a.hintsOf(err) {
		a.streams.Hint("%s", hint)
	}
}

func (a *app) showCommands(u *run.UntrustedError) {
	a.streams.Note("its commands (digest %s):", u.Digest)
	for _, c := range u.Commands {
		a.streams.Note("  %s", c)
	}
	if u.Since == 0 {
		return
	}
	a.streams.Note("against version %d, which you trusted:", u.Since)
	for _, d := range u.Changed {
		a.streams.Note("  %s", d)
	}
}

// placed gives errors of the packages below their place in the contract.
func placed(err error) error {
	var known *run.Failure
	errors.As(err, &known)
	// A cut-short git looks like an answer that did not come; it was we who
	// cut. Certified and not pushed stays what it is.
	if errors.Is(err, context.Canceled) && (known == nil || known.Exit == run.ExitUnknown) {
		return &run.Failure{Code: "INTERRUPTED", Exit: run.ExitInterrupted, Err: fmt.Errorf("interrupted; what is certified is saved: %w", err), Hints: []string{"git agent resume"}}
	}
	if known != nil {
		return err
	}
	var owned *git.OwnedError
	if errors.As(err, &owned) {
		return &run.Failure{Code: "NOT_OWNED", Exit: run.ExitFatal, Err: err, Hints: []string{owned.Trust + "   # if you trust what it may run"}}
	}
	for _, p := range []struct {
		is   error
		code string
		exit int
		hint string
	}{
		{git.ErrNotARepository, "NOT_A_REPOSITORY", run.ExitFatal, "git init"},
		{git.ErrBare, "BARE", run.ExitFatal, "git rev-parse --absolute-git-dir"},
		{git.ErrTooOld, "GIT_TOO_OLD", run.ExitFatal, "git version"},
		{git.ErrMoved, "MOVED", run.ExitLost, "git agent resume"},
	} {
		if errors.Is(err, p.is) {
			return &run.Failure{Code: p.code, Exit: p.exit, Err: err, Hints: []string{p.hint}}
		}
	}
	return err
}
