package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestReader_Copy_views: every view from every offset, and from where the
// last copy ended.
func TestReader_Copy_views(t *testing.T) {
	d, n := complete(t), small()
	for s, whole := range map[Stream]string{0: string(d.get("a.log")), Stdout: string(n.stdout), Stderr: string(n.stderr)} {
		for from := range len(whole) + 2 {
			want := whole[min(from, len(whole)):]
			if got := copied(t, d, View{Stream: s, From: int64(from)}); got != want {
				t.Errorf("%s from %d: %q, want %q", s, from, got, want)
			}
		}
	}
	r, err := OpenReader(d, "a")
	must(t, err)
	for _, v := range []View{{From: -1}, {Stream: 3}} {
		if _, err := r.Copy(io.Discard, v); err == nil {
			t.Errorf("view %+v is none", v)
		}
	}
}

// TestReader_committedOnly: announced and written is not committed, and
// looking changes nothing (the disk watches).
func TestReader_committedOnly(t *testing.T) {
	n := native{[]byte("0123456789"), []byte("err")}
	d := pendingDisk(t, n, "err6789")
	before := d.snapshot()
	if got := copied(t, d, View{}); got != "012345" {
		t.Errorf("shows %q", got)
	}
	r, err := OpenReader(d, "a")
	must(t, err)
	if st, err := r.State(); err != nil || st.Length != 6 || st.Accepted || st.Header.Identity != testID {
		t.Errorf("%+v, %v", st, err)
	}
	for name, content := range before {
		if string(d.get(name)) != content {
			t.Errorf("%s was changed", name)
		}
	}
}

func TestReader_damage(t *testing.T) {
	d := complete(t)
	d.files["a.log"].cached[7] ^= 1
	r, err := OpenReader(d, "a")
	must(t, err)
	if _, err := r.Copy(io.Discard, View{}); codeOf(err) != CodeDamaged {
		t.Errorf("a changed byte of the log: %v", err)
	}
	d = complete(t)
	d.files["a.log"].cached = d.files["a.log"].cached[:11]
	r, err = OpenReader(d, "a")
	must(t, err)
	var damaged *DamagedError
	if _, err := r.Copy(io.Discard, View{}); !errors.As(err, &damaged) || damaged.Offset != 11 {
		t.Errorf("a cut log: %v", err)
	}
	d = complete(t)
	d.files["a.index"].cached[40] ^= 1
	r, err = OpenReader(d, "a")
	must(t, err)
	if _, _, err := r.Follow(t.Context(), io.Discard, Follow{}); !errors.As(err, &damaged) || damaged.File != "a.index" || damaged.Offset != 0 {
		t.Errorf("a changed byte of the index: %v", err)
	}
}

func TestOpenReader_nothingYet(t *testing.T) {
	d := newDisk(t)
	if _, err := OpenReader(d, "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no files: %v", err)
	}
	d.put("a.log", nil)
	if _, err := OpenReader(d, "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty log: %v", err)
	}
}

// TestReader_Follow_unknown: what cannot be proven is said to be unknown,
// with everything committed shown before.
func TestReader_Follow_unknown(t *testing.T) {
	n := native{[]byte("0123456789"), []byte("err")}
	legacy := newDisk(t)
	legacy.put("a.log", []byte("old bytes"))
	for name, tt := range map[string]struct {
		d    *disk
		dead func(State) bool
		want string
	}{
		"legacy":     {legacy, nil, "old bytes"},
		"owner dead": {pendingDisk(t, n, "err"), func(s State) bool { return string(s.Header.Owner) == string(testOwner) }, "012345"},
	} {
		r, err := OpenReader(tt.d, "a")
		must(t, err)
		var b bytes.Buffer
		_, next, err := r.Follow(t.Context(), &b, Follow{Dead: tt.dead})
		if codeOf(err) != CodeCompletionUnknown || b.String() != tt.want || next != int64(len(tt.want)) {
			t.Errorf("%s: %q, next %d, %v", name, &b, next, err)
		}
	}
	r, err := OpenReader(legacy, "a")
	must(t, err)
	if _, _, err := r.Follow(t.Context(), io.Discard, Follow{View: View{Stream: Stderr}}); codeOf(err) != CodeCheckpointMissing {
		t.Errorf("one stream of a log without index: %v", err)
	}
}

