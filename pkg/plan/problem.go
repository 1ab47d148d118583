package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/go-multierror"
)

// Problem is one fault of a plan at one place of its text.
type Problem struct {
	File    string
	Line    int // from 1
	Column  int // from 1, in characters
	Message string
}

// Error is the form that editors and compilers understand.
func (p *Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Problems lists the faults that an error of [Parse] holds, in the order of
// the text; nil for any other error.
func Problems(err error) []*Problem {
	var many *multierror.Error
	if !errors.As(err, &many) {
		return nil
	}
	var out []*Problem
	for _, e := range many.Errors {
		var p *Problem
		if errors.As(e, &p) {
			out = append(out, p)
		}
	}
	return out
}

// joinProblems makes one error of them: sorted by position, each told once, one
// line each. No problems are no error.
func joinProblems(problems []*Problem) error {
	slices.SortFunc(problems, func(a, b *Problem) int {
		return cmp.Or(
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	told := map[string]bool{}
	all := &multierror.Error{ErrorFormat: oneLineEach}
	for _, p := range problems {
		if text := p.Error(); !told[text] {
			told[text] = true
			all.Errors = append(all.Errors, p)
		}
	}
	return all.ErrorOrNil()
}

func oneLineEach(errs []error) string {
	lines := make([]string, len(errs))
	for i, e := range errs {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}
