package cli

import (
	"context"
	"errors"

	"github.com/git-agent/git-agent/internal/ui"
	"github.com/git-agent/git-agent/pkg/journal"
	"github.com/git-agent/git-agent/pkg/run"
)

type logsCmd struct {
	Step    string  `arg:"" optional:"" help:"The step; else the one of the newest attempt here."`
	Attempt fromOne `help:"The attempt with this number; else the newest." placeholder:"N"`
	Check   fromOne `help:"What check K printed, from 1 in plan order; else what the job did." placeholder:"K"`
	Stdout  bool    `help:"Only what went to standard output." xor:"stream"`
	Stderr  bool    `help:"Only what went to standard error." xor:"stream"`
	Follow  bool    `short:"f" help:"Go on as more comes, and end when the log is complete." xor:"follow"`
	Onward  bool    `short:"F" help:"As -f, and go on with the step's next attempt until the step is certified." xor:"follow"`
	Lines   *int    `short:"n" help:"Begin with the last N lines." placeholder:"N" xor:"start"`
	From    *int64  `help:"Begin at this byte: with --json, offset and length say where to go on." placeholder:"OFFSET" xor:"start"`
	Host    string  `help:"Bring the log of the newest job in a clone elsewhere here over ssh, to its end; without a folder the clone lies where this one does." placeholder:"[USER@]HOST[:DIR]"`
	JSON    bool    `name:"json" help:"Print one JSON object a chunk."`
}

// Help is what the grammar cannot say.
func (c *logsCmd) Help() string {
	return `Each byte is printed once, in the order in which it was drained. On a terminal control sequences are shown, not executed; into a pipe or a file goes what was written. Logs stay in the clone that made them.`
}

func (c *logsCmd) Run(a *app) error {
	a.json = c.JSON
	if err := c.valid(); err != nil {
		return err
	}
	e, id, err := a.onRun(false, "")
	if err != nil {
		return err
	}
	if c.Host != "" {
		return c.stopped(a, c.far(a, e, id))
	}
	l, err := c.open(a, e, id)
	if err != nil {
		return err
	}
	if c.follows() {
		reading, stop := ui.WhileRead(a.ctx, a.Out)
		defer stop()
		a.ctx = reading
	}
	for l != nil {
		next, err := c.one(a, l)
		if err != nil {
			return c.stopped(a, err)
		}
		l = next
	}
	return nil
}

// valid refuses numbers that name nothing.
func (c *logsCmd) valid() error {
	switch {
	case c.Lines != nil && *c.Lines < 0, c.From != nil && *c.From < 0:
		return usageFor("logs", "neither lines nor bytes are negative")
	case c.Host != "" && (c.Attempt > 0 || c.Check > 0 || c.Onward):
		return usageFor("logs", "from another machine comes the log of the newest job")
	}
	return nil
}

func (c *logsCmd) open(a *app, e *run.Engine, id string) (*run.AttemptLog, error) {
	return e.OpenLog(a.ctx, run.LogsRequest{Run: id, Step: c.Step, Attempt: int(c.Attempt), Check: int(c.Check), Wait: c.follows()})
}

func (c *logsCmd) follows() bool { return c.Follow || c.Onward }

// one shows one attempt's log and, with -F, opens the next one's.
func (c *logsCmd) one(a *app, l *run.AttemptLog) (next *run.AttemptLog, err error) {
	defer func() { err = errors.Join(err, l.Close()) }()
	if err := c.show(a.ctx, a, l); err != nil && (!c.Onward || run.CodeOf(err) != "LOG_COMPLETION_UNKNOWN") {
		return nil, err
	} else if err != nil {
		a.streams.Warn("%v", err)
	}
	if !c.Onward {
		return nil, nil
	}
	next, err = l.Next(a.ctx)
	if next != nil {
		c.Lines, c.From = nil, nil // of the first one
		a.notify("%s: attempt %d", next.Facts.Step, next.Facts.Number)
	}
	return next, err
}

func (c *logsCmd) show(ctx context.Context, a *app, l *run.AttemptLog) error {
	view, err := c.view(l)
	if err != nil {
		return err
	}
	out := a.logWriter(l)
	if !c.follows() {
		if _, err = l.Copy(ctx, out, view); err == nil {
			err = c.told(out, l)
		}
	} else {
		var done *journal.Completion
		if done, _, err = l.Follow(ctx, out, view); done != nil {
			a.tellEnd(out, l, *done)
		}
	}
	if err == nil && !out.wrote && !c.JSON && view == (journal.View{}) {
		err = a.tellSilent(l)
	}
	return errors.Join(err, out.end())
}

// told ends a complete log's objects with how the job ended.
func (c *logsCmd) told(out *logWriter, l *run.AttemptLog) error {
	if !c.JSON {
		return nil
	}
	st, err := l.State()
	if err == nil && st.Completion != nil {
		err = out.completed(*st.Completion)
	}
	return err
}

func (c *logsCmd) view(l *run.AttemptLog) (view journal.View, err error) {
	switch {
	case c.Stdout:
		view.Stream = journal.Stdout
	case c.Stderr:
		view.Stream = journal.Stderr
	}
	switch {
	case c.From != nil:
		view.From = *c.From
	case c.Lines != nil:
		view.From, err = l.Tail(view.Stream, *c.Lines)
	}
	return view, err
}

// stopped: who stops following has lost nothing.
func (c *logsCmd) stopped(a *app, err error) error {
	switch {
	case !errors.Is(err, context.Canceled) || a.ctx.Err() == nil:
		return err
	case isBroken(context.Cause(a.ctx)):
		return errPipe
	}
	hint := "git agent logs"
	if c.Step != "" {
		hint += " " + c.Step
	}
	return &run.Failure{Code: "INTERRUPTED", Exit: run.ExitInterrupted, Err: errors.New("stopped following; the job goes on"), Hints: []string{hint}}
}