// TestReader_Follow_endsBeforeDeath: an owner that finished and died between
// two looks is not unknown.
func TestReader_Follow_endsBeforeDeath(t *testing.T) {
	d, n := newDisk(t), small()
	w := mustOpen(t, n.request(d))
	must(t, w.Append(Stdout, 0, n.stdout))
	r, err := OpenReader(d, "a")
	must(t, err)
	dead := func(State) bool {
		if w.State().Completion == nil {
			must(t, w.Append(Stderr, 0, n.stderr))
			must(t, w.Finish(End{Kind: Exited}, n.lengths()))
		}
		return true
	}
	var b bytes.Buffer
	done, _, err := r.Follow(t.Context(), &b, Follow{Dead: dead})
	if err != nil || done == nil || b.String() != string(d.get("a.log")) {
		t.Errorf("%+v, %v, %q", done, err, &b)
	}
}

// TestCase138_followEnds: started before, during and after the end, a
// follower shows everything and ends within a second of the completion.
func TestCase138_followEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, n := newDisk(t), small()
		w := mustOpen(t, n.request(d))
		var ended sync.WaitGroup
		var finished time.Time
		start := func(interval time.Duration) {
			ended.Go(func() {
				r, err := OpenReader(d, "a")
				if err != nil {
					t.Error(err)
					return
				}
				var b bytes.Buffer
				done, _, err := r.Follow(t.Context(), &b, Follow{Interval: interval})
				if err != nil || done.Kind != Interrupted || b.String() != string(d.get("a.log")) {
					t.Errorf("%+v, %v, %q", done, err, &b)
				}
				if late := time.Since(finished); late > time.Second {
					t.Errorf("ended %s after the completion", late)
				}
			})
		}
		all := func() {
			for _, interval := range []time.Duration{0, time.Millisecond, time.Hour} {
				start(interval)
			}
		}
		all()
		time.Sleep(10 * time.Second) // of the bubble
		must(t, w.Append(Stdout, 0, n.stdout))
		must(t, w.Flush())
		all()
		time.Sleep(10 * time.Second)
		must(t, w.Append(Stderr, 0, n.stderr))
		must(t, w.Flush())
		time.Sleep(10 * time.Second)
		finished = time.Now()
		must(t, w.Finish(End{Kind: Interrupted}, n.lengths()))
		ended.Wait()
		finished = time.Now()
		all()
		ended.Wait()
	})
}

// TestCase139_killedProducer: no end was recorded. The follower says so once
// the owner is provably dead, and not before; when somebody records what
// became of it, it is told as interrupted.
func TestCase139_killedProducer(t *testing.T) {
	n := native{[]byte("0123456789"), []byte("err")}
	d := pendingDisk(t, n, "err")
	r, err := OpenReader(d, "a")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	looks := 0
	alive := func(State) bool {
		if looks++; looks == 3 {
			cancel()
		}
		return false
	}
	if _, _, err := r.Follow(ctx, io.Discard, Follow{Interval: time.Microsecond, Dead: alive}); !errors.Is(err, context.Canceled) {
		t.Errorf("owner not provably dead: %v", err)
	}
	if _, _, err := r.Follow(t.Context(), io.Discard, Follow{Dead: func(State) bool { return true }}); codeOf(err) != CodeCompletionUnknown {
		t.Errorf("owner dead: %v", err)
	}
	w := mustOpen(t, n.request(d))
	must(t, w.Finish(End{Kind: Interrupted}, Offsets{w.Next(Stdout), w.Next(Stderr)}))
	var b bytes.Buffer
	if done, _, err := r.Follow(t.Context(), &b, Follow{}); err != nil || done.Kind != Interrupted || b.String() != "012345err6789" {
		t.Errorf("%+v, %v, %q", done, err, &b)
	}
}

