package journal

import (
	"bytes"
	"testing"
)

// told checks that offsets go on without a gap, in the view and, for one
// stream, in the stream.
type told struct {
	t     *testing.T
	next  int64
	bytes map[Stream]*bytes.Buffer
}

func (w *told) Write([]byte) (int, error) { w.t.Fatal("not told where"); return 0, nil }

func (w *told) WriteChunk(s Stream, offset int64, b []byte) (int, error) {
	if offset != w.next {
		w.t.Errorf("%s at %d, want %d", s, offset, w.next)
	}
	w.next += int64(len(b))
	if w.bytes[s] == nil {
		w.bytes[s] = &bytes.Buffer{}
	}
	return w.bytes[s].Write(b)
}

// TestReader_Copy_chunks: a writer that wants to know is told where each chunk
// came from, in every view, and of a log without index that nobody knows.
func TestReader_Copy_chunks(t *testing.T) {
	d, n := complete(t), small()
	legacy := newDisk(t)
	legacy.put("a.log", []byte("old bytes"))
	for _, tt := range []struct {
		d    *disk
		view View
		want map[Stream]string
	}{
		{d, View{}, map[Stream]string{Stdout: string(n.stdout), Stderr: string(n.stderr)}},
		{d, View{Stream: Stderr, From: 2}, map[Stream]string{Stderr: string(n.stderr[2:])}},
		{legacy, View{From: 4}, map[Stream]string{0: "bytes"}},
	} {
		r, err := OpenReader(tt.d, "a")
		must(t, err)
		w := &told{t: t, next: tt.view.From, bytes: map[Stream]*bytes.Buffer{}}
		next, err := r.Copy(w, tt.view)
		must(t, err)
		if next != w.next || len(w.bytes) != len(tt.want) {
			t.Errorf("%+v: ends at %d, not %d; %d streams", tt.view, next, w.next, len(w.bytes))
		}
		for s, want := range tt.want {
			if got := w.bytes[s].String(); got != want {
				t.Errorf("%+v: %s is %q, want %q", tt.view, s, got, want)
			}
		}
	}
}
