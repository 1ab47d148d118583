package run

import (
	"context"
	"slices"
)

// StepLog is what is known about one step's past: fields are only added.
type StepLog struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	Step   string `json:"step"`
	// Certificates are its records, oldest first.
	Certificates []*LogEntry `json:"certificates"`
	Attempts     int         `json:"attempts"`
	// Failure is how the last attempt in this clone ended, if it failed.
	Failure *FailureReport `json:"failure"`
	// Stash are the refs that preserve its partial work.
	Stash []string `json:"stash"`
	// Waiting are notes that its certificate will hold.
	Waiting []string `json:"waiting_notes"`
}

// FailureReport is a check that did not pass, with the end of its output.
type FailureReport struct {
	Check   string `json:"check"`
	Outcome string `json:"outcome"`
	Tail    string `json:"tail"`
}

const tailMost = 4000 // bytes

// StepLog takes no lock, asks no remote and runs nothing.
func (e *Engine) StepLog(ctx context.Context, run, step string) (*StepLog, error) {
	s, err := e.open(ctx, run)
	if err != nil {
		return nil, err
	}
	if _, err := s.step(step); err != nil {
		return nil, err
	}
	entries, err := e.Log(ctx, run)
	if err != nil {
		return nil, err
	}
	l := &StepLog{Format: 1, Run: run, Step: step, Attempts: s.attemptsOf(step),
		Certificates: slices.DeleteFunc(entries, func(l *LogEntry) bool { return l.Step != step }),
		Stash:        append([]string{}, s.stashRefs(step)...)}
	waiting, err := e.notesWaiting(run, step)
	if err != nil {
		return nil, err
	}
	l.Waiting = append([]string{}, waiting...)
	if f, ok := s.local.Failures[step]; ok {
		l.Failure = &FailureReport{Check: f.Check, Outcome: f.Outcome, Tail: lastPart(f.Tail, tailMost)}
	}
	return l, nil
}
