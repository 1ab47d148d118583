package plan

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/git-agent/git-agent/pkg/object"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// VersionMessage is the commit message of plan version n of a run. base, a
// full commit id, is written for version 1 alone, which pins it.
func VersionMessage(run string, n int, base, title string) (string, error) {
	block := []trailers.Trailer{
		{Key: trailers.KeyRun, Value: run},
		{Key: trailers.KeyPlanVersion, Value: strconv.Itoa(n)},
	}
	if n == 1 {
		block = append(block, trailers.Trailer{Key: trailers.KeyBase, Value: base})
	}
	subject := fmt.Sprintf("plan %d: %s", n, title)
	return write(fmt.Sprintf("plan version %d", n), trailers.PlanVersion, trailers.Message{Subject: subject, Trailers: block})
}

// FailureMessage is the commit message of a failure record. The evidence needs
// a check that did not pass, a tree and, unless it refutes a certificate, an
// attempt.
func FailureMessage(e trailers.Evidence) (string, error) {
	what := fmt.Sprintf("failure record of step %q", e.Step)
	block, err := e.Trailers()
	if err != nil {
		return "", fmt.Errorf("write the %s: %w", what, err)
	}
	subject := fmt.Sprintf("%s failed, attempt %d", e.Step, e.Attempt)
	if e.Refutes != "" {
		subject = fmt.Sprintf("%s refuted at %s", e.Step, object.Short(e.Refutes))
	}
	switch {
	case e.Tree == "":
		return "", fmt.Errorf("write the %s: it names no tree", what)
	case e.Refutes == "" && e.Attempt == 0:
		return "", fmt.Errorf("write the %s: it names no attempt and refutes nothing", what)
	}
	return write(what, trailers.FailureRecord, trailers.Message{Subject: subject, Trailers: block})
}

// write formats a message and reads it back: what is written must be what
// [ReadChain] will see.
func write(what string, want trailers.Kind, m trailers.Message) (string, error) {
	text, err := trailers.Format(m)
	if err != nil {
		return "", fmt.Errorf("write the %s: %w", what, err)
	}
	switch r := trailers.Read(text); {
	case len(r.Faults) > 0:
		return "", fmt.Errorf("write the %s: %w", what, joinTexts(r.Faults))
	case r.Kind != want:
		return "", fmt.Errorf("write the %s: it reads as a %s", what, r.Kind)
	}
	return text, nil
}

func joinTexts(texts []string) error {
	errs := make([]error, len(texts))
	for i, text := range texts {
		errs[i] = errors.New(text)
	}
	return errors.Join(errs...)
}
