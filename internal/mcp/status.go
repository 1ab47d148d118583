package mcp

import (
	"context"

	"github.com/git-agent/git-agent/pkg/run"
)

// status is a report that fits into a model's context: the whole of it is
// `git agent status --json`.
type status struct {
	Run       string       `json:"run"`
	Title     string       `json:"title"`
	Branch    string       `json:"branch"`
	Head      string       `json:"head"`
	Pushed    bool         `json:"pushed"`
	Next      *string      `json:"next"`
	Certified int          `json:"certified"`
	Steps     int          `json:"steps"`
	Shown     []stepStatus `json:"shown"`
	// LeftOut counts the steps that are not shown: certified ones first.
	LeftOut  int      `json:"left_out"`
	Warnings []string `json:"warnings"`
}

type stepStatus struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Status   string `json:"status"`
	Reason   string `json:"reason,omitempty"`
	Commit   string `json:"commit,omitempty"`
	Attempts int    `json:"attempts"`
}

const (
	mostDone = 5  // certified steps shown, the last ones
	mostOpen = 50 // others
)

func (s *Server) runStatus(ctx context.Context, in runInput) (any, error) {
	e, id, err := s.on(ctx, false, in.Run)
	if err != nil {
		return nil, err
	}
	r, err := e.Status(ctx, id)
	if err != nil {
		return nil, err
	}
	return summary(r), nil
}

func summary(r *run.Report) status {
	out := status{Run: r.Run, Title: r.Title, Branch: r.Branch, Head: r.Head, Pushed: r.Pushed, Next: r.Next,
		Steps: len(r.Steps), Shown: []stepStatus{}, Warnings: append([]string{}, r.Warnings...)}
	for _, s := range r.Steps {
		if s.Status == "certified" {
			out.Certified++
		}
	}
	done, open := 0, 0
	for _, s := range r.Steps {
		if s.Status == "certified" {
			if done++; out.Certified-done >= mostDone {
				continue
			}
		} else if open++; open > mostOpen {
			continue
		}
		out.Shown = append(out.Shown, stepStatus{s.ID, s.Title, s.Status, s.Reason, s.Commit, s.Attempts})
	}
	out.LeftOut = len(r.Steps) - len(out.Shown)
	return out
}
