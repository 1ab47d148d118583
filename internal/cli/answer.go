package cli

import "github.com/git-agent/git-agent/pkg/run"

// answeredError is an exit status that is an answer, as of `git diff
// --exit-code`: what there is to say has been printed.
type answeredError struct{ code int }

func (answeredError) Error() string { return "the answer is no" }

// answered makes the answer; 0 is none.
func answered(code int) error {
	if code == run.ExitDone {
		return nil
	}
	return answeredError{code}
}
