package journal

import (
	"encoding/json"
	"fmt"
	"syscall"
)

// Stream is one of the two outputs of a job.
type Stream uint8

// The streams; the zero value is none (a [View] of both).
const (
	Stdout Stream = 1
	Stderr Stream = 2
)

func (s Stream) String() string {
	switch s {
	case Stdout:
		return "stdout"
	case Stderr:
		return "stderr"
	}
	return fmt.Sprintf("stream %d", uint8(s))
}

func (s Stream) valid() bool { return s == Stdout || s == Stderr }

// Offsets are positions in the native files, in bytes.
type Offsets struct{ Stdout, Stderr int64 }

// At is the offset of one stream.
func (o Offsets) At(s Stream) int64 { return *o.of(s) }

func (o *Offsets) of(s Stream) *int64 {
	if s == Stderr {
		return &o.Stderr
	}
	return &o.Stdout
}

// Identity says what a log is of. Whoever opens it must name the same.
type Identity struct {
	Run         string `json:"run"`
	Step        string `json:"step"`
	Attempt     string `json:"attempt"` // id
	PlanVersion int    `json:"plan_version"`
}

// format is the one that this program writes and reads.
const format = 1

// Header opens an index, and again each later owner's part of it.
type Header struct {
	Format int    `json:"format"`
	File   string `json:"file"` // the attempt's name in its folder
	Identity
	// Owner says which process writes, in the caller's own terms.
	Owner json.RawMessage `json:"owner,omitempty"`
}

// Kind is how a job ended.
type Kind string

// The ends of a job.
const (
	Exited      Kind = "exited"
	Signaled    Kind = "signaled"
	Timeout     Kind = "timeout"
	Cancelled   Kind = "cancelled"
	Interrupted Kind = "interrupted" // nobody saw how, or what it printed could not be stored
)

func (k Kind) valid() bool {
	switch k {
	case Exited, Signaled, Timeout, Cancelled, Interrupted:
		return true
	}
	return false
}

// End is what the supervisor recorded.
type End struct {
	Kind Kind `json:"kind"`
	Code int  `json:"code"` // exit status if exited, signal number if signaled, see Unstored if interrupted
}

// Unstored is why a job was ended that nobody cancelled: what it printed could
// not be stored. nil: that is not why.
func (e End) Unstored() error {
	if e.Kind != Interrupted || e.Code == 0 {
		return nil
	}
	return syscall.Errno(e.Code)
}

// Extent is all of one stream: its length in bytes and its digest, in hex.
type Extent struct {
	Length int64  `json:"length"`
	SHA256 string `json:"sha256"`
}

// Completion is the last record: how the job ended and what it wrote.
type Completion struct {
	End
	Stdout Extent `json:"stdout"`
	Stderr Extent `json:"stderr"`
}

// State is what an index proves.
type State struct {
	Header     Header // of the latest owner; Format 0: no header yet
	Accepted   bool   // the supervisor has the job's first status
	Completion *Completion
	Length     int64   // of the log, committed
	Offsets    Offsets // of the streams, committed
}
