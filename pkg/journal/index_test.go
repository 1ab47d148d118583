package journal

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

// indexFile is a whole index as bytes, cut into its records.
func indexFile(t testing.TB, attempt string) [][]byte {
	t.Helper()
	id := testID
	id.Attempt = attempt
	var c chain
	var recs [][]byte
	add := func(k kind, payload []byte) { recs = append(recs, c.add(nil, k, payload)) }
	header, err := json.Marshal(Header{Format: format, File: "a", Identity: id, Owner: testOwner})
	if err != nil {
		t.Fatal(err)
	}
	end, err := json.Marshal(Completion{End: End{Kind: Signaled, Code: 9}, Stdout: Extent{Length: 6}, Stderr: Extent{Length: 3}})
	if err != nil {
		t.Fatal(err)
	}
	add(kindHeader, header)
	add(kindIntent, encodeIntent(piece{stream: Stdout, length: 4, crc: crcOf([]byte("out1"))}))
	add(kindIntent, encodeIntent(piece{stream: Stderr, length: 3, crc: crcOf([]byte("err"))}))
	add(kindCommit, encodeCommit(7, Offsets{4, 3}))
	add(kindAccepted, nil)
	add(kindHeader, header)
	add(kindIntent, encodeIntent(piece{stream: Stdout, native: 4, length: 2, crc: crcOf([]byte("ot"))}))
	add(kindCommit, encodeCommit(9, Offsets{6, 3}))
	add(kindCompletion, end)
	return recs
}

// taken is how many bytes of an index are taken, and the torn ones behind.
func taken(b []byte) (at, tail int64, err error) {
	d := &disk{files: map[string]*inode{"i": {cached: b}}}
	f, err := d.Open("i")
	if err != nil {
		return 0, 0, err
	}
	s := scanner{file: f, name: "i"}
	err = s.advance(func(piece) error { return nil })
	return s.at, s.tail, err
}

// mustBeDamaged: refused, by name and offset.
func mustBeDamaged(t *testing.T, what string, index []byte, offset int) {
	t.Helper()
	_, _, err := taken(index)
	var d *DamagedError
	if !errors.As(err, &d) || d.File != "i" || d.Offset != int64(offset) {
		t.Errorf("%s: %v, want damage at offset %d", what, err, offset)
	}
}

func TestScanner_removedSplicedReordered(t *testing.T) {
	recs, other := indexFile(t, "a1"), indexFile(t, "a2")
	for i := range recs {
		start := len(bytes.Join(recs[:i], nil))
		if i < len(recs)-1 {
			mustBeDamaged(t, fmt.Sprintf("record %d removed", i), join(recs[:i], recs[i+1:]), start)
			swapped := join(recs[:i], recs[i+1:i+2], recs[i:i+1], recs[i+2:])
			mustBeDamaged(t, fmt.Sprintf("record %d after its next", i), swapped, start)
		}
		mustBeDamaged(t, fmt.Sprintf("record %d twice", i), join(recs[:i+1], recs[i:]), start+len(recs[i]))
		if i > 0 {
			mustBeDamaged(t, fmt.Sprintf("record %d of another index", i), join(recs[:i], other[i:i+1], recs[i+1:]), start)
		}
	}
}

func join(parts ...[][]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, bytes.Join(p, nil)...)
	}
	return all
}

// TestScanner_everyByteWrong: in the last record it is a torn end, before it
// is damage where the record begins.
func TestScanner_everyByteWrong(t *testing.T) {
	recs := indexFile(t, "a1")
	whole := join(recs)
	last := len(whole) - len(recs[len(recs)-1])
	start, in := 0, 0
	for i := range whole {
		if i == start+len(recs[in]) {
			start, in = i, in+1
		}
		bad := bytes.Clone(whole)
		bad[i] ^= 0x40
		if i < last {
			mustBeDamaged(t, fmt.Sprintf("byte %d", i), bad, start)
			continue
		}
		if at, tail, err := taken(bad); err != nil || at != int64(last) || tail != int64(len(whole)-last) {
			t.Errorf("byte %d of the last record: at %d, tail %d, %v", i, at, tail, err)
		}
	}
}

// TestScanner_everyCut: a cut index is taken up to its last whole record; zeros
// behind it, as a file system may leave them, are a torn end too.
func TestScanner_everyCut(t *testing.T) {
	recs := indexFile(t, "a1")
	whole := join(recs)
	want, in := 0, 0
	for cut := range len(whole) + 1 {
		if in < len(recs) && cut == want+len(recs[in]) {
			want, in = cut, in+1
		}
		for _, zeros := range []int{0, 1, headSize, 4096} {
			b := append(bytes.Clone(whole[:cut]), make([]byte, zeros)...)
			at, tail, err := taken(b)
			// Zeros may be just what a cut record lacked.
			if err != nil || at != int64(want) && !bytes.HasPrefix(whole, b[:max(at, int64(cut)+1)]) || tail != int64(len(b))-at {
				t.Fatalf("cut at %d, %d zeros: at %d, tail %d, %v; want at %d", cut, zeros, at, tail, err, want)
			}
		}
	}
}

// TestScanner_farBehind: a good record is found wherever it lies behind a bad
// one, over the ends of the buffers too.
func TestScanner_farBehind(t *testing.T) {
	good := indexFile(t, "a1")[0]
	for _, gap := range []int{1, headSize, maxRecord - 1, maxRecord, maxRecord + 1, 2*maxRecord - 10, 2*maxRecord + 3} {
		b := append(bytes.Repeat([]byte(magic), gap/4+1)[:gap], good...)
		mustBeDamaged(t, fmt.Sprintf("gap of %d", gap), b, 0)
	}
}

