package check

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The descriptors of the supervisor. 0 is the lifeline: its first line is the
// nonce, a later line is a request, its end is the runner's death. 1 and 2
// are the command's own; of a kept command they are the files in which the
// supervisor stores what the command writes, and fdStatus is a file too.
const (
	fdStatus = 3 // where the supervisor reports, line by line
	fdStdin  = 4 // what the command reads
)

// The words of a report line, each line begun by the nonce. Without it a
// command that opens the pipe through /proc could report itself.
const (
	wordStarted = "started" // <pid>
	wordFailed  = "failed"  // <where> <errno>
	wordEnded   = "ended"   // <raw wait status> <cause>
	wordStored  = "stored"  // <bytes of stdout> <of stderr> <errno>; of a kept command
	wordSwept   = "swept"   // <pid>… that are left; the last line
)

// wordCancel is the one request a runner makes.
const wordCancel = "cancel"

// cause says who ended the command.
type cause string

const (
	causeSelf      cause = "self"
	causeTimeout   cause = "timeout"
	causeCancelled cause = "cancelled"
	// causeUnstored: what the command writes could not be stored any more.
	causeUnstored cause = "unstored"
)

// Where a command that did not start failed.
const (
	failedLookup = "lookup" // its plain name is nowhere in PATH
	failedExec   = "exec"
)

// report is what a runner has read of its supervisor so far.
type report struct {
	pid      int // 0: not started
	failedAt string
	errno    int
	ended    bool
	endedAt  time.Time
	status   uint32 // raw wait status
	cause    cause
	stored   stored
	swept    bool
	left     []int
}

// complete reports that the supervisor did all it is for: the command ended, or
// could not start, and nothing of it is left.
func (r report) complete() bool {
	return r.failedAt != "" || r.ended && r.swept && len(r.left) == 0
}

var errForeignLine = errors.New("the supervisor's status channel holds what it did not write")

// read takes one line.
func (r *report) read(nonce, line string) error {
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != nonce {
		return errForeignLine
	}
	rest := words[2:]
	switch word := words[1]; {
	case word == wordStarted && len(rest) == 1:
		return number(rest[0], &r.pid)
	case word == wordFailed && len(rest) == 2:
		r.failedAt = rest[0]
		return number(rest[1], &r.errno)
	case word == wordEnded && len(rest) == 2:
		status, err := strconv.ParseUint(rest[0], 10, 32)
		r.ended, r.status, r.cause = err == nil, uint32(status), cause(rest[1])
		return err
	case word == wordStored && len(rest) == 3:
		return r.stored.read(rest)
	case word == wordSwept:
		r.swept = true
		r.left = make([]int, len(rest))
		for i, pid := range rest {
			if err := number(pid, &r.left[i]); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("read the supervisor's report: unknown line %q", words[1:])
	}
}

func number(word string, into *int) (err error) {
	if *into, err = strconv.Atoi(word); err != nil {
		return fmt.Errorf("read the supervisor's report: %w", err)
	}
	return nil
}

func formatPids(pids []int) string {
	words := make([]string, len(pids))
	for i, pid := range pids {
		words[i] = strconv.Itoa(pid)
	}
	return strings.Join(words, " ")
}
