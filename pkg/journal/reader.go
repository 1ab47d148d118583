package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Reader reads committed bytes and nothing else: no lock, no repair, no
// write, beside a live writer as well as after a dead one. Its methods may be
// used by several goroutines.
type Reader struct {
	name       string
	log, index File // index nil: there is none
}

// View chooses what is read: one stream's bytes, or with the zero Stream both
// in the order they were drained. From is an offset in what is chosen.
type View struct {
	Stream Stream
	From   int64
}

// OpenReader opens an attempt's log. [fs.ErrNotExist]: there is none, or none
// with anything in it yet.
func OpenReader(folder Folder, name string) (*Reader, error) {
	r := &Reader{name: name}
	var err error
	if r.index, err = openIfThere(folder, name+indexSuffix); err != nil {
		return nil, err
	}
	if r.log, err = folder.Open(name + logSuffix); err != nil {
		return nil, errors.Join(err, closeAll(r.index))
	}
	if r.index == nil {
		err = r.withoutIndex(folder)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// withoutIndex: a log that has bytes was given its index before. The one
// without any is about to be.
func (r *Reader) withoutIndex(folder Folder) error {
	size, err := r.log.Size()
	if err != nil {
		return err
	}
	if size == 0 {
		return fmt.Errorf("log %q has no index: %w", r.name+logSuffix, fs.ErrNotExist)
	}
	r.index, err = openIfThere(folder, r.name+indexSuffix)
	return err
}

// Close closes the files.
func (r *Reader) Close() error { return closeAll(r.log, r.index) }

// State is what the index proves now; the zero State where there is none.
func (r *Reader) State() (State, error) {
	c := r.cursor(io.Discard, View{})
	err := c.scan.advance(func(piece) error { return nil })
	return c.scan.State, err
}

// Copy writes the committed bytes of a view and returns the offset to go on
// from. A log without index is one plain stretch of bytes: it can be read as
// a whole, and asked for one stream gives a [*CheckpointMissingError].
func (r *Reader) Copy(w io.Writer, view View) (next int64, err error) {
	c := r.cursor(w, view)
	err = c.advance()
	return c.next, err
}

// Tail is the offset at which the last n lines of a view begin, at most the
// committed end. Copy or Follow from there; nothing comes twice.
func (r *Reader) Tail(s Stream, n int) (int64, error) {
	lines := &lastLines{starts: make([]int64, 0, 1), n: max(n, 0)}
	end, err := r.Copy(lines, View{Stream: s})
	if err != nil {
		return 0, err
	}
	return lines.start(end), nil
}

// lastLines remembers where the last n lines that were written to it begin.
type lastLines struct {
	n      int
	at     int64
	open   bool // inside a line
	starts []int64
}

func (l *lastLines) Write(b []byte) (int, error) {
	size := len(b)
	for len(b) > 0 {
		if !l.open {
			l.starts, l.open = append(l.starts, l.at), true
		}
		line := len(b)
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			line, l.open = i+1, false
		}
		b, l.at = b[line:], l.at+int64(line)
		if len(l.starts) > 2*l.n+64 {
			l.starts = append(l.starts[:0], l.starts[len(l.starts)-l.n:]...)
		}
	}
	return size, nil
}

func (l *lastLines) start(end int64) int64 {
	if l.n == 0 || len(l.starts) == 0 {
		return end
	}
	return l.starts[max(0, len(l.starts)-l.n)]
}

// cursor is one pass over a log, which may be gone on with.
type cursor struct {
	*Reader
	scan   scanner
	w      io.Writer
	stream Stream
	next   int64 // offset in the view
	plain  bool  // there is no index
	buf    []byte
}

func (r *Reader) cursor(w io.Writer, view View) *cursor {
	c := &cursor{Reader: r, w: w, stream: view.Stream, next: view.From}
	c.scan.name, c.scan.file = r.name+indexSuffix, r.index
	if r.index == nil {
		c.scan.file = noFile{}
	}
	return c
}

// advance writes what was committed since.
func (c *cursor) advance() error {
	if c.next < 0 || c.stream != 0 && !c.stream.valid() {
		return fmt.Errorf("no such view: %s from offset %d", c.stream, c.next)
	}
	if err := c.scan.advance(c.show); err != nil {
		return err
	}
	var err error
	if c.plain, err = c.legacy(); err != nil || !c.plain {
		return err
	}
	if c.stream != 0 {
		return &CheckpointMissingError{File: c.name + logSuffix}
	}
	return c.copyPlain()
}

// legacy: bytes are written only behind a durable header.
func (c *cursor) legacy() (bool, error) {
	if c.scan.Header.Format != 0 {
		return false, nil
	}
	size, err := c.log.Size()
	if err != nil || size == 0 {
		return false, err
	}
	// The header may have come between the two looks.
	err = c.scan.advance(c.show)
	return c.scan.Header.Format == 0, err
}

func (c *cursor) copyPlain() error {
	size, err := c.log.Size()
	if err != nil || size <= c.next {
		return err
	}
	plain := io.NewSectionReader(c.log, c.next, size-c.next)
	n, err := io.Copy(&handing{c, c.next}, plain)
	c.next += n
	return err
}

// show writes the part of a piece that the view has from next on.
func (c *cursor) show(p piece) error {
	start := p.at
	if c.stream != 0 {
		start = p.native
	}
	skip := c.next - start
	if c.stream != 0 && c.stream != p.stream || skip >= p.length {
		return nil
	}
	b, err := readPiece(c.log, c.name+logSuffix, p, c.buf)
	if err != nil {
		return err
	}
	c.buf = b
	n, err := c.hand(p.stream, start+skip, b[skip:])
	c.next = start + skip + int64(n)
	return err
}
