package job

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/git-agent/git-agent/pkg/journal"
)

// scripted answers what a test wrote down, the last answer for ever.
type scripted struct {
	status []Status
	stdout []byte
	asked  int
}

func (c *scripted) Status(context.Context) (Status, error) {
	st := c.status[min(c.asked, len(c.status)-1)]
	c.asked++
	return st, nil
}

func (c *scripted) Chunk(_ context.Context, s journal.Stream, offset int64) ([]byte, error) {
	if s == journal.Stderr || offset > int64(len(c.stdout)) {
		return nil, nil
	}
	return c.stdout[offset:], nil
}

func ended(kind journal.Kind, length int64) Status {
	return Status{Format: 1, Attempt: "a", State: Over, Began: true, End: &journal.End{Kind: kind}, Lengths: &journal.Offsets{Stdout: length}}
}

func memoryLog(t *testing.T) *journal.Writer {
	t.Helper()
	p, _ := newPlace(t)
	log, err := journal.Open(journal.OpenRequest{Folder: journal.RootFolder(p.root, "."), Name: LogName, Now: time.Now})
	must(t, err)
	t.Cleanup(func() { _ = log.Close() })
	return log
}

// An end is one that was seen twice: what says something else the second time
// was not it.
func TestDrain_theEndIsLookedAtTwice(t *testing.T) {
	log := memoryLog(t)
	c := &scripted{status: []Status{ended(journal.Interrupted, 0), ended(journal.Exited, 0)}}
	_, err := Drain{From: c, Log: log}.Run(t.Context())
	must(t, err)
	if got := log.State().Completion; got == nil || got.Kind != journal.Exited {
		t.Errorf("%+v", got)
	}
}

// A log is complete with every byte that the end says, or not at all.
func TestDrain_notWithoutEveryByte(t *testing.T) {
	log := memoryLog(t)
	c := &scripted{status: []Status{ended(journal.Exited, 9)}, stdout: []byte("8 bytes.")}
	_, err := Drain{From: c, Log: log}.Run(t.Context())
	var offset *journal.OffsetError
	if !errors.As(err, &offset) || log.State().Completion != nil {
		t.Errorf("%v, %+v", err, log.State().Completion)
	}
}

// What somebody finds out under the last look keeps the end from being recorded.
func TestDrain_finalRefuses(t *testing.T) {
	log := memoryLog(t)
	c := &scripted{status: []Status{ended(journal.Exited, 0)}}
	_, err := Drain{From: c, Log: log, Final: func(Status) error { return errNotOurs }}.Run(t.Context())
	if !errors.Is(err, errNotOurs) || log.State().Completion != nil {
		t.Errorf("%v, %+v", err, log.State().Completion)
	}
}

// A far end that answers with something else than was asked for is not believed.
func TestReadChunk_foreign(t *testing.T) {
	p, _ := newPlace(t)
	a := newAttempt(t, p, 1)
	<-begin(t, a, "__bytes", "0s").Ended()
	var answer bytes.Buffer
	must(t, Answer(t.Context(), &answer, a, Question{Ask: AskChunk, Stream: journal.Stdout, Offset: 5}))
	if b, err := readChunk(answer.Bytes(), journal.Stdout, 5); err != nil || len(b) != outSize-5 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	var broken *brokenError
	for name, try := range map[string]struct {
		answer []byte
		stream journal.Stream
		offset int64
		again  bool
	}{
		"another stream": {answer.Bytes(), journal.Stderr, 5, false}, "another offset": {answer.Bytes(), journal.Stdout, 6, false},
		"cut": {answer.Bytes()[:1000], journal.Stdout, 5, true}, "nothing": {nil, journal.Stdout, 5, true},
		"one byte wrong": {bytes.Replace(answer.Bytes(), []byte{outByte}, []byte{0}, 1), journal.Stdout, 5, true},
	} {
		if _, err := readChunk(try.answer, try.stream, try.offset); err == nil || errors.As(err, &broken) != try.again {
			t.Errorf("%s: %v", name, err)
		}
	}
}
