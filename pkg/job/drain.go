package job

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/git-agent/git-agent/pkg/journal"
)

const (
	firstPause   = 2 * time.Millisecond
	slowestPause = 100 * time.Millisecond
)

// Drain moves what a job wrote into its log until the log is complete.
type Drain struct {
	From Client
	// Log goes on from where it stands; each byte comes once.
	Log *journal.Writer
	// Live gets what is drained, as it comes; nil: nobody. One that fails gets
	// no more, and nothing else changes.
	Live io.Writer
	// Ended is closed when there may be news at once; nil: never.
	Ended <-chan struct{}
	// Stop ends the job when the context is done; draining goes on to the end
	// then. An error of it is the answer: the job is left alone. nil: always.
	Stop func() error
	// Final is asked under the last look, before the end is recorded: an error
	// of it is the answer, and nothing is recorded. It may do what has to be
	// done first, once a job is lost.
	Final func(Status) error
}

// Run answers the status that the log was completed with. An error leaves a
// log that goes on where it stands, by a Drain of whoever comes next.
func (d Drain) Run(ctx context.Context) (Status, error) {
	defer Release(d.From)
	if d.Log.State().Completion != nil {
		return d.From.Status(ctx)
	}
	patient := ctx
	for pause := firstPause; ; {
		st, moved, err := d.look(patient)
		if err != nil {
			return st, err
		}
		if st.Final() && !moved {
			if done, err := d.finish(patient, st); done || err != nil {
				return st, err
			}
			continue // there was more to come
		}
		if moved {
			pause = firstPause
		} else if err := d.Log.Flush(); err != nil {
			return st, err
		}
		if ctx.Err() != nil && patient == ctx {
			if err := d.stop(ctx); err != nil {
				return st, errors.Join(err, d.Log.Flush())
			}
			patient = context.WithoutCancel(ctx)
		}
		if !moved {
			d.wait(patient, pause)
			pause = min(2*pause, slowestPause)
		}
	}
}

func (d *Drain) stop(ctx context.Context) error {
	if d.Stop == nil {
		return context.Cause(ctx)
	}
	return d.Stop()
}

// wait lies between two looks that found nothing.
func (d *Drain) wait(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-d.Ended:
		d.Ended = nil // it wakes us once
	}
}

// look takes one round of both streams. The status is asked first: what was
// final then had written all of what is read after.
func (d *Drain) look(ctx context.Context) (st Status, moved bool, err error) {
	if st, err = d.From.Status(ctx); err != nil {
		return st, false, err
	}
	if st.Began {
		if err := d.Log.Accepted(); err != nil {
			return st, false, err
		}
	}
	for again := true; again && err == nil; moved = moved || again {
		again, err = d.round(ctx)
	}
	return st, moved, err
}

// rounds of one look: until nothing comes any more, or somebody has to be
// heard.
func (d *Drain) round(ctx context.Context) (moved bool, err error) {
	for _, s := range []journal.Stream{journal.Stdout, journal.Stderr} {
		b, err := d.From.Chunk(ctx, s, d.Log.Next(s))
		if err != nil {
			return moved, err
		}
		if len(b) == 0 {
			continue
		}
		if err := d.Log.Append(s, d.Log.Next(s), b); err != nil {
			return moved, err
		}
		moved = true
		d.show(b)
	}
	return moved && ctx.Err() == nil, nil
}

func (d *Drain) show(b []byte) {
	if d.Live == nil {
		return
	}
	if _, err := d.Live.Write(b); err != nil {
		d.Live = nil // whoever watched went away
	}
}

// finish completes the log: neither stream had a byte more, and the end is
// looked at once more. One that says something else now was not the end.
func (d *Drain) finish(ctx context.Context, st Status) (done bool, err error) {
	if d.Final != nil {
		if err := d.Final(st); err != nil {
			return false, err
		}
	}
	again, err := d.From.Status(ctx)
	if err != nil || !st.same(again) {
		return false, err
	}
	return true, d.Log.Finish(*again.End, *again.Lengths)
}
