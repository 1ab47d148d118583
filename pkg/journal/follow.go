package journal

import (
	"context"
	"io"
	"time"
)

const (
	defaultInterval = 100 * time.Millisecond
	maxInterval     = 500 * time.Millisecond // a follower ends within a second
)

// Follow says how a log is followed.
type Follow struct {
	View
	// Interval is the time between two looks; 0 means 100 ms, and more than
	// 500 ms is not waited.
	Interval time.Duration
	// Dead reports that whoever could still complete the log is provably
	// gone, the runner and the supervisor. It is asked at every look that
	// brought no completion, with a zero State before there is a header; nil
	// proves nothing.
	Dead func(State) bool
}

func (f Follow) interval() time.Duration {
	if f.Interval <= 0 {
		return defaultInterval
	}
	return min(f.Interval, maxInterval)
}

// Follow writes the committed bytes of a view, each once, and goes on with
// what comes, until the completion is there (which it returns, whatever the
// job's end, [Interrupted] too) or ctx ends. Where no completion can be
// expected, because there is no index or its owner is dead, everything
// committed is written and a [*CompletionUnknownError] is the answer. next is
// the offset to go on from, in each case.
func (r *Reader) Follow(ctx context.Context, w io.Writer, f Follow) (done *Completion, next int64, err error) {
	c := r.cursor(w, f.View)
	for {
		if done, err = c.look(f.Dead); err != nil || done != nil {
			return done, c.next, err
		}
		select {
		case <-ctx.Done():
			return nil, c.next, ctx.Err()
		case <-time.After(f.interval()):
		}
	}
}

// look advances once, and once more after an owner was found dead: what it
// did last, it did before that.
func (c *cursor) look(dead func(State) bool) (*Completion, error) {
	if err := c.advance(); err != nil || c.scan.Completion != nil {
		return c.scan.Completion, err
	}
	if c.plain {
		return nil, c.unknown("it has no index")
	}
	if dead == nil || !dead(c.scan.State) {
		return nil, nil
	}
	if err := c.advance(); err != nil || c.scan.Completion != nil {
		return c.scan.Completion, err
	}
	return nil, c.unknown("its owner is gone and recorded no end")
}

func (c *cursor) unknown(why string) error {
	return &CompletionUnknownError{File: c.name + logSuffix, Why: why}
}
