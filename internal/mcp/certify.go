package mcp

import (
	"context"

	"github.com/git-agent/git-agent/pkg/run"
)

type certifyInput struct {
	runInput
	Step  string   `json:"step,omitempty" jsonschema:"the step; else the next one"`
	Notes []string `json:"notes,omitempty" jsonschema:"lines that later steps need to know, kept in the certificate"`
	Empty bool     `json:"empty,omitempty" jsonschema:"certify although nothing under the step's touches changed"`
}

// certified is what became of it.
type certified struct {
	Run       string  `json:"run"`
	Step      string  `json:"step"`
	Certified bool    `json:"certified"`
	Commit    string  `json:"commit"`
	Pushed    bool    `json:"pushed"`
	Next      *string `json:"next"`
	// Says is for the model: what to do now.
	Says  string `json:"says"`
	Brief string `json:"brief"`
}

// stepCertify judges what is in the tree. It never runs the plan's `do`: the
// caller did the step.
func (s *Server) stepCertify(ctx context.Context, in certifyInput) (any, error) {
	e, id, err := s.on(ctx, true, in.Run)
	if err != nil {
		return nil, err
	}
	step := in.Step
	if step == "" {
		if step, err = nextStep(ctx, e, id); err != nil {
			return nil, err
		}
	}
	r, err := e.Step(ctx, run.StepRequest{Run: id, Step: in.Step, Notes: in.Notes, Empty: in.Empty, Judge: true})
	if err != nil {
		return nil, err
	}
	return outcome(r, step), nil
}

func nextStep(ctx context.Context, e *run.Engine, id string) (string, error) {
	r, err := e.Status(ctx, id)
	if err != nil || r.Next == nil {
		return "", err
	}
	return *r.Next, nil
}

func outcome(r *run.Report, step string) certified {
	out := certified{Run: r.Run, Step: step, Pushed: r.Pushed, Next: r.Next, Brief: r.Brief}
	all := true
	for _, s := range r.Steps {
		all = all && s.Status == "certified"
		if s.ID == step && s.Status == "certified" {
			out.Certified, out.Commit = true, s.Commit
		}
	}
	switch {
	case out.Certified && all:
		out.Says = "every step is certified"
	case out.Certified && r.Next == nil:
		out.Says = "certified; nothing is left to do"
	case out.Certified:
		out.Says = "certified; go on with the next step, as the brief says"
	case step == "":
		out.Says = "there was nothing left to certify"
	default:
		out.Says = "the checks pass; this is a job of that step: end, and the command that started it certifies"
	}
	return out
}
