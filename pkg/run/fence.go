package run

import (
	"errors"
	"io/fs"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
)

// openFolder makes the folder of a new attempt and takes its fence, before
// anybody can find the attempt.
func (s *session) openFolder(a *attempt) error {
	at, err := job.Create(s.State, job.Facts{Run: s.run, Step: a.Step, Attempt: a.ID, Number: a.Number,
		PlanVersion: s.version, Host: s.Host, Opened: a.Opened, Owner: a.Owner, After: a.After, Said: a.Said, Claim: s.hold.mine.Nonce})
	if err != nil {
		return err
	}
	a.Log = at.Name()
	return s.fence(a, at, func() error { return nil })
}

// folderOf is the folder of an open attempt, nil where it has none: it is of an
// earlier version, or somebody deleted the private folder, or what is in it. Its
// job is found by its environment then.
func (e *Engine) folderOf(run string, a *attempt) (*job.Attempt, error) {
	if a == nil || a.Log == "" {
		return nil, nil
	}
	at, err := job.Open(e.State, run, a.Log)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, job.ErrTorn) {
		return nil, nil
	}
	return at, err
}

// fence takes the attempt's fence for the rest of the command, unless the
// command has it. valid is asked under it.
func (s *session) fence(a *attempt, at *job.Attempt, valid func() error) error {
	if _, held := s.fences[a.ID]; held {
		return valid()
	}
	owner, err := check.Self()
	if err != nil {
		return err
	}
	l, err := at.TryFence(job.Holder{Owner: owner, Verb: "attempt"}, valid)
	var busy *BusyError
	if errors.As(err, &busy) {
		return failf("RUN_BUSY", ExitBusy, "somebody else is at attempt %d of step %s; nothing was done", a.Number, a.Step).hint("git agent status")
	}
	if err != nil {
		return err
	}
	if s.fences == nil {
		s.fences = map[string]Lock{}
	}
	s.fences[a.ID] = l
	return nil
}

// letGoFences ends what the command held of its attempts.
func (s *session) letGoFences() {
	for _, l := range s.fences {
		_ = l.Unlock()
	}
	s.fences = nil
}

// stillOurs is asked right before something is recorded of an attempt: it is
// the current one of its step, and nobody took it over. A lock alone does not
// say so. Where the whole private folder was deleted nothing contradicts.
func (s *session) stillOurs(a *attempt) error {
	if a == nil || a.Log == "" {
		return nil
	}
	row, err := s.attemptOf(a.Step)
	switch {
	case err != nil:
		return err
	case row == nil:
		if at, err := s.folderOf(s.run, a); err != nil || at == nil {
			return err
		}
	case row.ID == a.ID && row.Owner == a.Owner:
		return nil
	}
	return failf("RUN_BUSY", ExitBusy, "attempt %d of step %s is not this command's any more; nothing was recorded", a.Number, a.Step).
		hint("git agent status %s", s.run)
}

// jobRuns reports whether the attempt's job lives, or could.
func (e *Engine) jobRuns(run string, a *attempt) (bool, error) {
	at, err := e.folderOf(run, a)
	if err != nil || at == nil || !at.HasJob() {
		return false, err
	}
	st, err := at.Status()
	return st.State == job.Running || st.State == job.Unclear, err
}

// alive reports whether somebody works on the attempt, or could: its runner, or
// its job alone. Death has to be proven.
func (e *Engine) alive(run string, a *attempt) bool {
	dead, _ := a.Owner.Dead()
	return !dead || e.jobAlive(run, a)
}

// jobAlive is [Engine.jobRuns] where what cannot be read is no proof of death.
func (e *Engine) jobAlive(run string, a *attempt) bool {
	runs, err := e.jobRuns(run, a)
	return runs || err != nil
}
