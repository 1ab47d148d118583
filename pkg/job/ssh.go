package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/git-agent/git-agent/pkg/journal"
)

// SSH is the client of a job on another machine: each question is one run of
// git agent over there. A connection that breaks is made again.
type SSH struct {
	// Command is the ssh program with its options; Host the destination.
	Command []string
	Host    string
	// Far is the program over there and its hidden command, Args what says
	// which job is meant. They reach a shell: each word is quoted.
	Far, Args []string
	// Patience is how long it goes on without an answer.
	Patience time.Duration
	// Env is the environment of ssh; nil is the caller's own.
	Env []string
	Now func() time.Time
	// Note is told when a connection broke and is made again; nil: nobody.
	Note func(err error)
}

// The words of the far side's command.
const (
	AskStatus = "status"
	AskChunk  = "chunk"
)

const (
	// askLimit bounds one question; a chunk is small.
	askLimit                = 60 * time.Second
	firstRetry, slowestWait = 50 * time.Millisecond, 5 * time.Second
	// brokenExit is ssh's own exit status: it says nothing about the far side.
	brokenExit = 255
)

// brokenError is a question without an answer: it may be asked again.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return fmt.Sprintf("no answer over ssh: %v", e.err) }
func (e *brokenError) Unwrap() error { return e.err }

// Status asks the far side.
func (c *SSH) Status(ctx context.Context) (st Status, err error) {
	err = c.ask(ctx, []string{AskStatus}, func(answer []byte) error {
		st = Status{}
		if err := json.Unmarshal(answer, &st); err != nil || st.Format != 1 {
			return &brokenError{fmt.Errorf("a status that is not whole: %q", clipped(answer))}
		}
		return nil
	})
	return st, err
}

// Chunk asks the far side.
func (c *SSH) Chunk(ctx context.Context, s journal.Stream, offset int64) (b []byte, err error) {
	words := []string{AskChunk, "--stream=" + s.String(), "--offset=" + strconv.FormatInt(offset, 10)}
	err = c.ask(ctx, words, func(answer []byte) (err error) {
		b, err = readChunk(answer, s, offset)
		return err
	})
	return b, err
}

// chunkHead is the line in front of a chunk's bytes.
type chunkHead struct {
	Format int    `json:"format"`
	Stream string `json:"stream"`
	Offset int64  `json:"offset"`
	Length int    `json:"length"`
	CRC    uint32 `json:"crc32c"`
}

func crcOf(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func readChunk(answer []byte, s journal.Stream, offset int64) ([]byte, error) {
	line, b, _ := bytes.Cut(answer, []byte{'\n'})
	var head chunkHead
	if err := json.Unmarshal(line, &head); err != nil || head.Format != 1 {
		return nil, &brokenError{fmt.Errorf("a chunk that is not whole: %q", clipped(line))}
	}
	if head.Stream != s.String() || head.Offset != offset {
		return nil, fmt.Errorf("asked for %s at %d, got %s at %d", s, offset, head.Stream, head.Offset)
	}
	if len(b) != head.Length || crcOf(b) != head.CRC {
		return nil, &brokenError{fmt.Errorf("%d of %d bytes of %s at %d came", len(b), head.Length, s, offset)}
	}
	return b, nil
}

func clipped(b []byte) []byte { return b[:min(len(b), 80)] }

// ask puts a question until there is a whole answer, or patience ends.
func (c *SSH) ask(ctx context.Context, words []string, take func([]byte) error) error {
	since := c.Now()
	for wait := firstRetry; ; wait = min(2*wait, slowestWait) {
		answer, err := c.run(ctx, words)
		if err == nil {
			err = take(answer)
		}
		var broken *brokenError
		if !errors.As(err, &broken) || ctx.Err() != nil || c.Now().Sub(since) > c.Patience {
			return err
		}
		if c.Note != nil {
			c.Note(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

func (c *SSH) run(ctx context.Context, words []string) ([]byte, error) {
	if len(c.Command) == 0 || c.Host == "" || strings.HasPrefix(c.Host, "-") {
		return nil, fmt.Errorf("%q is no ssh destination", c.Host)
	}
	ctx, stop := context.WithTimeout(ctx, askLimit)
	defer stop()
	var far []string
	for _, parts := range [][]string{c.Far, words, c.Args} {
		for _, word := range parts {
			far = append(far, quoted(word))
		}
	}
	argv := append(append([]string{}, c.Command[1:]...), "--", c.Host, strings.Join(far, " "))
	cmd := exec.CommandContext(ctx, c.Command[0], argv...)
	var says tail
	answer := &atMost{room: MaxChunk + 4<<10} // a chunk and the line in front of it
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Env, answer, &says, time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case len(answer.b) == answer.room:
		return nil, fmt.Errorf("%s answers more than it was asked for", c.Host)
	case err == nil:
		return answer.b, nil
	case !errors.As(err, &exit):
		return nil, fmt.Errorf("run %s: %w", c.Command[0], err)
	case !exit.Exited() || exit.ExitCode() == brokenExit:
		return nil, &brokenError{fmt.Errorf("%w: %s", err, says.line())}
	}
	return nil, fmt.Errorf("%s answers: %s", c.Host, says.line())
}

// quoted is a word for a POSIX shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// tail keeps the end of what a program says.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	t.b = append(t.b, p...)
	t.b = t.b[max(0, len(t.b)-most):]
	return len(p), nil
}

// line is the one that says why: git agent's own, else the last.
func (t *tail) line() string {
	lines := strings.Split(strings.TrimSpace(string(t.b)), "\n")
	for _, line := range lines {
		if _, why, ok := strings.Cut(line, "git-agent: error: "); ok {
			return why
		}
	}
	return lines[len(lines)-1]
}

// Question is what the far side was asked.
type Question struct {
	Ask    string // AskStatus or AskChunk
	Stream journal.Stream
	Offset int64
}

// Answer is the far side: it writes what is asked of an attempt of this clone.
func Answer(ctx context.Context, w io.Writer, a *Attempt, q Question) error {
	here := &local{Attempt: a, most: MaxChunk}
	defer Release(here)
	if q.Ask == AskStatus {
		st, err := here.Status(ctx)
		if err != nil {
			return err
		}
		return json.NewEncoder(w).Encode(st)
	}
	if q.Offset < 0 || q.Stream != journal.Stdout && q.Stream != journal.Stderr {
		return fmt.Errorf("no such chunk: %s at %d", q.Stream, q.Offset)
	}
	b, err := here.Chunk(ctx, q.Stream, q.Offset)
	if err != nil {
		return err
	}
	head := chunkHead{Format: 1, Stream: q.Stream.String(), Offset: q.Offset, Length: len(b), CRC: crcOf(b)}
	if err := json.NewEncoder(w).Encode(head); err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
