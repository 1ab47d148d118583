package journal

import (
	"encoding/json"
	"sync"
	"time"
)

// GroupTime is how long output may wait for more to be announced with it.
const GroupTime = 50 * time.Millisecond

// Writer appends to one attempt's log. It is for one goroutine and writes
// nothing behind the caller's back: whoever lost the fence only has to stop
// calling. After a [*BrokenError] every method but Close answers it again.
type Writer struct {
	name       string
	now        func() time.Time
	log, index File

	chain chain
	st    replay
	hash  hashes
	dead  error

	// What waits for its group, since when, and where that leads.
	group []piece
	bytes []byte
	since time.Time
	next  Offsets
}

// State is what is committed; after an error, open again and ask then.
func (w *Writer) State() State { return w.st.State }

// Next is the offset that Append expects of a stream: where a runner that was
// started again goes on reading.
func (w *Writer) Next(s Stream) int64 { return w.next.At(s) }

// Append takes bytes that stand at offset in the stream's native file. They
// are kept until [GroupSize] are together, or the next Append after
// [GroupTime], or Flush: whoever waits for more output flushes first. An
// offset that is not the next one gives an [*OffsetError] and changes nothing.
func (w *Writer) Append(s Stream, offset int64, b []byte) error {
	if err := w.usable(); err != nil {
		return err
	}
	if want := w.Next(s); !s.valid() || offset != want {
		return &OffsetError{Stream: s, Given: offset, Want: want}
	}
	for len(b) > 0 {
		n := min(len(b), GroupSize-len(w.bytes))
		w.collect(s, offset, b[:n])
		b, offset = b[n:], offset+int64(n)
		if len(w.bytes) == GroupSize || len(w.group) == maxPieces || w.waited() {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer) waited() bool {
	return w.now != nil && w.now().Sub(w.since) >= GroupTime
}

// collect adds to the group; neighbours of one stream are one piece.
func (w *Writer) collect(s Stream, offset int64, b []byte) {
	if len(w.group) == 0 && w.now != nil {
		w.since = w.now()
	}
	w.bytes = append(w.bytes, b...)
	*w.next.of(s) += int64(len(b))
	if n := len(w.group); n > 0 && w.group[n-1].stream == s {
		w.group[n-1].length += int64(len(b))
		return
	}
	w.group = append(w.group, piece{stream: s, native: offset, length: int64(len(b))})
}

// Flush commits what was appended: the intents, synced; the bytes, synced; the
// commit. The commit is durable with the next sync of the index; until then a
// power cut leaves a whole group without its commit, which Open adds.
func (w *Writer) Flush() error {
	if err := w.usable(); err != nil || len(w.group) == 0 {
		return err
	}
	w.dead = w.flush(w.group, w.bytes)
	w.group, w.bytes = w.group[:0], w.bytes[:0]
	return w.dead
}

func (w *Writer) flush(group []piece, content []byte) error {
	if err := w.announce(group, content); err != nil {
		return err
	}
	if err := w.write(w.log, logSuffix, content); err != nil {
		return err
	}
	return w.commitPending(content)
}

func (w *Writer) announce(group []piece, content []byte) error {
	var batch []byte
	for _, p := range group {
		p.crc = crcOf(content[:p.length])
		content = content[p.length:]
		intent := encodeIntent(p)
		if _, err := w.st.apply(kindIntent, intent); err != nil {
			return err
		}
		batch = w.chain.add(batch, kindIntent, intent)
	}
	if err := w.write(w.index, indexSuffix, batch); err != nil {
		return err
	}
	return w.sync(w.index, indexSuffix)
}

// commitPending commits what was announced once it is all in the log: synced
// first, because a commit without its bytes is a log that lost some. The
// streams are hashed while the disk works.
func (w *Writer) commitPending(content []byte) error {
	var hashing sync.WaitGroup
	hashing.Go(func() { w.hash.write(w.st.pending, content) })
	err := w.sync(w.log, logSuffix)
	hashing.Wait()
	if err != nil {
		return err
	}
	length, offsets := w.st.after()
	commit := encodeCommit(length, offsets)
	if _, err := w.st.apply(kindCommit, commit); err != nil {
		return err
	}
	return w.write(w.index, indexSuffix, w.chain.add(nil, kindCommit, commit))
}

// Accepted records, durably and once, that the supervisor has the job's first
// status. Saying it again is nothing new.
func (w *Writer) Accepted() error {
	if err := w.usable(); err != nil || w.st.Accepted {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return w.act(kindAccepted, nil)
}

// Finish records how the job ended, after everything appended. It returns when
// that is durable. Lengths are those of the native files, looked at after the
// end was known: where the log does not have exactly that much, an
// [*OffsetError] says which stream, and nothing is recorded.
func (w *Writer) Finish(end End, lengths Offsets) error {
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range []Stream{Stdout, Stderr} {
		if given, want := lengths.At(s), w.st.Offsets.At(s); given != want {
			return &OffsetError{Stream: s, Given: given, Want: want}
		}
	}
	b, err := json.Marshal(Completion{
		End:    end,
		Stdout: Extent{w.st.Offsets.Stdout, w.hash.hex(Stdout)},
		Stderr: Extent{w.st.Offsets.Stderr, w.hash.hex(Stderr)},
	})
	if err != nil {
		return err
	}
	return w.act(kindCompletion, b)
}

// Close closes the files and writes nothing: what was not flushed is read
// again from the native files by whoever opens the log next.
func (w *Writer) Close() error {
	if w.dead == nil {
		w.dead = errClosed
	}
	return closeAll(w.log, w.index)
}
