package git

import (
	"context"
	"errors"
	"fmt"
)

// overdue is the end of a child that took too long.
type overdue struct{ c *command }

func (o *overdue) Error() string {
	switch {
	case o.c.deadline == localDeadline:
		return "took longer than " + localDeadline.String()
	case o.c.args[0] == "push":
		return fmt.Sprintf("took longer than %v, hooks and all (agent.networkTimeout)", o.c.deadline)
	}
	return fmt.Sprintf("took longer than %v (agent.networkTimeout)", o.c.deadline)
}

func (o *overdue) Unwrap() error { return context.DeadlineExceeded }

// whyEnded is the deadline of a child, or what became of the command around it.
func whyEnded(ctx context.Context) error {
	var late *overdue
	if errors.As(context.Cause(ctx), &late) {
		return late
	}
	return ctx.Err()
}
