package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
)

// ErrNoEnd is a command of which nobody saw the end: its supervisor was killed.
var ErrNoEnd = errors.New("the supervisor has reported no end")

// stored is what the supervisor of a kept command made durable.
type stored struct {
	stdout, stderr int64
	errno          int // why there is not more, 0: there is not
}

func (s *stored) read(words []string) (err error) {
	if s.stdout, err = strconv.ParseInt(words[0], 10, 64); err == nil {
		s.stderr, err = strconv.ParseInt(words[1], 10, 64)
	}
	if err != nil {
		return fmt.Errorf("read the supervisor's report: %w", err)
	}
	return number(words[2], &s.errno)
}

// Progress is what the status file of a kept command says so far. Its zero
// value is that of a command of which nothing is known yet.
type Progress struct{ rep report }

// ReadProgress reads a status file. What follows the last whole line is not
// there yet; a line that the supervisor with this nonce did not write is an
// error, and nothing is known then.
func ReadProgress(nonce string, text []byte) (Progress, error) {
	var p Progress
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for line := range strings.Lines(string(whole)) {
		if p.Over() {
			return Progress{}, errForeignLine
		}
		if err := p.rep.read(nonce, strings.TrimSuffix(line, "\n")); err != nil {
			return Progress{}, err
		}
	}
	return p, nil
}

// Began reports a first status: the command was started, or could not be.
func (p Progress) Began() bool { return p.rep.pid > 0 || p.rep.failedAt != "" }

// Over reports that the supervisor has said its last word: no byte and no
// status comes any more.
func (p Progress) Over() bool { return p.rep.failedAt != "" || p.rep.swept }

// Stored is how much of each stream is in its native file for good, in bytes;
// meaningful once it is over.
func (p Progress) Stored() (stdout, stderr int64) { return p.rep.stored.stdout, p.rep.stored.stderr }

// Outcome is how the command ended, as the supervisor saw it; the zero
// Outcome before that. See [Runner.Judge] for what to make of it.
func (p Progress) Outcome() Outcome {
	switch {
	case p.rep.failedAt != "":
		return Outcome{Kind: NotFound}
	case !p.rep.ended:
		return Outcome{}
	case p.rep.cause == causeTimeout:
		return Outcome{Kind: Timeout}
	case p.rep.cause == causeCancelled || p.rep.cause == causeUnstored:
		return Outcome{Kind: Cancelled}
	}
	return waited(p.rep.status)
}

// Unstored is why its supervisor ended the command: what it wrote could not be
// stored any more. 0: that is not why it ended.
func (p Progress) Unstored() syscall.Errno {
	if p.rep.cause != causeUnstored {
		return 0
	}
	if p.rep.stored.errno == 0 {
		return syscall.EIO // it could be made durable after all; a write had failed
	}
	return syscall.Errno(p.rep.stored.errno)
}

// Judge turns a progress that is over into the result of c, as [Runner.Run]
// would have: an error where the outcome is unknown or processes are left. The
// result has no duration and no output.
func (r Runner) Judge(ctx context.Context, c Command, p Progress) (Result, error) {
	switch {
	case !p.Over():
		return Result{}, fmt.Errorf("run %q: %w", c.name(), ErrNoEnd)
	case len(p.rep.left) > 0:
		return Result{}, fmt.Errorf("run %q: %w", c.name(), remain(p.rep.left))
	case !p.rep.complete():
		return Result{}, fmt.Errorf("run %q: the supervisor saw no end", c.name())
	case p.rep.stored.errno != 0:
		res := Result{Outcome: Outcome{Kind: Cancelled}}
		res.environment(fmt.Sprintf("its output could not be stored: %v", syscall.Errno(p.rep.stored.errno)))
		return res, nil
	}
	return r.judge(ctx, c, p.rep, Result{})
}
