//go:build linux || darwin

package check

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// store takes what a kept command writes and appends it to the two native
// files. The command has pipes and never the files: a script that says
// `> /dev/stderr` would empty a file that lies there.
type store struct {
	outlets [2]outlet
	full    chan struct{} // closed when one could not be written
	once    sync.Once
	pumps   sync.WaitGroup
}

// outlet is one stream.
type outlet struct {
	read, write *os.File // of the pipe
	to          *os.File
	stored      int64
	err         error
}

func openStore() (*store, error) {
	s := &store{full: make(chan struct{})}
	for i := range s.outlets {
		o := &s.outlets[i]
		var err error
		if o.read, o.write, err = os.Pipe(); err != nil {
			return nil, err
		}
		o.to = os.NewFile(uintptr(i+1), "native")
	}
	return s, nil
}

// commandEnds are the command's descriptors 1 and 2. Fd makes them blocking,
// as a command expects of them.
func (s *store) commandEnds() []uintptr {
	return []uintptr{s.outlets[0].write.Fd(), s.outlets[1].write.Fd()}
}

// begin is called once the command has its ends, or will never have them.
func (s *store) begin() {
	for i := range s.outlets {
		o := &s.outlets[i]
		_ = o.write.Close()
		s.pumps.Go(func() { drain(o.read, func(p []byte) { s.take(o, p) }) })
	}
}

// take appends, and goes on reading when that fails: a command that waits for
// a reader could not be ended kindly.
func (s *store) take(o *outlet, p []byte) {
	if o.err != nil || len(p) == 0 {
		return
	}
	n, err := o.to.Write(p)
	o.stored += int64(n)
	if o.err = err; err != nil {
		s.once.Do(func() { close(s.full) })
	}
}

// broken is closed when something could not be stored.
func (s *store) broken() <-chan struct{} {
	if s == nil {
		return nil
	}
	return s.full
}

// finish takes what is still in the pipes, makes everything durable and says
// how much there is. Nothing of the command is left that could write more.
func (s *store) finish() string {
	for i := range s.outlets {
		_ = s.outlets[i].read.SetReadDeadline(time.Unix(1, 0))
	}
	s.pumps.Wait()
	var errno syscall.Errno
	for i := range s.outlets {
		o := &s.outlets[i]
		if o.err == nil {
			o.err = o.to.Sync()
		}
		if o.err != nil && !errors.As(o.err, &errno) {
			errno = syscall.EIO
		}
	}
	return fmt.Sprintf("%d %d %d", s.outlets[0].stored, s.outlets[1].stored, int(errno))
}
