package object

import (
	"fmt"
	"time"
)

// LockedError says that git could not do something because of one of its own lock
// files, which is there.
type LockedError struct {
	Path string
	Age  time.Duration // by the file system's clock
	Err  error         // what git answered
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%v: git's lock %s is there, made %s ago; it may belong to a live git and was left alone", e.Err, e.Path, e.Age.Round(time.Second))
}

func (e *LockedError) Unwrap() error { return e.Err }
