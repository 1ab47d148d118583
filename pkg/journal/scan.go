package journal

import (
	"bytes"
	"errors"
	"slices"
)

// scanner reads an index record by record, over and over as it grows.
type scanner struct {
	file File
	name string // for errors

	at    int64 // behind the last record taken
	tail  int64 // bytes behind at that are no record: torn, or not all there yet
	chain chain
	replay

	// buf holds the index from start on.
	buf   []byte
	start int64
	ended bool // buf reached the end of the file
}

const readAhead = 2 * maxRecord

// advance takes every whole record that is there and hands committed pieces
// to each. What follows the last good record is a torn end, or one that is
// being written, unless a good record lies behind it: that is damage.
func (s *scanner) advance(each func(piece) error) error {
	s.buf, s.start, s.ended, s.tail = s.buf[:0], s.at, false, 0
	for {
		ahead, err := s.ahead()
		if err != nil || len(ahead) == 0 {
			return err
		}
		r, ok := decode(ahead)
		if !ok {
			return s.unsound()
		}
		if !s.chain.follows(r) {
			return s.damaged("a record of another place or another index, or one is missing before it")
		}
		done, err := s.apply(r.kind, r.payload)
		if err != nil {
			return s.damaged(err.Error())
		}
		s.at += int64(r.size)
		for _, p := range done {
			if err := each(p); err != nil {
				return err
			}
		}
	}
}

// ahead is the bytes from at on: a whole record if there is one.
func (s *scanner) ahead() ([]byte, error) {
	have := s.buf[s.at-s.start:]
	if len(have) >= maxRecord || s.ended {
		return have, nil
	}
	if cap(s.buf) == 0 {
		s.buf = make([]byte, 0, readAhead)
	}
	n, err := readSome(s.file, s.buf[:readAhead], s.at)
	s.buf, s.start, s.ended = s.buf[:n], s.at, n < readAhead
	return s.buf, err
}

// unsound decides between a torn end and damage.
func (s *scanner) unsound() error {
	size, err := s.file.Size()
	if err != nil {
		return err
	}
	good, err := s.goodBehind(size)
	if err != nil {
		return err
	}
	if good {
		return s.damaged("no record, but a good one lies behind it")
	}
	s.tail = max(0, size-s.at)
	return nil
}

// goodBehind looks for a record that is sound by itself anywhere behind at.
// A length field cannot be trusted to lead there.
func (s *scanner) goodBehind(size int64) (bool, error) {
	buf := make([]byte, min(2*maxRecord, max(0, size-s.at)))
	for base := s.at + 1; base < size; base += maxRecord {
		n, err := readSome(s.file, buf, base)
		if err != nil {
			return false, err
		}
		for i := 0; i < min(n, maxRecord); i++ {
			skip := bytes.Index(buf[i:n], []byte(magic))
			if skip < 0 {
				break
			}
			i += skip
			if _, ok := decode(buf[i:n]); ok {
				return true, nil
			}
		}
	}
	return false, nil
}

func (s *scanner) damaged(what string) error {
	return &DamagedError{File: s.name, Offset: s.at, What: what}
}

// matches checks that the index is the one that was meant.
func (s *scanner) matches(name string, want Identity) error {
	h := s.Header
	if h.File == name && h.Identity == want {
		return nil
	}
	return &DamagedError{File: s.name, What: identityDiffers(h, name, want)}
}

// readPiece reads a committed piece from the log, into buf if that is large
// enough, and checks it.
func readPiece(log File, name string, p piece, buf []byte) ([]byte, error) {
	b := slices.Grow(buf[:0], int(p.length))[:p.length]
	n, err := readSome(log, b, p.at)
	switch {
	case err != nil:
		return nil, err
	case n < len(b):
		return nil, &DamagedError{File: name, Offset: p.at + int64(n), What: "it ends before what was committed"}
	case crcOf(b) != p.crc:
		return nil, &DamagedError{File: name, Offset: p.at, What: "not the bytes that were committed as " + p.stream.String()}
	}
	return b, nil
}

// closeAll closes what was opened.
func closeAll(files ...File) error {
	var errs []error
	for _, f := range files {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
