package run

import (
	"time"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
)

// AttemptHere is one attempt that was made in this clone: fields are only added.
type AttemptHere struct {
	Attempt int       `json:"attempt"` // its number
	ID      string    `json:"id"`
	After   string    `json:"after,omitempty"` // the id of the attempt that it follows up
	Said    string    `json:"said,omitempty"`  // to whoever did it
	Opened  time.Time `json:"opened"`
	Host    string    `json:"host,omitempty"`
	// State is the job's: waiting, running, over, lost, done or unclear; "" where
	// the attempt had no job that is kept.
	State job.State `json:"state,omitempty"`
	// End is how the job ended, absent where it did not, or nobody can tell.
	End *journal.End `json:"end,omitempty"`
}

// addAttempts adds what was tried here. It only helps people: attempts that
// cannot be read are left out.
func (e *Engine) addAttempts(r *Report) {
	all, _ := job.List(e.State, r.Run)
	made := map[string][]AttemptHere{}
	for _, a := range all {
		one := AttemptHere{Attempt: a.Number, ID: a.Attempt, After: a.After, Said: a.Said, Opened: a.Opened.UTC(), Host: a.Host}
		if a.HasJob() {
			if st, err := a.Status(); err == nil {
				one.State, one.End = st.State, st.End
			}
		}
		made[a.Step] = append(made[a.Step], one)
	}
	for i := range r.Steps {
		r.Steps[i].Here = made[r.Steps[i].ID]
	}
}
