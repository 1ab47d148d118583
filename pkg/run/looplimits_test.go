package run

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/plan"
	"github.com/git-agent/git-agent/pkg/trailers"
)

func failedWith(tree string, codes ...int) plan.Failure {
	f := plan.Failure{Tree: tree}
	for i, code := range codes {
		f.Checks = append(f.Checks, trailers.Check{Command: string(rune('a' + i)), Outcome: trailers.Outcome{Kind: trailers.Exit, Code: code}, Secs: "1.0"})
	}
	return f
}

func TestStalled(t *testing.T) {
	slower := failedWith("x", 0, 1)
	slower.Checks[1].Secs = "77.0"
	for _, c := range []struct {
		name   string
		failed []plan.Failure
		n      int
		want   bool
	}{
		{"none", nil, 2, false},
		{"too few", []plan.Failure{failedWith("x", 1)}, 2, false},
		{"the same", []plan.Failure{failedWith("x", 1), failedWith("x", 1)}, 2, true},
		{"slower", []plan.Failure{failedWith("x", 0, 1), slower}, 2, true},
		{"another tree", []plan.Failure{failedWith("x", 1), failedWith("y", 1)}, 2, false},
		{"another outcome", []plan.Failure{failedWith("x", 1), failedWith("x", 2)}, 2, false},
		{"another check", []plan.Failure{failedWith("x", 1), failedWith("x", 0, 1)}, 2, false},
		{"only the last count", []plan.Failure{failedWith("y", 1), failedWith("x", 1), failedWith("x", 1)}, 2, true},
		{"in between", []plan.Failure{failedWith("x", 1), failedWith("y", 1), failedWith("x", 1)}, 2, false},
	} {
		if got := stalled(c.failed, c.n); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestTimeOver(t *testing.T) {
	l := &loop{req: LoopRequest{Budget: time.Hour}}
	over, cancel := context.WithCancelCause(t.Context())
	cancel(errBudget)
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		code string
		exit int
	}{
		{"nothing went wrong", over, nil, "UNKNOWN", 0},
		{"stopped by it", over, failf("INTERRUPTED", ExitInterrupted, "x"), "BUDGET_SPENT", ExitInterrupted},
		{"a git was cut short", over, errors.New("x"), "BUDGET_SPENT", ExitInterrupted},
		{"a person is needed anyway", over, failf("STRAYS", ExitPerson, "x"), "STRAYS", ExitPerson},
		{"another interrupt", t.Context(), failf("INTERRUPTED", ExitInterrupted, "x"), "INTERRUPTED", ExitInterrupted},
	} {
		err := l.timeOver(c.ctx, c.err)
		if CodeOf(err) != c.code || ExitOf(err) != c.exit {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestOutlasting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	longer, stop := outlasting(ctx)
	cancel()
	if longer.Err() != nil {
		t.Error("it ended with the other one")
	}
	stop()
	if longer.Err() == nil {
		t.Error("it does not end")
	}
}
