package run

import (
	"context"
	"errors"
	"io"

	"github.com/git-agent/git-agent/pkg/job"
	"github.com/git-agent/git-agent/pkg/journal"
)

// A detached job, or one whose runner was killed, is drained by nobody until
// `resume` adopts it. Who looks meanwhile is shown what is committed and then
// what the supervisor's own files have beyond it, stream by stream; the log
// itself is not written, and may have the two streams in another order later.

// undrained follows such a job.
type undrained struct {
	client job.Client
	to     io.Writer
	view   journal.View
	at     journal.Offsets // handed out of each stream
	next   int64           // in the view
}

// beyond begins where what is committed ends. A view that begins beyond it, or
// a log without index, has no such place.
func (l *AttemptLog) beyond(w io.Writer, view journal.View, next int64) (*undrained, bool) {
	st, err := l.Reader.State()
	end := st.Length
	if view.Stream != 0 {
		end = st.Offsets.At(view.Stream)
	}
	if l.Check > 0 || err != nil || st.Header.Format == 0 || next != end {
		return nil, false
	}
	return &undrained{client: job.Local(l.attempt), to: w, view: view, at: st.Offsets, next: next}, true
}

// follow hands out what there is until the job's end; nil where nobody will
// ever know how it ended.
func (u *undrained) follow(ctx context.Context) (*journal.Completion, error) {
	for {
		st, err := u.client.Status(ctx)
		if err != nil {
			return nil, err
		}
		if err := u.now(ctx); err != nil {
			return nil, err
		}
		switch {
		case st.State == job.Over || st.State == job.Done:
			return &journal.Completion{End: *st.End, Stdout: journal.Extent{Length: st.Lengths.Stdout}, Stderr: journal.Extent{Length: st.Lengths.Stderr}}, nil
		case st.State == job.Lost || st.State == job.Unclear:
			return nil, nil
		}
		if err := nap(ctx); err != nil {
			return nil, err
		}
	}
}

// now hands out what there is.
func (u *undrained) now(ctx context.Context) error {
	defer job.Release(u.client)
	for _, s := range []journal.Stream{journal.Stdout, journal.Stderr} {
		if u.view.Stream != 0 && u.view.Stream != s {
			continue
		}
		for {
			b, err := u.client.Chunk(ctx, s, u.at.At(s))
			if err != nil {
				return err
			}
			if len(b) == 0 {
				break
			}
			if err := u.hand(s, b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (u *undrained) hand(s journal.Stream, b []byte) (err error) {
	if w, ok := u.to.(journal.ChunkWriter); ok {
		_, err = w.WriteChunk(s, u.next, b)
	} else {
		_, err = u.to.Write(b)
	}
	u.next += int64(len(b))
	if s == journal.Stderr {
		u.at.Stderr += int64(len(b))
	} else {
		u.at.Stdout += int64(len(b))
	}
	return err
}

// followBeyond goes on where a follower found that the runner is gone.
func (l *AttemptLog) followBeyond(ctx context.Context, w io.Writer, view journal.View, next int64, unknown error) (*journal.Completion, int64, error) {
	u, ok := l.beyond(w, view, next)
	if !ok {
		return nil, next, unknown
	}
	done, err := u.follow(ctx)
	if err == nil && done == nil {
		err = unknown
	}
	return done, u.next, err
}

func isUnknownEnd(err error) bool {
	var unknown *journal.CompletionUnknownError
	return errors.As(err, &unknown)
}
