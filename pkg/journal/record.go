package journal

import (
	"encoding/binary"
	"hash/crc32"
)

// kind is what an index record says.
type kind uint8

const (
	kindHeader kind = 1 + iota
	kindIntent
	kindCommit
	kindAccepted
	kindCompletion
)

// A record is, in little endian,
//
//	magic 4 | kind 1 | zero 3 | payload length 4 | number 4 | before 4 | crc 4 | payload
//
// where crc is the CRC-32C of everything else in the record, and before is
// the crc of the record in front: each is sound by itself, so that a good one
// can be found behind a bad one, and a removed, spliced or reordered one
// breaks the chain. The chain is against accidents, not against forgers.
const (
	magic      = "\xa9gj1" // no JSON payload has it: a zero follows within 8 bytes
	headSize   = 24
	maxPayload = 64 << 10
	maxRecord  = headSize + maxPayload
)

// record is one that is sound by itself.
type record struct {
	kind        kind
	seq, before uint32
	crc         uint32
	payload     []byte // of the buffer it was decoded from
	size        int
}

// chain numbers and links the records of one index.
type chain struct{ seq, last uint32 }

func crcOf(parts ...[]byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // made once, by the standard library
	var crc uint32
	for _, p := range parts {
		crc = crc32.Update(crc, table, p)
	}
	return crc
}

// add appends the next record to dst.
func (c *chain) add(dst []byte, k kind, payload []byte) []byte {
	var head [headSize]byte
	copy(head[:], magic)
	head[4] = byte(k)
	binary.LittleEndian.PutUint32(head[8:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(head[12:], c.seq)
	binary.LittleEndian.PutUint32(head[16:], c.last)
	crc := crcOf(head[:20], payload)
	binary.LittleEndian.PutUint32(head[20:], crc)
	c.seq, c.last = c.seq+1, crc
	return append(append(dst, head[:]...), payload...)
}

// follows moves the chain over r, or says that r is not the next record.
func (c *chain) follows(r record) bool {
	if r.seq != c.seq || r.before != c.last {
		return false
	}
	c.seq, c.last = c.seq+1, r.crc
	return true
}

// decode reads the record at the start of b. Not ok: there is none, or not
// all of it.
func decode(b []byte) (r record, ok bool) {
	if len(b) < headSize || string(b[:4]) != magic || b[5]|b[6]|b[7] != 0 {
		return r, false
	}
	length := binary.LittleEndian.Uint32(b[8:])
	if length > maxPayload || int(length) > len(b)-headSize {
		return r, false
	}
	r = record{
		kind:    kind(b[4]),
		seq:     binary.LittleEndian.Uint32(b[12:]),
		before:  binary.LittleEndian.Uint32(b[16:]),
		crc:     binary.LittleEndian.Uint32(b[20:]),
		size:    headSize + int(length),
		payload: b[headSize : headSize+int(length)],
	}
	return r, crcOf(b[:20], r.payload) == r.crc
}
