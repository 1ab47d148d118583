package run

import (
	"slices"

	"github.com/git-agent/git-agent/pkg/journal"
)

// asked is what a person asked of the certificate of an attempt. It is kept with
// the attempt, so that whoever certifies it, `resume` of a detached job or after a
// kill, does so by it.
type asked struct {
	Notes []string `json:"notes,omitempty"`
	Stray string   `json:"stray,omitempty"`
	Empty bool     `json:"empty,omitempty"`
}

// ask adds what a command asks. changed: there was something new in it.
func (a *asked) ask(req StepRequest) (changed bool) {
	before := *a
	for _, n := range req.Notes {
		if !slices.Contains(a.Notes, n) {
			a.Notes = append(a.Notes, n)
		}
	}
	a.Stray, a.Empty = first(req.Stray, a.Stray), a.Empty || req.Empty
	return len(a.Notes) > len(before.Notes) || a.Stray != before.Stray || a.Empty != before.Empty
}

// any reports whether something was asked.
func (a *asked) any() bool { return len(a.Notes) > 0 || a.Stray != "" || a.Empty }

// mayBeEmpty reports whether an attempt is certified although it changed nothing:
// that was asked, and its job came to its own end. One that was cut off may have
// done nothing yet.
func (s *session) mayBeEmpty(a *attempt) (bool, error) {
	switch {
	case a == nil || !a.Empty:
		return false, nil
	case !a.Job || a.Ended:
		return true, nil
	}
	at, err := s.folderOf(s.run, a)
	if err != nil || at == nil || !at.HasJob() {
		return false, err
	}
	st, err := at.Status()
	return st.End != nil && (st.End.Kind == journal.Exited || st.End.Kind == journal.Signaled), err
}
