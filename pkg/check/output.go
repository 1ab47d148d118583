package check

import (
	"io"
	"sync"
)

// TailSize is how many bytes a [Tail] keeps.
const TailSize = 64 << 10

// Tail is the end of a stream.
type Tail struct {
	Total int64  // bytes that the stream had
	Bytes []byte // the last TailSize of them, raw
}

// Cut reports that the beginning of the stream is missing.
func (t Tail) Cut() bool { return t.Total > int64(len(t.Bytes)) }

// ring keeps the last TailSize bytes written to it.
type ring struct {
	total int64
	buf   []byte // made on the first write; most commands leave one stream empty
}

func (r *ring) write(p []byte) {
	if len(p) == 0 {
		return
	}
	if r.buf == nil {
		r.buf = make([]byte, TailSize)
	}
	skip := max(0, len(p)-TailSize)
	at := int((r.total + int64(skip)) % TailSize)
	n := copy(r.buf[at:], p[skip:])
	copy(r.buf, p[skip+n:])
	r.total += int64(len(p))
}

func (r *ring) tail() Tail {
	if r.total < TailSize {
		return Tail{Total: r.total, Bytes: append([]byte(nil), r.buf[:r.total]...)}
	}
	at := r.total % TailSize
	kept := append(make([]byte, 0, TailSize), r.buf[at:]...)
	return Tail{Total: r.total, Bytes: append(kept, r.buf[:at]...)}
}

// capture gathers both streams of a command in bounded memory.
type capture struct {
	mu                     sync.Mutex
	stdout, stderr, merged ring
	live                   io.Writer // nil once it has failed
	record                 func(stderr bool, p []byte)
}

// add takes the next bytes of one stream; s is c.stdout or c.stderr.
func (c *capture) add(s *ring, p []byte) {
	if len(p) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.write(p)
	c.merged.write(p)
	if c.record != nil {
		c.record(s == &c.stderr, p)
	}
	if c.live == nil {
		return
	}
	if _, err := c.live.Write(p); err != nil {
		c.live = nil // the reader went away; the command must not notice
	}
}

func (c *capture) fill(res *Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	res.Stdout, res.Stderr, res.Merged = c.stdout.tail(), c.stderr.tail(), c.merged.tail()
}