// TestReplay_rules: sound records that no writer of ours writes.
func TestReplay_rules(t *testing.T) {
	recs := indexFile(t, "a1")
	h := recs[0][headSize:]
	later := bytes.Replace(bytes.Clone(h), []byte(`"a1"`), []byte(`"a2"`), 1)
	newer := bytes.Replace(bytes.Clone(h), []byte(`"format":1`), []byte(`"format":2`), 1)
	intent := func(s Stream, native, length uint64) []byte {
		b := []byte{byte(s)}
		b = binary.LittleEndian.AppendUint64(b, native)
		return append(binary.LittleEndian.AppendUint32(b, uint32(length)), 0, 0, 0, 0)
	}
	type rec struct {
		k kind
		p []byte
	}
	for name, seq := range map[string][]rec{
		"no header":               {{kindAccepted, nil}},
		"newer format":            {{kindHeader, newer}},
		"unknown field":           {{kindHeader, []byte(`{"format":1,"x":1}`)}},
		"two values":              {{kindHeader, []byte(`{"format":1} {}`)}},
		"another attempt":         {{kindHeader, h}, {kindHeader, later}},
		"unknown kind":            {{kindHeader, h}, {99, nil}},
		"commit of nothing":       {{kindHeader, h}, {kindCommit, encodeCommit(0, Offsets{})}},
		"commit of more":          {{kindHeader, h}, {kindIntent, intent(1, 0, 5)}, {kindCommit, encodeCommit(6, Offsets{5, 0})}},
		"commit of the other":     {{kindHeader, h}, {kindIntent, intent(1, 0, 5)}, {kindCommit, encodeCommit(5, Offsets{0, 5})}},
		"a gap":                   {{kindHeader, h}, {kindIntent, intent(1, 1, 5)}},
		"an overlap":              {{kindHeader, h}, {kindIntent, intent(1, 0, 5)}, {kindIntent, intent(1, 4, 5)}},
		"no bytes":                {{kindHeader, h}, {kindIntent, intent(1, 0, 0)}},
		"too many bytes":          {{kindHeader, h}, {kindIntent, intent(1, 0, GroupSize+1)}},
		"a group too large":       {{kindHeader, h}, {kindIntent, intent(1, 0, GroupSize)}, {kindIntent, intent(2, 0, 1)}},
		"no stream":               {{kindHeader, h}, {kindIntent, intent(3, 0, 5)}},
		"a negative offset":       {{kindHeader, h}, {kindIntent, intent(1, 1<<63, 5)}},
		"short intent":            {{kindHeader, h}, {kindIntent, []byte{1}}},
		"accepted twice":          {{kindHeader, h}, {kindAccepted, nil}, {kindAccepted, nil}},
		"accepted inside a group": {{kindHeader, h}, {kindIntent, intent(1, 0, 5)}, {kindAccepted, nil}},
		"completion too long":     {{kindHeader, h}, {kindCompletion, []byte(`{"kind":"exited","code":0,"stdout":{"length":1,"sha256":""},"stderr":{"length":0,"sha256":""}}`)}},
		"unknown end":             {{kindHeader, h}, {kindCompletion, []byte(`{"kind":"gone","code":0,"stdout":{"length":0,"sha256":""},"stderr":{"length":0,"sha256":""}}`)}},
	} {
		var c chain
		var b []byte
		last := 0
		for _, r := range seq {
			last = len(b)
			b = c.add(b, r.k, r.p)
		}
		mustBeDamaged(t, name, b, last)
	}
	whole := join(recs)
	c := chain{seq: uint32(len(recs)), last: binary.LittleEndian.Uint32(recs[len(recs)-1][20:])}
	mustBeDamaged(t, "after the completion", c.add(bytes.Clone(whole), kindHeader, h), len(whole))
}

// FuzzScanner: whatever the bytes, no panic and nothing beyond the file; the
// program of edits in ops (records of two indexes, put in any order, cut) is
// taken only as far as it is a start of one index.
func FuzzScanner(f *testing.F) {
	one, two := indexFile(f, "a1"), indexFile(f, "a2")
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8}, join(one)[:70])
	f.Add([]byte{0, 1, 3}, []byte(magic))
	f.Add([]byte{0x80, 1, 2, 3}, []byte{0, 0})
	f.Fuzz(func(t *testing.T, ops, junk []byte) {
		var b []byte
		for _, op := range ops {
			from := one
			if op&0x80 != 0 {
				from = two
			}
			b = append(b, from[int(op&0x7f)%len(from)]...)
		}
		b = append(b, junk...)
		at, tail, err := taken(b)
		if at < 0 || tail < 0 || at+tail > int64(len(b)) || err == nil && at+tail != int64(len(b)) {
			t.Fatalf("at %d, tail %d of %d bytes, %v", at, tail, len(b), err)
		}
		if len(ops) > 0 && !bytes.HasPrefix(join(one), b[:at]) && !bytes.HasPrefix(join(two), b[:at]) {
			t.Fatalf("took %d bytes that are no index's start", at)
		}
		if _, _, err := taken(junk); err != nil && codeOf(err) != CodeDamaged {
			t.Fatal(err)
		}
	})
}
