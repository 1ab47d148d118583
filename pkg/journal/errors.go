package journal

import (
	"errors"
	"fmt"
)

// The frozen codes for scripts (the design, section 9). RUN_BUSY is the
// fence's, and the fence is the caller's.
const (
	CodeCheckpointMissing = "LOG_CHECKPOINT_MISSING"
	CodeCompletionUnknown = "LOG_COMPLETION_UNKNOWN"
	CodeDamaged           = "LOG_DAMAGED"
)

// ErrFinished is what a writer answers once the completion is recorded.
var ErrFinished = errors.New("the attempt's log is complete")

// CheckpointMissingError is a log that holds bytes without an index that
// says which stream they came from. A writer leaves it as it is; reading it
// as one plain file works.
type CheckpointMissingError struct {
	File string // the visible log
}

func (e *CheckpointMissingError) Error() string {
	return fmt.Sprintf("log %q is not empty and has no index: where its streams stood is unknown", e.File)
}

// Code is LOG_CHECKPOINT_MISSING.
func (*CheckpointMissingError) Code() string { return CodeCheckpointMissing }

// CompletionUnknownError ends a follower: everything committed was handed
// out, and whether more was to come cannot be proven.
type CompletionUnknownError struct {
	File string // the visible log
	Why  string
}

func (e *CompletionUnknownError) Error() string {
	return fmt.Sprintf("whether log %q is complete is unknown: %s", e.File, e.Why)
}

// Code is LOG_COMPLETION_UNKNOWN.
func (*CompletionUnknownError) Code() string { return CodeCompletionUnknown }

// DamagedError is a log or an index that holds what no writer of ours, killed
// anywhere, could have left. Nothing was changed.
type DamagedError struct {
	File   string // the log or the index
	Offset int64  // of the first byte that is wrong
	What   string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%q is damaged at offset %d: %s", e.File, e.Offset, e.What)
}

// Code is LOG_DAMAGED.
func (*DamagedError) Code() string { return CodeDamaged }

// OffsetError is output that does not follow on what the log has: a gap
// would lose bytes, an overlap repeat them.
type OffsetError struct {
	Stream      Stream
	Given, Want int64
}

func (e *OffsetError) Error() string {
	return fmt.Sprintf("%s at offset %d, expected %d", e.Stream, e.Given, e.Want)
}

// What a writer was doing when it broke.
const (
	OpWrite = "write"
	OpSync  = "sync"
)

// BrokenError is a write or a sync that failed. The writer answers nothing
// else from then on. After OpWrite: close, open again (which recovers), go on
// from the offsets that it says. After OpSync the attempt is over: the kernel
// may have dropped what it could not write and calls the next sync of that
// file a success, so its bytes can be read and drained but never again be
// called durable (https://wiki.postgresql.org/wiki/Fsync_Errors).
type BrokenError struct {
	Op   string
	File string
	Err  error
}

func (e *BrokenError) Error() string { return fmt.Sprintf("%s %q: %v", e.Op, e.File, e.Err) }
func (e *BrokenError) Unwrap() error { return e.Err }
