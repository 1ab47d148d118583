package run

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/git-agent/git-agent/pkg/check"
	"github.com/git-agent/git-agent/pkg/job"
)

// localState is what this clone remembers of a run. It only saves work:
// losing it costs a check that runs again, never a certificate.
type localState struct {
	// Certified maps certificates that this clone made to the fingerprint
	// under which it saw them pass.
	Certified map[string]string `json:"certified,omitempty"`
	NoPush    bool              `json:"no_push,omitempty"`
	// BranchOnly: the server takes no lease ref; the branch is the fence.
	BranchOnly bool `json:"branch_only,omitempty"`
	// Target is the branch that the plan lands on, known before the plan is read.
	Target string `json:"target,omitempty"`
	// Preflights are the last verdicts, by what they were about.
	Preflights map[string]keptVerdict `json:"preflights,omitempty"`
	// Lease is the last value that this clone gave the remote's lease.
	Lease string `json:"lease,omitempty"`
	// Top is the working tree that the run was last worked on in.
	Top         job.Text `json:"top,omitempty"`
	Fingerprint string   `json:"fingerprint,omitempty"`
	// Failures keeps the tail of each step's last failure, for its brief.
	Failures map[string]failureTail `json:"failures,omitempty"`
	// Older are untracked files that lay there before the run, or before an
	// attempt with a job that was retired: no job made them, so they are not work
	// in flight.
	Older job.Texts `json:"older,omitempty"`
	// JobMade are commits that a job was watched to make: an undo of their step
	// takes them back also outside its touches.
	JobMade []string `json:"job_made,omitempty"`
	// Unshared are commits of preserved work that are to be on the remote, and
	// were not seen there yet.
	Unshared []string `json:"unshared,omitempty"`
}

type failureTail struct {
	Check   string `json:"check"`
	Outcome string `json:"outcome"`
	Tail    string `json:"tail"`
	// LeftOut lay there before the attempt's job, which wrote over it: the check did
	// not see it.
	LeftOut job.Texts `json:"left_out,omitempty"`
}

const localFile = "local.json"

func newLocal() localState {
	return localState{Certified: map[string]string{}, Failures: map[string]failureTail{}}
}

func (e *Engine) readLocal(run string) (localState, error) {
	l := newLocal()
	err := readJSON(e.State, run+"/"+localFile, &l)
	if l.Certified == nil {
		l.Certified = map[string]string{}
	}
	if l.Failures == nil {
		l.Failures = map[string]failureTail{}
	}
	return l, err
}

func (s *session) saveLocal() error {
	return writeJSON(s.State, s.run+"/"+localFile, s.local)
}

// readJSON leaves v alone where the file is absent or torn by another version:
// nothing depends on these files.
func readJSON(f Folder, name string, v any) error {
	data, err := f.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	_ = json.Unmarshal(data, v)
	return nil
}

func writeJSON(f Folder, name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return f.Write(name, append(data, '\n'))
}

// attempt is one open try at one step in this clone.
type attempt struct {
	ID     string      `json:"id"`
	Step   string      `json:"step"`
	Number int         `json:"number"`
	Job    bool        `json:"job"`
	Opened time.Time   `json:"opened"`
	Owner  check.Owner `json:"owner"`
	// Tip is the commit it started from: nothing at or below is ever undone.
	Tip string `json:"tip"`
	// Untracked were there before the attempt: with a job they are not the
	// step's, unless the plan names them exactly.
	Untracked job.Texts `json:"untracked,omitempty"`
	// Ended: the job is over and was judged; the attempt waits for phase A.
	Ended bool `json:"ended,omitempty"`
	// Recorded: a failure record of it is on the plan ref.
	Recorded bool `json:"recorded,omitempty"`
	// After is the id of the attempt that this one follows up, Said what was
	// said to whoever does it.
	After string `json:"after,omitempty"`
	Said  string `json:"said,omitempty"`
	// Log is the name of its folder, which stays when the attempt is retired:
	// pkg/job.
	Log string `json:"log,omitempty"`
	// Counts is its number among the attempts that are recorded; 0, of an earlier
	// version: Number.
	Counts int `json:"counts,omitempty"`
	// Tree names the working tree that it was made in, Top is where that was then;
	// "": of an earlier version.
	Tree job.Text `json:"tree,omitempty"`
	Top  job.Text `json:"top,omitempty"`
	asked
}

// counts is the attempt's number among those that are recorded, here or elsewhere.
func (a *attempt) counts() int {
	if a.Counts == 0 {
		return a.Number
	}
	return a.Counts
}

func attemptFile(run, step string) string { return run + "/attempts/" + step + ".json" }

func randomID() (string, error) {
	id := make([]byte, 16)
	_, err := rand.Read(id)
	return hex.EncodeToString(id), err
}

func (s *session) openAttempt(a attempt) (*attempt, error) {
	id, err := randomID()
	if err != nil {
		return nil, err
	}
	owner, err := check.Self()
	if err != nil {
		return nil, fmt.Errorf("identify this process: %w", err)
	}
	a.ID, a.Owner, a.Opened, a.Log, a.Tree, a.Top = id, owner, s.Now(), "", s.treeName(), job.Text(s.Place.Top)
	if err := s.openFolder(&a); err != nil {
		return nil, err
	}
	return &a, s.saveAttempt(&a)
}

func (s *session) saveAttempt(a *attempt) error {
	return writeJSON(s.State, attemptFile(s.run, a.Step), a)
}

func (s *session) retire(a *attempt) error {
	if a == nil {
		return nil
	}
	if row, err := s.attemptOf(a.Step); err != nil || row != nil && row.ID != a.ID {
		return err // a later attempt's
	}
	if a.Job {
		s.setOlder(sortedUnion(s.local.Older, a.Untracked))
		if err := s.saveLocal(); err != nil {
			return err
		}
	}
	return s.State.Remove(attemptFile(s.run, a.Step))
}

// retireStep retires the attempt of a step that this command is at.
func (s *session) retireStep(step string) error {
	a, err := s.attemptOf(step)
	if err != nil || a == nil {
		return err
	}
	if _, ours := s.fences[a.ID]; a.Log != "" && !ours {
		return nil // a later one's
	}
	return s.retire(a)
}

// attempts lists the open attempts of a run, newest first.
func (e *Engine) attempts(run string) ([]*attempt, error) {
	names, err := e.State.List(run + "/attempts")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var open []*attempt
	for _, name := range names {
		var a attempt
		if err := readJSON(e.State, run+"/attempts/"+name, &a); err != nil {
			return nil, err
		}
		if a.ID != "" {
			open = append(open, &a)
		}
	}
	slices.SortFunc(open, func(a, b *attempt) int { return b.Opened.Compare(a.Opened) })
	return open, nil
}

func (s *session) attemptOf(step string) (*attempt, error) {
	var a attempt
	if err := readJSON(s.State, attemptFile(s.run, step), &a); err != nil || a.ID == "" {
		return nil, err
	}
	return &a, nil
}
