package cli

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/git-agent/git-agent/pkg/journal"
	"github.com/git-agent/git-agent/pkg/run"
)

// logOf says whose log an object is of. It is frozen, fields are only added.
type logOf struct {
	Format  int    `json:"format"`
	Run     string `json:"run"`
	Step    string `json:"step"`
	Attempt int    `json:"attempt"`
	ID      string `json:"id"`    // the attempt's
	Check   int    `json:"check"` // 0: the job's log
}

// logChunk is a piece of a log. Text where it is UTF-8, else Base64.
type logChunk struct {
	logOf
	Stream string  `json:"stream"` // "" where no index says which
	Offset int64   `json:"offset"` // in what was asked for, for --from
	Length int     `json:"length"` // in bytes
	Text   *string `json:"text,omitempty"`
	Base64 string  `json:"base64,omitempty"`
}

// logEnd comes last, once the log is known to be complete.
type logEnd struct {
	logOf
	End    journal.End `json:"end"`
	Stdout int64       `json:"stdout"` // length of the whole stream
	Stderr int64       `json:"stderr"`
}

func newLogOf(l *run.AttemptLog) logOf {
	return logOf{Format: 1, Run: l.Facts.Run, Step: l.Facts.Step, Attempt: l.Facts.Number, ID: l.Facts.Attempt, Check: l.Check}
}

func newChunk(l *run.AttemptLog, s journal.Stream, offset int64, b []byte) logChunk {
	c := logChunk{logOf: newLogOf(l), Offset: offset, Length: len(b)}
	if s != 0 {
		c.Stream = s.String()
	}
	if utf8.Valid(b) {
		text := string(b)
		c.Text = &text
	} else {
		c.Base64 = base64.StdEncoding.EncodeToString(b)
	}
	return c
}

func newEnd(l *run.AttemptLog, done journal.Completion) logEnd {
	return logEnd{logOf: newLogOf(l), End: done.End, Stdout: done.Stdout.Length, Stderr: done.Stderr.Length}
}
