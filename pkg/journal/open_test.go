package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// pendingDisk: a writer announced "err" and "6789" behind 6 committed bytes and
// wrote the log on with suffix.
func pendingDisk(t *testing.T, n native, suffix string) *disk {
	t.Helper()
	d := newDisk(t)
	w := mustOpen(t, n.request(d))
	must(t, w.Append(Stdout, 0, n.stdout[:6]))
	must(t, w.Flush())
	must(t, w.announce([]piece{{stream: Stderr, native: 0, length: 3}, {stream: Stdout, native: 6, length: 4}}, []byte(string(n.stderr[:3])+string(n.stdout[6:10]))))
	must(t, w.write(w.log, logSuffix, []byte(suffix)))
	return d
}

// TestOpen_suffix is the recovery rule: the log goes on with a start of what
// was announced, or nothing is changed.
func TestOpen_suffix(t *testing.T) {
	n := native{[]byte("0123456789"), []byte("err")}
	const announced = "err6789"
	for i := range len(announced) + 1 {
		d := pendingDisk(t, n, announced[:i])
		w := mustOpen(t, n.request(d))
		if st := w.State(); st.Length != 13 || st.Offsets != (Offsets{10, 3}) || w.Next(Stdout) != 10 {
			t.Errorf("%d bytes there: %+v", i, st)
		}
		if got := copied(t, d, View{}); got != "012345"+announced {
			t.Errorf("%d bytes there: shows %q", i, got)
		}
		for j := range i {
			foreign := []byte(announced[:i])
			foreign[j] = 'X'
			offset := 6 + j
			if i == len(announced) && j < 3 {
				offset = 6 // whole: the piece's digest tells, not the byte
			} else if i == len(announced) {
				offset = 9
			}
			mustRefuse(t, pendingDisk(t, n, string(foreign)), n, "a.log", offset)
		}
	}
	mustRefuse(t, pendingDisk(t, n, announced+"x"), n, "a.log", 13)
	changed := native{[]byte("012345678X"), n.stderr}
	mustRefuse(t, pendingDisk(t, n, "er"), changed, "a.log", 9)
}

func mustRefuse(t *testing.T, d *disk, n native, file string, offset int) {
	t.Helper()
	before := d.snapshot()
	_, err := Open(n.request(d))
	var damaged *DamagedError
	if !errors.As(err, &damaged) || damaged.File != file || damaged.Offset != int64(offset) || codeOf(err) != CodeDamaged {
		t.Errorf("%v, want damage of %s at %d", err, file, offset)
	}
	if !maps.Equal(before, d.snapshot()) {
		t.Errorf("something was changed before %v", err)
	}
}

// TestOpen_withoutNativeFiles: they are needed only for bytes that the log
// does not have.
func TestOpen_withoutNativeFiles(t *testing.T) {
	n := native{[]byte("0123456789"), []byte("err")}
	for suffix, fits := range map[string]bool{"err6789": true, "err678": false, "": false} {
		for name, c := range map[string]struct {
			change func(*OpenRequest)
			code   string
		}{
			"not handed in": {func(r *OpenRequest) { r.Stdout, r.Stderr = nil, nil }, ""},
			"shorter":       {func(r *OpenRequest) { r.Stdout = bytes.NewReader(n.stdout[:8]) }, CodeDamaged},
			"empty":         {func(r *OpenRequest) { r.Stdout = bytes.NewReader(nil) }, CodeDamaged},
		} {
			d := pendingDisk(t, n, suffix)
			before := d.snapshot()
			req := n.request(d)
			c.change(&req)
			_, err := Open(req)
			if (err == nil) != fits || err != nil && codeOf(err) != c.code {
				t.Errorf("%q there, native %s: %v", suffix, name, err)
			}
			if err != nil && !maps.Equal(before, d.snapshot()) {
				t.Errorf("%q there, native %s: something was changed", suffix, name)
			}
		}
	}
}

// complete is a disk with a finished log of small.
func complete(t *testing.T) *disk {
	t.Helper()
	d := newDisk(t)
	_, err := drain(small().request(d), small(), 5)
	must(t, err)
	return d
}

func TestOpen_damagedLog(t *testing.T) {
	whole := complete(t)
	for i := range whole.get("a.log") {
		d := whole.clone()
		d.files["a.log"].cached[i] ^= 1
		if _, err := Open(small().request(d)); codeOf(err) != CodeDamaged {
			t.Errorf("byte %d changed: %v", i, err)
		}
		d = whole.clone()
		d.files["a.log"].cached = d.files["a.log"].cached[:i]
		mustRefuse(t, d, small(), "a.log", i)
	}
}