// TestCase141_randomChunks: at full speed, pieces of any size of UTF-8 and raw
// bytes, cut anywhere; a follower of each view has the very bytes.
func TestCase141_randomChunks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 41))
	var n native
	for range 3000 {
		n.stdout = append(n.stdout, []string{"grüße ", "日本", "\n", "\xf0\x9f", "\xff\x00", "line\n"}[rnd.IntN(6)]...)
		n.stderr = append(n.stderr, byte(rnd.Uint32()))
	}
	d := newDisk(t)
	w := mustOpen(t, n.request(d))
	got := map[Stream]*bytes.Buffer{0: {}, Stdout: {}, Stderr: {}}
	var ended sync.WaitGroup
	for s, b := range got {
		r, err := OpenReader(d, "a")
		must(t, err)
		ended.Go(func() {
			if _, _, err := r.Follow(t.Context(), b, Follow{View: View{Stream: s}, Interval: time.Microsecond}); err != nil {
				t.Error(err)
			}
		})
	}
	for w.Next(Stdout) < int64(len(n.stdout)) || w.Next(Stderr) < int64(len(n.stderr)) {
		s := Stream(1 + rnd.IntN(2))
		rest := n.of(s)[w.Next(s):]
		must(t, w.Append(s, w.Next(s), rest[:min(rnd.IntN(90), len(rest))]))
		if rnd.IntN(3) == 0 {
			must(t, w.Flush())
		}
	}
	must(t, w.Accepted())
	must(t, w.Finish(End{Kind: Exited, Code: 7}, n.lengths()))
	ended.Wait()
	mustHaveAll(t, d, n)
	for s, want := range map[Stream][]byte{0: d.get("a.log"), Stdout: n.stdout, Stderr: n.stderr} {
		if !bytes.Equal(got[s].Bytes(), want) {
			t.Errorf("view %d: %d bytes, want %d, or others", s, got[s].Len(), len(want))
		}
	}
}

// TestCase143_tailThenFollow: the last lines, then what comes, each once.
func TestCase143_tailThenFollow(t *testing.T) {
	for _, tt := range []struct {
		have, more string
		n          int
		want       string
	}{
		{"1\n2\n3\n4\n5\n6\n7\n", "8\n", 5, "3\n4\n5\n6\n7\n8\n"},
		{"1\n2\nhal", "f\n4\n", 2, "2\nhalf\n4\n"},
		{"1\n2\n", "3\n", 0, "3\n"},
		{"1\n2\n", "3\n", 9, "1\n2\n3\n"},
		{"", "1\n", 3, "1\n"},
		{strings.Repeat("x\n", 5000) + "\n\ny\n", "", 3, "\n\ny\n"},
	} {
		for _, s := range []Stream{0, Stdout} {
			d, n := newDisk(t), native{stdout: []byte(tt.have + tt.more)}
			w := mustOpen(t, n.request(d))
			must(t, w.Append(Stdout, 0, []byte(tt.have)))
			must(t, w.Flush())
			r, err := OpenReader(d, "a")
			must(t, err)
			from, err := r.Tail(s, tt.n)
			must(t, err)
			var b bytes.Buffer
			next, err := r.Copy(&b, View{Stream: s, From: from})
			must(t, err)
			must(t, w.Append(Stdout, w.Next(Stdout), []byte(tt.more)))
			must(t, w.Finish(End{Kind: Exited}, n.lengths()))
			_, _, err = r.Follow(t.Context(), &b, Follow{View: View{Stream: s, From: next}})
			must(t, err)
			if b.String() != tt.want {
				t.Errorf("%q, then %q, last %d: %q, want %q", tt.have, tt.more, tt.n, b.String(), tt.want)
			}
		}
	}
}
