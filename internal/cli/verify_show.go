package cli

import (
	"errors"
	"fmt"

	"github.com/git-agent/git-agent/internal/git"
	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/run"
	"github.com/git-agent/git-agent/pkg/verify"
)

// verified prints a report. Each fault stands beside the command that mends it.
func (a *app) verified(r *verify.Report, hook bool) error {
	if a.json {
		if err := a.printJSON(r); err != nil && !isBroken(err) {
			return err
		}
	} else if err := a.showVerified(r, hook); err != nil && !isBroken(err) {
		return err
	}
	if r.OK {
		return nil
	}
	f := &run.Failure{Code: "BAD_EVIDENCE", Exit: run.ExitNo, Err: fmt.Errorf("%s that must not pass; nothing was changed", counted(len(r.Faults), "commit"))}
	for _, fault := range r.Faults {
		if a.json && fault.Repair != "" {
			f.Hints = append(f.Hints, fault.Repair)
		}
	}
	return f
}

func (a *app) showVerified(r *verify.Report, hook bool) error {
	for _, n := range r.Notes {
		if !a.grammar.Quiet {
			a.streams.Note("%s", n)
		}
	}
	for _, f := range r.Faults {
		a.streams.Error(errors.New(faultLine(f)))
		if f.Repair != "" {
			a.streams.Hint("%s", f.Repair)
		}
	}
	if hook {
		return nil
	}
	for _, b := range r.Branches {
		name := git.Short(b.Commit)
		if b.Ref != "" {
			name = run.ShortBranch(b.Ref) + " at " + name
		}
		if err := a.print(ui.Escape(fmt.Sprintf("%s: %s, %s", name, counted(b.Commits, "commit"), counted(b.Certificates, "certificate"))) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func faultLine(f verify.Fault) string {
	place := "commit " + git.Short(f.Commit)
	if f.Ref != "" {
		place = run.ShortBranch(f.Ref) + " " + place
	}
	if f.Step != "" {
		place += " (" + f.Step + ")"
	}
	return place + ": " + f.Says
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
