//go:build linux || darwin

package check

import (
	"errors"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// readSize is how much one read of a pipe takes.
const readSize = 64 << 10

// wiring opens the files between the two processes and closes, at the end,
// those that are not ours to keep. The first error sticks.
type wiring struct {
	err    error
	opened []*os.File
	given  []*os.File
}

func (w *wiring) pipe() (r, wr *os.File) {
	if w.err != nil {
		return nil, nil
	}
	if r, wr, w.err = os.Pipe(); w.err == nil {
		w.opened = append(w.opened, r, wr)
	}
	return r, wr
}

// input is what the command reads, and our end of it where that is a pipe.
func (w *wiring) input(c Command) (theirs, ours *os.File) {
	if c.Input != nil {
		return w.pipe()
	}
	return w.open(c.Stdin), nil
}

// open opens the command's input, "" is nothing.
func (w *wiring) open(path string) *os.File {
	if w.err != nil {
		return nil
	}
	if path == "" {
		path = os.DevNull
	}
	var f *os.File
	if f, w.err = os.Open(path); w.err == nil {
		w.opened = append(w.opened, f)
	}
	return f
}

// theirs names the files that the other process has once it started.
func (w *wiring) theirs(files ...*os.File) { w.given = files }

func (w *wiring) done(err error) {
	for _, f := range w.opened {
		if err != nil || slices.Contains(w.given, f) {
			_ = f.Close()
		}
	}
}

// drain reads f to its end or to its deadline, whatever becomes of the bytes:
// closing it early would end the command by SIGPIPE.
func drain(f *os.File, take func([]byte)) {
	buf := make([]byte, readSize)
	for {
		n, err := f.Read(buf)
		take(buf[:n])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			drainRest(f, take, buf)
		}
		if err != nil {
			return
		}
	}
}

// drainRest takes what is in the pipe now. A process that escaped and goes on
// writing must not hold us, so it is bounded by more than a pipe can hold.
func drainRest(f *os.File, take func([]byte), buf []byte) {
	const rounds = 64
	raw, err := f.SyscallConn()
	if err != nil || f.SetReadDeadline(time.Time{}) != nil {
		return
	}
	for range rounds {
		n := 0
		err := raw.Read(func(fd uintptr) bool {
			n, err = unix.Read(int(fd), buf)
			return true // never wait
		})
		if err != nil || n <= 0 {
			return
		}
		take(buf[:n])
	}
}
