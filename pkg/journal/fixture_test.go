package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"
)

var (
	testID    = Identity{Run: "r1", Step: "s1", Attempt: "a1", PlanVersion: 3}
	testOwner = json.RawMessage(`{"pid":1}`)
)

// native is what a job wrote.
type native struct{ stdout, stderr []byte }

func (n native) of(s Stream) []byte {
	if s == Stderr {
		return n.stderr
	}
	return n.stdout
}

func (n native) lengths() Offsets { return Offsets{int64(len(n.stdout)), int64(len(n.stderr))} }

func (n native) request(folder Folder) OpenRequest {
	return OpenRequest{Folder: folder, Name: "a", Identity: testID, Owner: testOwner,
		Stdout: bytes.NewReader(n.stdout), Stderr: bytes.NewReader(n.stderr),
		Now: func() time.Time { return time.Time{} }}
}

// small is enough for a sweep over every call.
func small() native {
	return native{[]byte("out 1\nout 2\nout three\xf1\xff\n"), []byte("err 1\n\xfe\xfeerr")}
}

// progress is what a writer was told is done.
type progress struct{ accepted, finished bool }

// drain goes on from wherever the log stands until all is recorded.
func drain(req OpenRequest, n native, chunk int) (p progress, err error) {
	w, err := Open(req)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if w.State().Completion != nil {
		return progress{true, true}, nil
	}
	for round := 0; ; round++ {
		more := false
		for _, s := range []Stream{Stdout, Stderr} {
			rest := n.of(s)[w.Next(s):]
			rest = rest[:min(chunk, len(rest))]
			if err := w.Append(s, w.Next(s), rest); err != nil {
				return p, err
			}
			more = more || len(rest) > 0
		}
		if round == 0 {
			if err := w.Accepted(); err != nil {
				return p, err
			}
			p.accepted = true
		} else if round%2 == 1 {
			if err := w.Flush(); err != nil {
				return p, err
			}
		}
		if !more {
			break
		}
	}
	err = w.Finish(End{Kind: Exited, Code: 7}, n.lengths())
	p.finished = err == nil
	return p, err
}

func mustOpen(t *testing.T, req OpenRequest) *Writer {
	t.Helper()
	w, err := Open(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// copied is the committed bytes of a view.
func copied(t *testing.T, folder Folder, v View) string {
	t.Helper()
	r, err := OpenReader(folder, "a")
	must(t, err)
	defer func() { must(t, r.Close()) }()
	var b bytes.Buffer
	_, err = r.Copy(&b, v)
	must(t, err)
	return b.String()
}

// mustHaveAll: both streams exactly, the log nothing else, digests that fit.
func mustHaveAll(t *testing.T, folder Folder, n native) {
	t.Helper()
	for _, s := range []Stream{Stdout, Stderr} {
		if got := copied(t, folder, View{Stream: s}); got != string(n.of(s)) {
			t.Fatalf("%s: %d bytes, want %d, or others", s, len(got), len(n.of(s)))
		}
	}
	log, err := folder.Open("a" + logSuffix)
	must(t, err)
	defer func() { must(t, log.Close()) }()
	size, err := log.Size()
	must(t, err)
	all, err := io.ReadAll(io.NewSectionReader(log, 0, size))
	must(t, err)
	if merged := copied(t, folder, View{}); merged != string(all) {
		t.Fatalf("the log has %d bytes, a reader shows %d", len(all), len(merged))
	}
	r, err := OpenReader(folder, "a")
	must(t, err)
	defer func() { must(t, r.Close()) }()
	st, err := r.State()
	must(t, err)
	if c := st.Completion; c == nil || c.Stdout != extent(n.stdout) || c.Stderr != extent(n.stderr) || !st.Accepted {
		t.Fatalf("state %+v, completion %+v", st, c)
	}
}

func extent(b []byte) Extent {
	sum := sha256.Sum256(b)
	return Extent{int64(len(b)), hex.EncodeToString(sum[:])}
}

// codeOf is an error's frozen code, "" for none.
func codeOf(err error) string {
	var coded interface{ Code() string }
	if errors.As(err, &coded) {
		return coded.Code()
	}
	return ""
}
