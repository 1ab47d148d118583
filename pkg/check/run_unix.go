//go:build linux || darwin

package check

import (
	"context"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-multierror"
	"golang.org/x/sys/unix"
)

func (r Runner) run(ctx context.Context, c Command, live io.Writer) (Result, error) {
	hold, err := r.holdTerminal(c)
	if err != nil {
		return Result{}, err
	}
	defer hold.release()
	s, err := r.start(c, hold.file)
	if err != nil {
		return Result{}, fmt.Errorf("start the supervisor of %q: %w", c.name(), err)
	}
	began := r.Now()
	out := &capture{live: live, record: c.Record}
	pumps := s.pump(out)
	rep, err := s.follow(ctx, r.Now)
	if err = s.finish(rep, err, r.Grace); err != nil {
		err = fmt.Errorf("run %q: %w", c.name(), err)
	}
	pumps()
	var res Result
	out.fill(&res)
	if !rep.endedAt.IsZero() {
		res.Duration = max(0, rep.endedAt.Sub(began))
	}
	if err != nil {
		return res, err
	}
	return r.judge(ctx, c, rep, res)
}

// judge turns a complete report into an outcome.
func (r Runner) judge(ctx context.Context, c Command, rep report, res Result) (Result, error) {
	switch {
	case rep.failedAt != "":
		return unstarted(c, rep, res)
	case rep.cause == causeTimeout:
		res.Outcome = Outcome{Kind: Timeout}
		return res, nil
	case rep.cause == causeCancelled:
		res.Outcome = Outcome{Kind: Cancelled}
		return res, nil
	}
	res.Outcome = waited(rep.status)
	if !res.Outcome.Passed() {
		res.blame(ctx, c)
	}
	return res, nil
}

// waited is the outcome of a command that ended by itself.
func waited(status uint32) Outcome {
	if ws := syscall.WaitStatus(status); ws.Signaled() {
		return Outcome{Kind: Signal, Code: int(ws.Signal())}
	}
	return Outcome{Kind: Exit, Code: syscall.WaitStatus(status).ExitStatus()}
}

// blame decides whether a failure is the environment's.
func (res *Result) blame(ctx context.Context, c Command) {
	name := c.firstWord()
	switch {
	case res.Outcome == Outcome{Kind: Signal, Code: int(unix.SIGKILL)}:
		res.environment("ended by SIGKILL, which git agent did not send (out of memory?)")
	case c.Run != "" && isUnrunnable(res.Outcome) && name != "" && !shellFinds(ctx, c, name):
		res.notFound(name)
	default:
		if dir := Full(c.scratch()...); dir != "" {
			res.environment(fmt.Sprintf("no space left in %q", dir))
		}
	}
}

// isUnrunnable reports the exit codes with which a shell says that it could not
// run a command; a command's own code can be the same.
func isUnrunnable(o Outcome) bool {
	return o == Outcome{Exit, 127} || o == Outcome{Exit, 126}
}

func (res *Result) notFound(name string) {
	res.Outcome = Outcome{Kind: NotFound}
	res.environment(fmt.Sprintf("command %q is not found", name))
}

// unstarted is the result of an argument list that could not be executed.
// What is wrong with the file itself gets the code a shell gives it;
// everything else (no memory, too long a list) tells nothing: an error.
func unstarted(c Command, rep report, res Result) (Result, error) {
	if rep.failedAt == failedLookup {
		res.notFound(c.Argv[0])
		return res, nil
	}
	switch errno := syscall.Errno(rep.errno); errno {
	case unix.ENOENT, unix.ENOTDIR:
		res.Outcome = Outcome{Exit, 127}
	case unix.EACCES, unix.EISDIR, unix.ENOEXEC:
		res.Outcome = Outcome{Exit, 126}
	default:
		return res, fmt.Errorf("start %q: %w", c.name(), errno)
	}
	res.Reason = fmt.Sprintf("%q: %v", c.name(), syscall.Errno(rep.errno))
	return res, nil
}

// finish ends what a dead supervisor left and says whether the report can be
// believed; readErr is why reading it stopped.
func (s *supervised) finish(rep report, readErr error, grace time.Duration) error {
	died := s.close()
	switch {
	case readErr == nil && rep.complete():
		return nil
	case readErr == nil && rep.swept && len(rep.left) > 0:
		return remain(rep.left)
	case readErr != nil:
		died = readErr
	}
	died = fmt.Errorf("the outcome is unknown: %w", died)
	rest := s.endRest(rep, grace)
	if rest == nil {
		return died
	}
	all := multierror.Append(died, rest)
	all.ErrorFormat = oneLineEach
	return all.ErrorOrNil()
}

func oneLineEach(errs []error) string {
	lines := make([]string, len(errs))
	for i, err := range errs {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}