// TestOpen_digests: sound records and sound bytes under a completion that
// names other digests.
func TestOpen_digests(t *testing.T) {
	n := native{[]byte("out1ot"), []byte("err")}
	d := newDisk(t)
	index := join(indexFile(t, "a1"))
	d.put("a.log", []byte("out1errot"))
	d.put("a.index", index)
	mustRefuse(t, d, n, "a.index", len(index))
	if got := copied(t, d, View{Stream: Stdout}); got != "out1ot" {
		t.Errorf("reads %q", got)
	}
}

func TestOpen_anotherAttempt(t *testing.T) {
	for field, change := range map[string]func(*OpenRequest){
		"run":     func(r *OpenRequest) { r.Identity.Run = "r2" },
		"step":    func(r *OpenRequest) { r.Identity.Step = "s2" },
		"attempt": func(r *OpenRequest) { r.Identity.Attempt = "a2" },
		"version": func(r *OpenRequest) { r.Identity.PlanVersion = 4 },
	} {
		d := complete(t)
		before := d.snapshot()
		req := small().request(d)
		change(&req)
		if _, err := Open(req); codeOf(err) != CodeDamaged || !maps.Equal(before, d.snapshot()) {
			t.Errorf("%s: %v", field, err)
		}
	}
	d := complete(t) // renamed to another attempt's
	d.files["b.log"], d.files["b.index"] = d.files["a.log"], d.files["a.index"]
	req := small().request(d)
	req.Name = "b"
	if _, err := Open(req); codeOf(err) != CodeDamaged || !strings.Contains(err.Error(), `"b.index" is damaged at offset 0`) {
		t.Errorf("renamed: %v", err)
	}
}

// TestOpen_checkpointMissing: a log without its index is left as it is, and
// can be read.
func TestOpen_checkpointMissing(t *testing.T) {
	for name, index := range map[string][]byte{"no index": nil, "empty": {}, "torn header": indexFile(t, "a1")[0][:30]} {
		d := newDisk(t)
		d.put("a.log", []byte("old bytes"))
		if index != nil {
			d.put("a.index", index)
		}
		before := d.snapshot()
		if _, err := Open(small().request(d)); codeOf(err) != CodeCheckpointMissing {
			t.Errorf("%s: %v", name, err)
		}
		if !maps.Equal(before, d.snapshot()) {
			t.Errorf("%s: something was changed", name)
		}
		if got := copied(t, d, View{From: 4}); got != "bytes" {
			t.Errorf("%s: reads %q", name, got)
		}
	}
}

// TestOpen_tornEnd: the torn bytes are kept beside the index, which goes on
// where they began.
func TestOpen_tornEnd(t *testing.T) {
	d := newDisk(t)
	_, err := drain(small().request(d), small(), 5)
	must(t, err)
	index := d.get("a.index")
	d.put("a.index", index[:len(index)-9])
	_, err = drain(small().request(d), small(), 5)
	must(t, err)
	mustHaveAll(t, d, small())
	torn := string(d.get("a.index.torn"))
	if !strings.HasPrefix(torn, "# ") || !strings.Contains(torn, `"sha256"`) {
		t.Errorf("kept: %q", torn)
	}
	if got := d.get("a.index"); !bytes.Equal(got, index) {
		t.Errorf("the index is not as if nothing had happened")
	}
}

func TestOpen_laterOwner(t *testing.T) {
	d := newDisk(t)
	n := small()
	must(t, mustOpen(t, n.request(d)).Close())
	first := len(d.get("a.index"))
	must(t, mustOpen(t, n.request(d)).Close())
	if got := len(d.get("a.index")); got != first {
		t.Errorf("the same owner again: %d bytes, then %d", first, got)
	}
	req := n.request(d)
	req.Owner = json.RawMessage(` { "pid" : 2 } `)
	w := mustOpen(t, req)
	if got := string(w.State().Header.Owner); got != `{"pid":2}` {
		t.Errorf("owner %s", got)
	}
	req.Owner = json.RawMessage(`{`)
	if _, err := Open(req); err == nil {
		t.Error("an owner that is no JSON")
	}
	req.Owner = json.RawMessage(`"` + strings.Repeat("x", maxPayload) + `"`)
	if _, err := Open(req); err == nil {
		t.Error("an owner that fits no record")
	}
}

