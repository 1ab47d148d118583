package run

import (
	"encoding/json"

	"github.com/git-agent/git-agent/pkg/check"
)

// Outside refuses, from inside a job or a check of any run of this clone, what is
// not for them: whoever trusts, cancels or puts hooks in place is a person. An id
// of nobody alive is ignored, and so is one of another clone.
func (e *Engine) Outside() error {
	id := lookup(e.Env, check.AttemptVariable)
	inCheck := lookup(e.Env, "GIT_AGENT_CHECK") != ""
	if id == "" && !inCheck {
		return nil
	}
	runs, _ := e.State.List(".")
	for _, run := range runs {
		open, _ := e.attempts(run) // a file, or what nobody can read: no job of ours
		for _, a := range open {
			if a.ID == id && e.alive(run, a) {
				return failf("RUN_BUSY", ExitBusy, "attempt %d of step %s is under way and this is its job; nothing was done", a.Number, a.Step).
					hint("git agent status %s", run)
			}
		}
	}
	if run := lookup(e.Env, "GIT_AGENT_RUN"); inCheck && e.lockHeld(run) {
		return failf("RUN_BUSY", ExitBusy, "this is part of a check of run %s, which is under way; nothing was done", run).hint("git agent status %s", run)
	}
	return nil
}

// lockHeld reports whether a live process has the run's lock here.
func (e *Engine) lockHeld(run string) bool {
	data, err := e.State.Read(run + "/lock")
	var h holder
	if err != nil || json.Unmarshal(data, &h) != nil {
		return false
	}
	dead, _ := h.Owner.Dead()
	return !dead
}
