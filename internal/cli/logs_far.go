package cli

import (
	"context"
	"errors"
	"time"

	"github.com/git-agent/git-agent/pkg/run"
)

// far brings the log of a job on another machine here and shows it meanwhile.
// It ends with the job: a connection that breaks is made again. Done again, it
// goes on where the log here stands.
func (c *logsCmd) far(a *app, e *run.Engine, id string) error {
	client, err := a.farClient(c.Host, e.Place.Top, id, c.Step)
	if err != nil {
		return err
	}
	st, err := client.Status(a.ctx)
	if err != nil {
		return err
	}
	drainer, err := a.engine(true) // an engine is for one goroutine
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(a.ctx)
	defer stop(nil)
	ended := make(chan error, 1)
	go func() {
		_, err := drainer.DrainFar(ctx, run.FarRequest{From: client, Host: c.Host})
		if err != nil {
			stop(err) // the follower has seen what came
		}
		ended <- err
	}()
	err = c.showFar(ctx, a, e, run.LogsRequest{Run: id, Step: st.Step, Name: st.Name})
	stop(nil)
	return farEnd(err, <-ended)
}

// farEnd is why it ended: the drain knows better than who watched it.
func farEnd(shown, drained error) error {
	if shown != nil && drained != nil && !errors.Is(drained, context.Canceled) {
		return drained
	}
	return shown
}

// showFar follows the log here from its first moment.
func (c *logsCmd) showFar(ctx context.Context, a *app, e *run.Engine, req run.LogsRequest) error {
	for {
		l, err := e.OpenLog(ctx, req)
		if err == nil {
			c.Follow = true
			return errors.Join(c.show(ctx, a, l), l.Close())
		}
		if run.CodeOf(err) != "NO_LOG" {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
