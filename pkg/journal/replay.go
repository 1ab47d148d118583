package journal

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

const (
	// ChunkSize is how much a runner reads from a stream at a time.
	ChunkSize = 64 << 10
	// GroupSize bounds what is announced and written at once, and so what a
	// recovery reads again.
	GroupSize = 1 << 20
	// maxPieces bounds the memory that a group of tiny chunks takes.
	maxPieces = 4096

	intentSize = 17
	commitSize = 24
)

// piece is one stretch of a stream in the log.
type piece struct {
	stream Stream
	native int64 // offset in the stream
	at     int64 // offset in the log
	length int64
	crc    uint32
}

// replay is the state after some records, and the rules of what may follow.
// Writer and readers go through the same ones: what a writer may not write, a
// reader does not believe.
type replay struct {
	State
	pending []piece // announced, not committed
}

// pendingEnd is where the log ends once everything announced is in it.
func (r *replay) pendingEnd() int64 {
	if n := len(r.pending); n > 0 {
		return r.pending[n-1].at + r.pending[n-1].length
	}
	return r.Length
}

// next is the stream's offset once everything announced is in the log.
func (r *replay) next(s Stream) int64 {
	for i := len(r.pending) - 1; i >= 0; i-- {
		if p := r.pending[i]; p.stream == s {
			return p.native + p.length
		}
	}
	return r.Offsets.At(s)
}

// apply takes one record, or says why it cannot be. It returns what the
// record committed.
func (r *replay) apply(k kind, payload []byte) ([]piece, error) {
	switch {
	case k != kindHeader && r.Header.Format == 0:
		return nil, errors.New("a record before the header")
	case r.Completion != nil:
		return nil, errors.New("a record after the completion")
	case k != kindIntent && k != kindCommit && len(r.pending) > 0:
		return nil, errors.New("output was announced and neither written nor committed")
	}
	switch k {
	case kindHeader:
		return nil, r.header(payload)
	case kindIntent:
		return nil, r.intent(payload)
	case kindCommit:
		return r.commit(payload)
	case kindAccepted:
		if r.Accepted || len(payload) != 0 {
			return nil, errors.New("accepted twice, or with a payload")
		}
		r.Accepted = true
		return nil, nil
	case kindCompletion:
		return nil, r.complete(payload)
	}
	return nil, fmt.Errorf("unknown record kind %d", k)
}

func (r *replay) header(payload []byte) error {
	var h Header
	if err := strictJSON(payload, &h); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	was := r.Header
	switch {
	case h.Format != format:
		return fmt.Errorf("header has format %d, this program knows %d", h.Format, format)
	case was.Format != 0 && (h.File != was.File || h.Identity != was.Identity):
		return errors.New("a later header is of another attempt")
	}
	r.Header = h
	return nil
}

func encodeIntent(p piece) []byte {
	b := make([]byte, 0, intentSize)
	b = append(b, byte(p.stream))
	b = binary.LittleEndian.AppendUint64(b, uint64(p.native))
	b = binary.LittleEndian.AppendUint32(b, uint32(p.length))
	return binary.LittleEndian.AppendUint32(b, p.crc)
}

func (r *replay) intent(b []byte) error {
	if len(b) != intentSize || !Stream(b[0]).valid() || len(r.pending) == maxPieces {
		return errors.New("intent of the wrong size, of no stream, or one too many")
	}
	native := binary.LittleEndian.Uint64(b[1:])
	p := piece{
		stream: Stream(b[0]), native: int64(native), at: r.pendingEnd(),
		length: int64(binary.LittleEndian.Uint32(b[9:])), crc: binary.LittleEndian.Uint32(b[13:]),
	}
	switch {
	case native > math.MaxInt64 || p.native != r.next(p.stream):
		return fmt.Errorf("intent for %s at offset %d, expected %d", p.stream, native, r.next(p.stream))
	case p.length < 1 || p.at-r.Length+p.length > GroupSize:
		return fmt.Errorf("intent for %d bytes", p.length)
	}
	r.pending = append(r.pending, p)
	return nil
}

// after is the state once everything announced is committed.
func (r *replay) after() (length int64, o Offsets) {
	return r.pendingEnd(), Offsets{r.next(Stdout), r.next(Stderr)}
}

func encodeCommit(length int64, o Offsets) []byte {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, commitSize), uint64(length))
	b = binary.LittleEndian.AppendUint64(b, uint64(o.Stdout))
	return binary.LittleEndian.AppendUint64(b, uint64(o.Stderr))
}

func (r *replay) commit(b []byte) ([]piece, error) {
	length, offsets := r.after()
	if len(r.pending) == 0 || !bytes.Equal(b, encodeCommit(length, offsets)) {
		return nil, fmt.Errorf("commit that is not of what was announced up to %d", length)
	}
	done := r.pending
	r.Length, r.Offsets, r.pending = length, offsets, nil
	return done, nil
}

func (r *replay) complete(payload []byte) error {
	var c Completion
	if err := strictJSON(payload, &c); err != nil {
		return fmt.Errorf("completion: %w", err)
	}
	switch {
	case !c.Kind.valid():
		return fmt.Errorf("completion %q", c.Kind)
	case c.Stdout.Length != r.Offsets.Stdout || c.Stderr.Length != r.Offsets.Stderr:
		return fmt.Errorf("completion after %d and %d bytes, committed are %d and %d",
			c.Stdout.Length, c.Stderr.Length, r.Offsets.Stdout, r.Offsets.Stderr)
	}
	r.Completion = &c
	return nil
}

// strictJSON reads exactly one value without unknown fields.
func strictJSON(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	return nil
}