func TestWriter_Append_gapsAndOverlaps(t *testing.T) {
	d := newDisk(t)
	w := mustOpen(t, small().request(d))
	must(t, w.Append(Stdout, 0, []byte("out")))
	for _, tt := range []struct {
		s            Stream
		offset, want int64
	}{{Stdout, 0, 3}, {Stdout, 2, 3}, {Stdout, 4, 3}, {Stderr, 3, 0}, {Stderr, -1, 0}} {
		var o *OffsetError
		if err := w.Append(tt.s, tt.offset, []byte("x")); !errors.As(err, &o) || *o != (OffsetError{tt.s, tt.offset, tt.want}) {
			t.Errorf("%s at %d: %v", tt.s, tt.offset, err)
		}
	}
	if err := w.Append(3, 0, []byte("x")); err == nil {
		t.Error("a third stream")
	}
	must(t, w.Append(Stdout, 3, nil))
	must(t, w.Append(Stdout, 3, []byte("!")))
	must(t, w.Flush())
	if got := copied(t, d, View{}); got != "out!" {
		t.Errorf("shows %q", got)
	}
}

// TestWriter_groups: what is announced at once is bounded by size, by number
// of pieces and by time.
func TestWriter_groups(t *testing.T) {
	d := newDisk(t)
	req := small().request(d)
	var now time.Time
	req.Now = func() time.Time { return now }
	w := mustOpen(t, req)
	must(t, w.Append(Stdout, 0, make([]byte, 2*GroupSize+5)))
	if got := w.State().Length; got != 2*GroupSize {
		t.Errorf("by size: %d committed", got)
	}
	must(t, w.Append(Stdout, w.Next(Stdout), []byte("x")))
	now = now.Add(GroupTime - 1)
	must(t, w.Append(Stdout, w.Next(Stdout), []byte("x")))
	if got := w.State().Length; got != 2*GroupSize {
		t.Errorf("before the time: %d committed", got)
	}
	now = now.Add(1)
	must(t, w.Append(Stdout, w.Next(Stdout), []byte("x")))
	start := w.State().Length
	if start != 2*GroupSize+8 {
		t.Errorf("by time: %d committed", start)
	}
	for range maxPieces / 2 {
		must(t, w.Append(Stdout, w.Next(Stdout), []byte("o")))
		must(t, w.Append(Stderr, w.Next(Stderr), []byte("e")))
	}
	if got := w.State().Length - start; got != maxPieces {
		t.Errorf("by number: %d committed", got)
	}
}

func TestWriter_Finish(t *testing.T) {
	d, n := newDisk(t), small()
	w := mustOpen(t, n.request(d))
	must(t, w.Append(Stdout, 0, n.stdout))
	var o *OffsetError
	if err := w.Finish(End{Kind: Exited}, n.lengths()); !errors.As(err, &o) || o.Stream != Stderr || w.State().Completion != nil {
		t.Errorf("before the end of stderr: %v", err)
	}
	must(t, w.Append(Stderr, 0, n.stderr))
	if err := w.Finish(End{Kind: "gone"}, n.lengths()); err == nil || w.State().Completion != nil {
		t.Errorf("unknown end: %v", err)
	}
	must(t, w.Finish(End{Kind: Timeout}, n.lengths()))
	for i, err := range []error{w.Finish(End{Kind: Timeout}, n.lengths()), w.Append(Stdout, w.Next(Stdout), []byte("x")), w.Accepted(), w.Flush()} {
		if !errors.Is(err, ErrFinished) {
			t.Errorf("call %d after the end: %v", i, err)
		}
	}
	must(t, w.Close())
	before := fmt.Sprint(d.snapshot())
	again := mustOpen(t, n.request(d))
	if c := again.State().Completion; c == nil || c.Kind != Timeout || c.Stdout != extent(n.stdout) {
		t.Errorf("opened again: %+v", c)
	}
	if fmt.Sprint(d.snapshot()) != before {
		t.Error("opening a complete log changed something")
	}
	if err := again.Accepted(); !errors.Is(err, ErrFinished) {
		t.Errorf("opened again: %v", err)
	}
}

// TestWriter_Finish_neverStarted: an attempt that was cancelled before its
// job ran.
func TestWriter_Finish_neverStarted(t *testing.T) {
	d := newDisk(t)
	w := mustOpen(t, small().request(d))
	must(t, w.Finish(End{Kind: Cancelled}, Offsets{}))
	if c := mustOpen(t, small().request(d)).State().Completion; c == nil || c.Kind != Cancelled {
		t.Errorf("%+v", c)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.Flush(); err == nil {
		t.Error("flush of a closed writer")
	}
}
